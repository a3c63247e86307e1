'use strict';

// `onewrite doctor`: what the package does on this machine, and why it does not do more.

const { once } = require('node:events');
const path = require('node:path');
const { parse } = require('./arguments');
const { EXIT, Failure } = require('./failure');
const { styleFor } = require('./style');
const { table } = require('./table');

const usage = `usage: onewrite doctor [--json]

Switches all parts on in a process of its own, serves a few requests on loopback, and says what became of them. Takes the
Node.js that runs it and heeds ONEWRITE and NODE_OPTIONS, so run it as your program is run.

exit codes: 0 all parts are on; 1 a part is off, or does not serve; 2 wrong options
`;

/** What the tests run. */
const TESTED = [20, 22, 24, 26];

const TRIALS = 3; // requests

const WHAT = {
  responses: 'responses are framed by the addon and sent in one write',
  teardown: 'requests that nobody reads end with their response',
  engine: 'plain requests are read and parsed by the addon',
};

/** @returns {{ name: string, libc: string | null }} */
function platform() {
  const name = `${process.platform} ${process.arch}`;
  if (process.platform !== 'linux') return { name, libc: null };
  const { glibcVersionRuntime } = process.report.getReport().header;
  return { name, libc: glibcVersionRuntime ? `glibc ${glibcVersionRuntime}` : 'musl' };
}

/** Serves a few requests as a program would. @returns {Promise<string | null>} what went wrong */
async function serveSome() {
  const http = require('node:http');
  const server = http.createServer((req, res) => res.end('served'));
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    for (let i = 0; i < TRIALS; i++) {
      const [answer] = await once(
        http.get({ agent, host: '127.0.0.1', port: server.address().port }),
        'response',
      );
      await once(answer.resume(), 'end');
    }
    return null;
  } catch (error) {
    return error.message;
  } finally {
    agent.destroy();
    server.close();
    server.closeAllConnections();
  }
}

/**
 * @param {Record<string, { on: boolean }>} parts
 * @param {Record<string, { fast: number }>} stats
 * @param {string | null} failure
 */
function trialOf(parts, stats, failure) {
  const fast = Object.fromEntries(Object.keys(parts).map((name) => [name, stats[name].fast]));
  const idle = Object.keys(parts).filter((name) => parts[name].on && fast[name] < TRIALS);
  return { requests: TRIALS, fast, idle, failure, passed: failure === null && idle.length === 0 };
}

async function examine() {
  /** @type {{ code: string, message: string }[]} */
  const warnings = [];
  // They are part of the report.
  process.removeAllListeners('warning');
  process.on('warning', ({ code, message }) => warnings.push({ code, message }));

  const onewrite = require('../../index.js');
  const native = require('../native');
  const { parts } = onewrite.install();
  const failure = await serveSome();
  const major = Number.parseInt(process.versions.node, 10);
  return {
    onewrite: require('../../package.json').version,
    node: { version: process.version, path: process.execPath, tested: TESTED.includes(major) },
    platform: platform(),
    addon: { file: native.file, reason: native.reason },
    environment: {
      ONEWRITE: process.env.ONEWRITE ?? null,
      NODE_OPTIONS: process.env.NODE_OPTIONS ?? null,
    },
    parts,
    trial: trialOf(parts, onewrite.stats(), failure),
    warnings: warnings.filter(({ code }) => code !== 'ONEWRITE_UNAVAILABLE'),
  };
}

/** @param {Awaited<ReturnType<typeof examine>>} found */
function hasAllParts({ parts, trial }) {
  return Object.values(parts).every(({ on }) => on) && trial.passed;
}

/** @param {Awaited<ReturnType<typeof examine>>} found */
function formatTrial({ parts, trial: { requests, idle, failure, passed } }) {
  if (failure !== null) return `no request could be served on loopback: ${failure}`;
  if (!Object.values(parts).some(({ on }) => on))
    return `${requests} requests on loopback were served`;
  if (passed) return `${requests} requests on loopback took the fast path of each part that is on`;
  return `not all of ${requests} requests on loopback took the fast path of ${idle.join(', ')}`;
}

function conclusion(found) {
  const off = Object.keys(found.parts).filter((name) => !found.parts[name].on);
  if (off.length === Object.keys(found.parts).length) {
    return "All parts are off: programs run on Node's own code, as without the package.";
  }
  if (off.length > 0) return `Off: ${off.join(', ')}. Node's own code does that work.`;
  return found.trial.passed
    ? 'All parts are on.'
    : 'All parts are on, and do not serve as they should.';
}

/** @param {Awaited<ReturnType<typeof examine>>} found */
function format(found) {
  const { bold, dim, green, red, yellow } = styleFor(process.stdout);
  const { node, platform, addon, environment, parts, warnings } = found;
  const relative = addon.file && path.relative(process.cwd(), addon.file);
  const facts = [
    ['onewrite', found.onewrite],
    ['Node.js', `${node.version}${node.tested ? '' : ` (tested: ${TESTED.join(', ')})`}`],
    ['platform', platform.libc === null ? platform.name : `${platform.name}, ${platform.libc}`],
    ['addon', relative ?? addon.reason],
    ['ONEWRITE', environment.ONEWRITE ?? 'not set: all parts'],
  ];
  if (environment.NODE_OPTIONS) facts.push(['NODE_OPTIONS', environment.NODE_OPTIONS]);
  const states = table(
    Object.entries(parts).map(([name, { on, reason }]) => [
      name,
      on ? 'on' : 'off',
      on ? WHAT[name] : reason,
    ]),
  ).map((line, i) => {
    const { on } = Object.values(parts)[i];
    return line.replace(on ? / on / : / off /, (word) => (on ? green(word) : red(word)));
  });
  return [
    ...table(facts),
    '',
    ...states,
    '',
    dim(formatTrial(found)),
    ...warnings.map(({ message }) => yellow(`warning: ${message}`)),
    '',
    bold(conclusion(found)),
  ].join('\n');
}

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function run(args) {
  const { values, positionals } = parse(args, { json: { type: 'boolean' } }, 'doctor');
  if (positionals.length > 0) throw new Failure(EXIT.USAGE, 'onewrite doctor runs no program');
  const found = await examine();
  console.log(values.json ? JSON.stringify(found) : format(found));
  return hasAllParts(found) ? EXIT.OK : EXIT.OFF;
}

module.exports = { usage, run };
