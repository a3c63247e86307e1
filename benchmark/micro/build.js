'use strict';

// `buildHttpMessage` against plain JavaScript, paired in one process.

const { setImmediate: turn } = require('node:timers/promises');
const cli = require('../lib/cli');
const machine = require('../../lib/cli/machine');
const { maskDate } = require('../lib/answers');
const { table } = require('../../lib/cli/table');
const { formatSummary, summarize } = require('../../lib/cli/statistics');
const { freshHeaders } = require('./headers');
const { referenceBuild } = require('./reference');

const spec = {
  headers: cli.integer(6, 0, 1000),
  len: cli.integer(4, 0, 2 ** 20),
  rounds: cli.integer(9, 1, 1000),
};

// Calls. Few, because a server's field values are read right after they were made: still in the caches.
const batchSize = 50;
const roundTime = 150e6; // ns for each side, about

/** @typedef {(status: number, headers: string[], body: string) => Buffer} Build */

/**
 * @param {Build} build
 * @param {string[][]} batch header arrays that nobody has read yet
 * @param {string} body
 * @returns {number} ns for the batch
 */
function time(build, batch, body) {
  let bytes = 0;
  const start = process.hrtime.bigint();
  for (const headers of batch) bytes += build(200, headers, body).length;
  const elapsed = Number(process.hrtime.bigint() - start);
  // The sum must be of use, or the calls could be optimised away.
  if (bytes === 0) throw new Error('nothing was built');
  return elapsed;
}

/**
 * @param {Build[]} builds
 * @param {{ headers: number }} options
 * @param {string} body
 * @returns {Promise<number[]>} ns per call of each
 */
async function measureRound(builds, options, body) {
  const totals = builds.map(() => 0);
  let calls = 0;
  while (totals[0] < roundTime) {
    // Small turns alternate: the collector and whatever else disturbs the process hit both sides alike.
    const order = [...builds.keys()];
    if ((calls / batchSize) % 2) order.reverse();
    for (const b of order) {
      const batch = Array.from({ length: batchSize }, () => freshHeaders(options.headers));
      totals[b] += time(builds[b], batch, body);
    }
    calls += batchSize;
  }
  await turn(); // the timer of the cached date must run
  return totals.map((total) => total / calls);
}

/**
 * @param {Build[]} builds
 * @param {{ headers: number }} options
 * @param {string} body
 */
function checkMessages(builds, options, body) {
  for (let i = 0; i < 100; i++) {
    const headers = freshHeaders(options.headers);
    const [expected, ...others] = builds.map((build) =>
      maskDate(build(200, headers, body).toString('latin1')),
    );
    for (const actual of others) {
      if (actual !== expected) {
        throw new Error(`messages differ:\n${JSON.stringify(expected)}\n${JSON.stringify(actual)}`);
      }
    }
  }
}

/** @param {any} options values of `spec` */
async function run(options) {
  const builds = [referenceBuild, require('../..').buildHttpMessage];
  const body = 'C'.repeat(options.len);
  checkMessages(builds, options, body);
  await measureRound(builds, options, body); // warm-up
  const rounds = [];
  for (let r = 1; r <= options.rounds; r++) {
    rounds.push(await measureRound(builds, options, body));
    process.stderr.write(
      `round ${r}/${options.rounds}: ${rounds.at(-1).map(Math.round).join(' and ')} ns\n`,
    );
  }
  return {
    benchmark: 'micro/build',
    options,
    runtime: `Node ${process.version}`,
    machine: machine.describe(),
    javascript: summarize(rounds.map(([javascript]) => javascript)),
    native: summarize(rounds.map(([, native]) => native)),
    ratio: summarize(rounds.map(([javascript, native]) => native / javascript)),
  };
}

/** @param {Awaited<ReturnType<typeof run>>} result */
function format(result) {
  const { headers, len, rounds } = result.options;
  return [
    `${result.benchmark} headers=${headers} len=${len} rounds=${rounds}`,
    `${result.runtime}, ${result.machine.cpu}, ${result.machine.os}`,
    '',
    ...table([
      ['median (min-max)', 'ns per call', 'ratio'],
      ['JavaScript', formatSummary(result.javascript, 0), ''],
      ['buildHttpMessage', formatSummary(result.native, 0), formatSummary(result.ratio, 3)],
    ]),
  ].join('\n');
}

cli.main(spec, run, format);
