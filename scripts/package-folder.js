'use strict';

// Packages that only some tests and benchmarks need: folders with a lock file of their own, installed on first use.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

/** @returns {Record<string, { version: string }>} what the lock file of the folder names, by place */
function lockOf(folder) {
  return JSON.parse(fs.readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages;
}

/**
 * @param {string} folder
 * @param {string} name of a package in it, which may be an alias
 * @returns {{ name: string, version: string } | undefined} what is installed
 */
function installed(folder, name) {
  const manifest = path.join(folder, 'node_modules', name, 'package.json');
  return fs.existsSync(manifest) ? JSON.parse(fs.readFileSync(manifest, 'utf8')) : undefined;
}

/**
 * @param {string} folder
 * @param {string[]} names of packages
 * @returns {string[]} those that are not there at the version of the lock file
 */
function missing(folder, names) {
  const lock = lockOf(folder);
  return names.filter((name) => {
    const wanted = lock[`node_modules/${name}`]?.version;
    return wanted === undefined || installed(folder, name)?.version !== wanted;
  });
}

/**
 * Installs the packages of a folder, at the versions of its lock file, unless they are there.
 * @param {string} folder
 * @param {string[]} names what must be there
 * @param {string[]} [options] of `npm ci`
 * @throws {Error} when one of them is not to be had
 */
function need(folder, names, options = []) {
  const absent = missing(folder, names);
  if (absent.length === 0) return;
  console.error(`${absent.join(', ')} not installed: running "npm ci" in ${folder}`);
  // The npm that runs us, if one does, so that both agree on settings and lock file format.
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  execFileSync(command, [...args, 'ci', '--no-audit', '--no-fund', ...options], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  const still = missing(folder, names);
  if (still.length > 0) throw new Error(`${still.join(', ')}: not to be had on this platform`);
}

module.exports = { installed, missing, need };
