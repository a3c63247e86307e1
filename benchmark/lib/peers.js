'use strict';

// The frameworks and the other runtimes: packages of benchmark/package.json, installed when they are first needed.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const lock = require('../package-lock.json');

const folder = path.join(__dirname, '..');

/** What Node can start directly; the programs that npm links are scripts around these. */
const binaries = {
  bun: 'bin/bun.exe',
  deno: process.platform === 'win32' ? 'deno.exe' : 'deno',
};

/** @param {string} name of a package */
function isInstalled(name) {
  const place = path.join('node_modules', name);
  const manifest = path.join(folder, place, 'package.json');
  if (!fs.existsSync(manifest)) return false;
  const { version } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
  return version === lock.packages[`node_modules/${name}`].version;
}

/**
 * Installs the packages, at the versions of the lock file, unless they are there.
 * @param {string[]} names
 */
function need(names) {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  console.error(`${missing.join(', ')} not installed: running "npm ci" in ${folder}`);
  // The npm that runs us, if one does, so that both agree on settings and lock file format.
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  execFileSync(command, [...args, 'ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  const absent = missing.filter((name) => !isInstalled(name));
  if (absent.length > 0) throw new Error(`${absent.join(', ')}: not to be had on this platform`);
}

/**
 * @param {string} name of a runtime
 * @returns {string} path of its binary
 */
function binaryOf(name) {
  need([name]);
  return path.join(folder, 'node_modules', name, binaries[name]);
}

module.exports = { need, binaryOf };
