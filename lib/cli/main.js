'use strict';

// The command `onewrite`: finds the command that was asked for, runs it, and turns its end into an exit code.

const { EXIT, Failure } = require('./failure');
const { styleFor } = require('./style');

/** Loaded when asked for: the bench takes over signals. */
const COMMANDS = {
  doctor: () => require('./doctor'),
  bench: () => require('./bench'),
};

const USAGE = `usage: onewrite <command> [options]

  onewrite doctor   which parts are on here, which are off and why
  onewrite bench    your program without and with the package: speed, latency, memory

  onewrite <command> --help
  onewrite --version
`;

/** @returns {Promise<number>} the exit code */
async function run([name, ...rest]) {
  if (name === '--version' || name === '-v') {
    console.log(require('../../package.json').version);
    return EXIT.OK;
  }
  if (name === undefined || name === '--help' || name === '-h') {
    (name === undefined ? process.stderr : process.stdout).write(USAGE);
    return name === undefined ? EXIT.USAGE : EXIT.OK;
  }
  if (!Object.hasOwn(COMMANDS, name)) {
    throw new Failure(EXIT.USAGE, `unknown command: ${name}\n\n${USAGE}`);
  }
  const command = COMMANDS[name]();
  const end = rest.indexOf('--');
  if ((end < 0 ? rest : rest.slice(0, end)).some((text) => text === '--help' || text === '-h')) {
    process.stdout.write(command.usage);
    return EXIT.OK;
  }
  return command.run(rest);
}

/** @param {string[]} args those behind the name of the program */
async function main(args) {
  let code;
  try {
    code = await run(args);
  } catch (error) {
    const expected = error instanceof Failure;
    const { red } = styleFor(process.stderr);
    process.stderr.write(`${red('error:')} ${expected ? error.message : error.stack}\n`);
    code = expected ? error.exitCode : EXIT.OFF;
  }
  // What a command started ends with this process, and stdout may be a pipe that is read slowly.
  process.stdout.write('', () => process.exit(code));
}

module.exports = { main };
