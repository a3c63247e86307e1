'use strict';

// What `onewrite bench` is told on the command line.

const fs = require('node:fs');
const path = require('node:path');
const { numberFrom, parse } = require('./arguments');
const { EXIT, Failure } = require('./failure');

const { version } = require('../../package.json');

const usage = `usage: onewrite bench [options] -- <command>

  onewrite bench -- node server.js
  onewrite bench --url /users/1 --header 'Accept: application/json' --html bench.html -- npm start

Starts your program twice, without the package and with it (preloaded by NODE_OPTIONS, so that its children have it), checks
that both answer alike, and drives them in turn. Each gets a free port in place of the one it asks for.

  --url PATH         what is asked for (default: /)
  --header 'N: V'    a field of the request; may be repeated
  --connections N    keep-alive connections, each with one request at a time (default: 50)
  --duration S       seconds of a round; fractions are allowed (default: 1)
  --rounds N         rounds of each side (default: 10)
  --warm-up S        seconds of load before the first round of each side, up to three times that for programs that answer
                     less than 10,000 requests meanwhile (default: 2)
  --port N           the port whose server is driven, where the program opens several HTTP ports
  --one-at-a-time    start the program anew for each round, one at a time, on its own ports: for programs that call
                     themselves on a fixed port, or that cannot run twice
  --timeout S        seconds until the program has to listen (default: 30)
  --json             the result as one JSON object on stdout
  --html FILE        the result as a page with plots, which needs no network

exit codes: 0 measured; 1 nothing can be on here, or an unexpected error; 2 wrong options; 3 the program ended, or could not
be started; 4 it opened no HTTP port in time; 5 the answers differ; 6 requests were not answered; 128 + n ended by signal n
`;

const OPTIONS = /** @type {const} */ ({
  url: { type: 'string', default: '/' },
  header: { type: 'string', multiple: true, default: [] },
  connections: { type: 'string', default: '50' },
  duration: { type: 'string', default: '1' },
  rounds: { type: 'string', default: '10' },
  'warm-up': { type: 'string', default: '2' },
  port: { type: 'string' },
  'one-at-a-time': { type: 'boolean', default: false },
  timeout: { type: 'string', default: '30' },
  json: { type: 'boolean', default: false },
  html: { type: 'string' },
});

/** @param {string} text @returns {[string, string]} */
function headerFrom(text) {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t\x20-\x7e]*)$/.exec(text) ?? [];
  if (name === undefined) throw new Failure(EXIT.USAGE, `--header ${text}: must be 'Name: value'`);
  return [name, value];
}

/** @param {string} text a path, or a URL whose path is taken */
function pathFrom(text) {
  if (/^\/[\x21-\x7e]*$/.test(text)) return text;
  throw new Failure(EXIT.USAGE, `--url ${text}: must be a path such as /users?page=2`);
}

/** @param {string | undefined} file */
function pageFrom(file) {
  if (file === undefined) return null;
  try {
    // Now, not after minutes of measuring.
    fs.accessSync(fs.existsSync(file) ? file : path.dirname(file), fs.constants.W_OK);
  } catch (error) {
    throw new Failure(EXIT.USAGE, `--html ${file}: ${error.message}`);
  }
  return file;
}

/** The fields of each request: the same for both sides, whatever their ports are. */
function fieldsOf(own) {
  const names = own.map(([name]) => name.toLowerCase());
  const standard = [
    ['Host', 'localhost'],
    ['User-Agent', `onewrite/${version}`],
    ['Accept', '*/*'],
    ['Connection', 'keep-alive'],
  ].filter(([name]) => !names.includes(name.toLowerCase()));
  return [...standard, ...own];
}

/** @param {string[]} args */
function optionsFrom(args) {
  const { values, positionals: command } = parse(args, OPTIONS, 'bench');
  const number = (name, min, max, whole) =>
    numberFrom(name, values[name], { min, max, whole: whole === 'whole' });
  if (command.length === 0) {
    throw new Failure(
      EXIT.USAGE,
      'no program: give its command behind --, as in -- node server.js',
    );
  }
  if (process.env.ONEWRITE === 'off') {
    throw new Failure(EXIT.USAGE, 'ONEWRITE=off leaves nothing to compare');
  }
  return {
    command,
    request: { path: pathFrom(values.url), headers: fieldsOf(values.header.map(headerFrom)) },
    connections: number('connections', 1, 10_000, 'whole'),
    duration: number('duration', 0.01, 3600),
    rounds: number('rounds', 1, 10_000, 'whole'),
    warmUp: number('warm-up', 0, 3600),
    port: values.port === undefined ? null : number('port', 1, 65_535, 'whole'),
    oneAtATime: values['one-at-a-time'],
    timeout: number('timeout', 0.1, 3600),
    json: values.json,
    html: pageFrom(values.html),
  };
}

module.exports = { usage, optionsFrom };
