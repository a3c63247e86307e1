'use strict';
// The ecosystem suite: the packages that people run, on stock Node and with the package preloaded.
//   node test/ecosystem/run.js [options]
// README.md in this folder lists the options.

const fs = require('node:fs');
const { parseArgs } = require('node:util');

const { CannotRun } = require('../node-core/cannot-run');
const { chosenCases, chosenNodes } = require('./cases');
const { difference } = require('./compare');
const { runOnce } = require('./one');
const { install } = require('./packages');
const report = require('./report');

// Exit codes.
const DIFFERENCES = 1;
const NOTHING_PROVEN = 2;

function options() {
  const { values } = parseArgs({
    options: {
      node: { type: 'string' },
      case: { type: 'string' },
      smoke: { type: 'boolean', default: false },
      jobs: { type: 'string', default: '2' },
      json: { type: 'string' },
      table: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      'stock-twice': { type: 'boolean', default: false },
    },
  });
  const jobs = Number(values.jobs);
  if (!(Number.isInteger(jobs) && jobs > 0)) throw new CannotRun('--jobs takes a number');
  return { ...values, jobs, stockTwice: values['stock-twice'] };
}

/** Both runs of a case, once with nothing but the program and once with each event noted. */
async function judge({ item, node }, { stockTwice }) {
  const result = {
    name: item.name,
    packages: item.packages,
    folder: item.folder,
    node: node.major,
    differences: [],
    off: [],
  };
  for (const watched of item.watchable ? [false, true] : [false]) {
    const stock = await runOnce(node.bin, item, { preload: false, watched });
    const other = await runOnce(node.bin, item, { preload: !stockTwice, watched });
    const found = difference(stock, other);
    if (found !== null) result.differences.push(`${watched ? 'watched' : 'plain'}: ${found}`);
    // What a program takes that nobody watches.
    if (!watched) {
      result.steps = stock.steps.length;
      result.counted = report.counted(other);
      result.off = report.off(other);
    }
    result.ms = (result.ms ?? 0) + stock.ms + other.ms;
  }
  return result;
}

/** Does the jobs, so many at a time, and gives the results in their order. */
async function inLanes(count, jobs, action) {
  const results = [];
  const waiting = jobs.entries();
  const lane = async () => {
    for (const [i, job] of waiting) results[i] = await action(job);
  };
  await Promise.all(Array.from({ length: count }, lane));
  return results;
}

async function main() {
  const chosen = options();
  const cases = chosenCases(chosen);
  const jobs = cases.flatMap((item) =>
    chosenNodes(chosen)
      .filter(({ major }) => item.nodes.includes(major))
      .map((node) => ({ item, node })),
  );
  if (jobs.length === 0) throw new CannotRun('no case is for these versions of Node');
  install(cases);

  const start = performance.now();
  const results = await inLanes(chosen.jobs, jobs, async (job) => {
    const result = await judge(job, chosen);
    report.line(result, chosen);
    return result;
  });
  const failed = results.filter((result) => result.differences.length > 0);
  if (chosen.json) fs.writeFileSync(chosen.json, JSON.stringify(results, null, 1));
  if (chosen.table) console.log(report.table(results));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `ecosystem: ${results.length} runs of ${cases.length} cases, ${failed.length} differ, ${seconds} s`,
  );
  if (failed.length > 0) process.exitCode = DIFFERENCES;
  // When nothing of what the cases do was fast, it was not the package that ran.
  const idle = ({ counted }) => !counted.responses.fast && !counted.engine.fast;
  if (!chosen.stockTwice && results.every(idle)) {
    throw new CannotRun('nothing took the fast path: nothing is proven');
  }
}

main().catch((error) => {
  console.error(error instanceof CannotRun ? `error: ${error.message}` : error);
  process.exit(NOTHING_PROVEN);
});
