'use strict';
// Says what became of the runs: a line each, and the table of the README.

const { versionOf } = require('../../scripts/package-folder');

/** @typedef {{ fast: number, handedBack: Record<string, number> }} Counters */

/** @returns {Counters & { all: number }} */
const withSum = ({ fast, handedBack }) => ({
  fast,
  handedBack,
  all: Object.values(handedBack).reduce((sum, count) => sum + count, fast),
});

/**
 * The counters at the end of a run.
 * @param {import('./one').Run} run
 * @returns {{ requests: number, responses: Counters, teardown: Counters, engine: Counters }}
 */
function counted(run) {
  const last = run.steps.findLast((step) => step.counted?.stats)?.counted;
  if (!last) return { requests: 0, responses: {}, teardown: {}, engine: {} };
  const { responses, teardown, engine } = last.stats;
  const read = withSum(engine);
  return {
    requests: last.requests,
    responses: withSum(responses),
    teardown: withSum(teardown),
    // Requests that Node itself read are counted by no reason.
    engine: { ...read, all: Math.max(read.all, last.requests) },
  };
}

/** @returns {string[]} the parts that were off, and why */
const off = ({ parts }) =>
  Object.entries(parts ?? {})
    .filter(([, { on }]) => !on)
    .map(([name, { reason }]) => `${name}: ${reason}`);

const percent = ({ fast, all }) => (all ? `${Math.round((100 * fast) / all)}%` : 'none');

/** @param {Counters} counters @returns {string} the reasons, the most frequent first */
const reasons = ({ handedBack = {} }) =>
  Object.entries(handedBack)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ');

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
  for (const part of ['responses', 'teardown', 'engine']) {
    const { fast, all } = counts[part];
    console.log(
      `  ${part}: ${fast} of ${all} fast; handed back: ${reasons(counts[part]) || 'none'}`,
    );
  }
}

/** @returns {string} Markdown */
function table(results) {
  const rows = new Map();
  for (const result of results) {
    const rest = rows.get(result.name) ?? [];
    rows.set(result.name, [...rest, result]);
  }
  const lines = [...rows.values()].map((runs) => {
    const [{ name, packages, folder }] = runs;
    const versions = [...new Set(packages)].map((name) => `${name} ${versionOf(folder, name)}`);
    const differ = runs.filter(({ differences }) => differences.length > 0);
    const verdict =
      differ.length === 0 ? 'same' : `differs on ${differ.map(({ node }) => node).join(', ')}`;
    const shares = (part) => {
      const sum = { fast: 0, all: 0 };
      for (const { counted: counts } of runs) {
        sum.fast += counts[part].fast ?? 0;
        sum.all += counts[part].all ?? 0;
      }
      return percent(sum);
    };
    return `| ${name} | ${versions.join(', ')} | ${runs.map(({ node }) => node).join(', ')} | ${verdict} | ${shares('responses')} | ${shares('engine')} |`;
  });
  return [
    '| case | packages | Node | result | responses | requests |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

module.exports = { counted, off, line, table };
