'use strict';

// Runs the JavaScript tests on every Node binary that runs here (see test/nodes).
//
//   node scripts/test-js.js [--node MAJOR]... [--skip-once] [FILE]...
//
// Files restrict the run to these, --node to these versions.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');

const nodes = require('../test/nodes');
const lists = require('./test-files.js');

const root = path.join(__dirname, '..');

/** Fails if the lists and the test folder disagree, in either direction. */
function checkLists() {
  const listed = Object.values(lists).flat();
  const present = fs
    .readdirSync(path.join(root, 'test'), { recursive: true })
    .map((file) => path.posix.join('test', file.split(path.sep).join('/')))
    .filter((file) => /\.test\.[cm]?js$/.test(file) && !file.includes('/node_modules/'));
  const problems = [
    ...present.filter((file) => !listed.includes(file)).map((file) => `${file} is not listed`),
    ...listed.filter((file) => !present.includes(file)).map((file) => `${file} does not exist`),
    ...listed
      .filter((file, index) => listed.indexOf(file) !== index)
      .map((file) => `${file} is listed twice`),
  ];
  if (problems.length > 0) {
    console.error(`scripts/test-files.js must name every test file:\n  ${problems.join('\n  ')}`);
    process.exit(1);
  }
}

function runOn(bin, files) {
  if (files.length === 0) return true;
  const start = Date.now();
  const version = spawnSync(bin, ['--version'], { encoding: 'utf8' }).stdout.trim();
  console.log(`\n--- Node ${version}: ${files.join(' ')}`);
  const { status, error } = spawnSync(bin, ['--test', '--test-reporter=spec', ...files], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error) throw error;
  console.log(
    `--- Node ${version}: exit ${status} after ${((Date.now() - start) / 1000).toFixed(1)} s`,
  );
  return status === 0;
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      node: { type: 'string', multiple: true },
      'skip-once': { type: 'boolean', default: false },
    },
  });
  checkLists();
  nodes.install();
  const wanted = positionals.map((file) =>
    path.relative(root, path.resolve(file)).split(path.sep).join('/'),
  );
  const unknown = wanted.filter((file) => !Object.values(lists).flat().includes(file));
  if (unknown.length > 0) throw new Error(`not a listed test file: ${unknown.join(', ')}`);
  const select = (files) => files.filter((file) => wanted.length === 0 || wanted.includes(file));
  const failed = [];
  if (!values['skip-once'] && !runOn(process.execPath, select(lists.once))) {
    failed.push(`the tests that run once`);
  }
  const binaries = nodes.binaries();
  for (const [i, { major, bin }] of binaries.entries()) {
    if (values.node && !values.node.includes(String(major))) continue;
    const isEnd = i === 0 || i === binaries.length - 1;
    const files = [...lists.everyNode, ...(isEnd ? lists.ends : [])];
    if (!runOn(bin, select(files))) failed.push(`Node ${major}`);
  }
  if (failed.length > 0) {
    console.error(`\nJavaScript tests failed: ${failed.join(', ')}`);
    process.exit(1);
  }
}

main();
