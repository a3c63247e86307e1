'use strict';

// The frameworks and the other runtimes: packages of benchmark/package.json, installed when they are first needed.

const path = require('node:path');

const packages = require('../../scripts/package-folder');

const folder = path.join(__dirname, '..');

/** What Node can start directly; the programs that npm links are scripts around these. */
const binaries = {
  bun: 'bin/bun.exe',
  deno: process.platform === 'win32' ? 'deno.exe' : 'deno',
};

/** @param {string[]} names of packages that are installed unless they are there */
const need = (names) => packages.need(folder, names);

/**
 * @param {string} name of a runtime
 * @returns {string} path of its binary
 */
function binaryOf(name) {
  need([name]);
  return path.join(folder, 'node_modules', name, binaries[name]);
}

module.exports = { need, binaryOf };
