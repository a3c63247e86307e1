'use strict';
// What a request costs with the package, by `onewrite bench` of the server of a case:
//   node test/ecosystem/measure.js [--node LIST] [--case LIST]
// Keeps the results in cpu.json, which the table shows. One at a time: nothing else may run meanwhile.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { parseArgs } = require('node:util');

const { CannotRun } = require('../node-core/cannot-run');
const { chosenCases, chosenNodes } = require('./cases');
const results = require('./cpu');
const { install } = require('./packages');

const ROOT = path.join(__dirname, '..', '..');
const BENCH = path.join(ROOT, 'bin', 'onewrite.js');
const SERVE = path.join(__dirname, 'child', 'serve.js');

/** @param {string} bin the Node binary @param {import('./cases').Case} item @returns {results.Measured} */
function measure(bin, { file, args = [], env = {}, measured: { target, headers } }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ecosystem-'));
  const fields = Object.entries(headers).flatMap(([name, value]) => [
    '--header',
    `${name}: ${value}`,
  ]);
  const options = ['--json', '--duration', '0.5', '--url', target, ...fields];
  const command = [BENCH, 'bench', ...options, '--', bin, ...args, SERVE, file, folder];
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, command, {
      cwd: folder,
      env: { ...process.env, NODE_ENV: 'production', ...env },
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    if (status !== 0) throw new CannotRun(`${path.basename(file)}: ${stderr.trim()}`);
    const { node, ratio } = JSON.parse(stdout);
    const { median, low, high } = ratio.cpuPerRequest;
    return { node, median, low, high };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function main() {
  const { values } = parseArgs({ options: { node: { type: 'string' }, case: { type: 'string' } } });
  const cases = chosenCases(values).filter(({ measured }) => measured !== null);
  install(cases);
  for (const { major, bin } of chosenNodes(values)) {
    for (const item of cases.filter((each) => each.nodes.includes(major))) {
      const result = measure(bin, item);
      results.keep(item.name, result);
      console.log(`${item.name} on ${result.node}: ${results.text(result)}`);
    }
  }
}

try {
  main();
} catch (error) {
  console.error(error instanceof CannotRun ? `error: ${error.message}` : error);
  process.exit(2);
}
