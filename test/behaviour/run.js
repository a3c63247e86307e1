'use strict';
// Runs every case once in this process and prints the results as JSON. What the process runs on (stock Node, or the
// package preloaded with `-r register.js`) was decided by its command line.
//
//   node [-r ../../register.js] test/behaviour/run.js [--only TEXT] [--human]

const fs = require('node:fs');
const path = require('node:path');
const { Scenario, plain } = require('./scenario');

const ROOT = path.join(__dirname, '..', '..');
const CASES = path.join(__dirname, 'cases');

const args = process.argv.slice(2);
const human = args.includes('--human');
const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : '';

const installed = Object.keys(require.cache).includes(path.join(ROOT, 'register.js'));
// On stock Node the package must not even be loaded.
const stats = installed ? require(ROOT).stats : () => ({ responses: { fast: 0, handedBack: {} } });

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

function counted(before, after) {
  const handedBack = {};
  for (const [reason, count] of Object.entries(after.responses.handedBack)) {
    const more = count - (before.responses.handedBack[reason] ?? 0);
    if (more !== 0) handedBack[reason] = more;
  }
  return { fast: after.responses.fast - before.responses.fast, handedBack };
}

function snapshot() {
  const { fast, handedBack } = stats().responses;
  return { responses: { fast, handedBack: { ...handedBack } } };
}

async function runCase(file, item) {
  const scenario = new Scenario();
  const warnings = [];
  current = { scenario, warnings };
  const before = snapshot();
  const start = process.hrtime.bigint();
  let error = null;
  try {
    await scenario.run((t) => item.run(t));
  } catch (reason) {
    error = String(reason?.stack ?? reason);
  }
  // A tick's worth of events may still belong to this case, such as a warning.
  await new Promise((resolve) => setImmediate(resolve));
  return {
    file,
    name: item.name,
    path: item.path,
    ok: error === null,
    error,
    transcript: { ...scenario.transcript, warnings },
    responses: scenario.responses,
    stats: counted(before, snapshot()),
    ms: Number((process.hrtime.bigint() - start) / 1_000_000n),
  };
}

async function main() {
  const results = [];
  for (const file of fs
    .readdirSync(CASES)
    .filter((name) => name.endsWith('.js'))
    .sort()) {
    for (const item of require(path.join(CASES, file))) {
      if (!item.name.includes(only) && !file.includes(only)) continue;
      const result = await runCase(file, item);
      results.push(result);
      if (human) {
        const { fast, handedBack } = result.stats;
        console.log(
          `${result.ok ? 'ok    ' : 'FAILED'} ${String(result.ms).padStart(5)} ms  ${file}: ${item.name}` +
            (installed ? `  [${item.path}] fast ${fast} ${JSON.stringify(handedBack)}` : ''),
        );
        if (!result.ok)
          console.log(result.error.split('\n').slice(0, 5).join('\n').replace(/^/gm, '    '));
      }
    }
  }
  current = null;
  const report = human
    ? `${results.length} cases, ${results.filter((result) => !result.ok).length} failed\n`
    : JSON.stringify({ node: process.version, installed, results });
  process.stdout.write(report, () => process.exit(results.every((result) => result.ok) ? 0 : 1));
}

main();
