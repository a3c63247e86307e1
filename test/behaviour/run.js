'use strict';
// Runs every case once in this process and prints the results as JSON. What the process runs on (stock Node, or the
// package preloaded with `-r register.js`) was decided by its command line.
//
//   node [-r ../../register.js] test/behaviour/run.js [--only TEXT] [--human] [FOLDER|FILE]
//
// The cases are those of test/behaviour/cases, or of another folder or file. A case says with
// `together` how many such cases of its file may run at the same time; they run before the others.

const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const { Scenario, plain } = require('./scenario');

const ROOT = path.join(__dirname, '..', '..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    human: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const { human, only } = values;
const CASES = path.resolve(positionals[0] ?? path.join(__dirname, 'cases'));
const FILES = CASES.endsWith('.js')
  ? [CASES]
  : fs
      .readdirSync(CASES)
      .sort()
      .map((name) => path.join(CASES, name));

const NONE = { fast: 0, handedBack: {} };
const installed = Object.keys(require.cache).includes(path.join(ROOT, 'register.js'));
// On stock Node the package must not even be loaded.
const stats = installed ? require(ROOT).stats : () => ({ responses: NONE });

let current = null;
process.on('uncaughtException', (error) => {
  if (!current) throw error;
  current.scenario.onUncaught(error);
});
process.on('unhandledRejection', (error) => {
  if (!current) throw error;
  current.scenario.fail(error);
});
process.on('warning', (warning) => {
  current?.warnings.push(plain(warning));
});

/** What a part counted between two looks, and so many more; all parts give copies of their counters. */
function counted(before = NONE, after = NONE, elsewhere = 0) {
  const handedBack = {};
  for (const [reason, count] of Object.entries(after.handedBack)) {
    const more = count - (before.handedBack[reason] ?? 0);
    if (more !== 0) handedBack[reason] = more;
  }
  return { fast: after.fast - before.fast + elsewhere, handedBack };
}

async function runCase(file, item) {
  const scenario = new Scenario();
  const warnings = [];
  if (!item.together) current = { scenario, warnings };
  const before = stats();
  const start = process.hrtime.bigint();
  let error = null;
  try {
    await scenario.run((t) => item.run(t), item.limit);
  } catch (reason) {
    error = String(reason?.stack ?? reason);
  }
  // A tick's worth of events may still belong to this case, such as a warning.
  await new Promise((resolve) => setImmediate(resolve));
  const after = stats();
  return {
    file,
    name: item.name,
    path: item.path,
    native: item.native,
    ok: error === null,
    error,
    transcript: { ...scenario.transcript, warnings },
    near: scenario.nearly,
    responses: scenario.responses,
    stats: counted(before.responses, after.responses),
    engine: counted(before.engine, after.engine, scenario.native),
    ms: Number((process.hrtime.bigint() - start) / 1_000_000n),
  };
}

/** Runs several cases at the same time, and gives their results in the order of the cases. */
async function runTogether(file, items) {
  const results = [];
  const waiting = items.entries();
  const lane = async () => {
    for (const [i, item] of waiting) results[i] = await runCase(file, item);
  };
  await Promise.all(Array.from({ length: items[0]?.together ?? 0 }, lane));
  return results;
}

function show({ file, name, path: lane, ok, error, stats: responses, engine, ms }) {
  const { fast, handedBack } = responses;
  const counts = `  [${lane ?? ''}] fast ${fast} ${JSON.stringify(handedBack)} native ${engine.fast}`;
  const outcome = `${ok ? 'ok    ' : 'FAILED'} ${String(ms).padStart(5)} ms`;
  console.log(`${outcome}  ${file}: ${name}${installed ? counts : ''}`);
  if (!ok) console.log(error.split('\n').slice(0, 5).join('\n').replace(/^/gm, '    '));
}

async function main() {
  const results = [];
  for (const full of FILES) {
    const file = path.basename(full);
    const items = require(full).filter(({ name }) => name.includes(only) || file.includes(only));
    const together = items.filter((item) => item.together);
    results.push(...(await runTogether(file, together)));
    for (const item of items.filter((each) => !each.together)) {
      results.push(await runCase(file, item));
    }
  }
  current = null;
  if (human) results.forEach(show);
  const report = human
    ? `${results.length} cases, ${results.filter((result) => !result.ok).length} failed\n`
    : JSON.stringify({ node: process.version, installed, results });
  process.stdout.write(report, () => process.exit(results.every((result) => result.ok) ? 0 : 1));
}

main();
