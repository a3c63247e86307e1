'use strict';
// Says what became of the runs: a line each, and the table of the README.

const { installed } = require('../../scripts/package-folder');
const cpu = require('./cpu');

const PARTS = ['responses', 'teardown', 'engine'];

/**
 * @typedef {object} Counters
 * @property {number} fast
 * @property {number} all
 * @property {Record<string, { count: number, titles: string[] }>} handedBack by reason, with the steps
 */

/** @returns {Counters} */
const none = () => ({ fast: 0, all: 0, handedBack: {} });

/** Adds what a part counted in a step. */
function add(counters, { fast, handedBack }, before, title) {
  counters.fast += fast - (before?.fast ?? 0);
  counters.all += fast - (before?.fast ?? 0);
  for (const [reason, sum] of Object.entries(handedBack)) {
    const count = sum - (before?.handedBack[reason] ?? 0);
    if (count === 0) continue;
    counters.all += count;
    const known = (counters.handedBack[reason] ??= { count: 0, titles: [] });
    known.count += count;
    known.titles.push(title);
  }
}

/**
 * What the parts counted in the steps of a run, but for those that were taken aside.
 * @param {import('./one').Run} run
 * @returns {{ responses: Counters, teardown: Counters, engine: Counters }}
 */
function counted(run) {
  const counters = { responses: none(), teardown: none(), engine: none() };
  let before = null;
  let requests = 0;
  for (const { title, aside, counted: now } of run.steps) {
    if (!now?.stats) continue;
    if (!aside) {
      for (const part of PARTS) add(counters[part], now.stats[part], before?.stats[part], title);
      requests += now.requests - (before?.requests ?? 0);
    }
    before = now;
  }
  // Requests that Node itself read are counted by no reason.
  counters.engine.all = Math.max(counters.engine.all, requests);
  return counters;
}

/** @returns {string[]} the parts that were off, and why */
const off = ({ parts }) =>
  Object.entries(parts ?? {})
    .filter(([, { on }]) => !on)
    .map(([name, { reason }]) => `${name}: ${reason}`);

const percent = ({ fast, all }) => `${all ? Math.round((100 * fast) / all) : 0}%`;

/** @param {Counters} counters @returns {string} the reasons, the most frequent first */
const reasons = ({ handedBack }) =>
  Object.entries(handedBack)
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([reason, { count, titles }]) => `\n    ${reason} ${count}: ${titles.join('; ')}`)
    .join('');

function line(result, { verbose, stockTwice }) {
  const { name, node, steps, differences, counted: counts, off: reasonsOff, ms } = result;
  const verdict = differences.length === 0 ? 'same   ' : 'DIFFERS';
  const share = stockTwice
    ? ''
    : `, fast: responses ${percent(counts.responses)}, engine ${percent(counts.engine)}`;
  console.log(`${verdict} ${name} on Node ${node}: ${steps} steps, ${ms} ms${share}`);
  for (const text of differences) console.log(`  ${text}`);
  for (const text of reasonsOff) console.log(`  off: ${text}`);
  if (!verbose) return;
  for (const part of PARTS) {
    const { fast, all } = counts[part];
    console.log(`  ${part}: ${fast} of ${all} fast${reasons(counts[part])}`);
  }
}

/** @returns {string} the packages of a case as they are installed */
function versions({ folder, packages }) {
  const told = packages.map((name) => installed(folder, name));
  return told.map(({ name, version }) => `${name} ${version}`).join(', ');
}

/** @returns {string} the share of all runs */
function share(runs, part) {
  const sum = { fast: 0, all: 0 };
  for (const { counted: counts } of runs) {
    sum.fast += counts[part].fast;
    sum.all += counts[part].all;
  }
  return percent(sum);
}

/** @returns {string} Markdown, a line for each case */
function table(results) {
  const names = [...new Set(results.map(({ name }) => name))];
  const lines = names.map((name) => {
    const runs = results.filter((result) => result.name === name);
    const differ = runs.filter(({ differences }) => differences.length > 0);
    const majors = (some) => some.map(({ node }) => node).join(', ');
    const verdict = differ.length === 0 ? 'same' : `differs on ${majors(differ)}`;
    const cells = [versions(runs[0]), majors(runs), verdict];
    const shares = [share(runs, 'responses'), share(runs, 'engine')];
    return `| ${[...cells, ...shares, cpu.cell(name)].join(' | ')} |`;
  });
  return [
    '| packages | Node | result | responses | requests | CPU |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

module.exports = { counted, off, line, table };
