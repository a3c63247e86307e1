'use strict';

// Finds and loads the addon, or says why it cannot.

const path = require('node:path');

/**
 * The platform suffixes to try, the likelier first. A glibc build does not
 * load under musl, nor the other way round, so that trying tells them apart.
 * @returns {string[]}
 */
function suffixes() {
  const base = `${process.platform}-${process.arch}`;
  if (process.platform === 'linux') return [`${base}-gnu`, `${base}-musl`];
  if (process.platform === 'win32') return [`${base}-msvc`];
  return [base];
}

/**
 * Loads the addon that was built beside the package, else that of the
 * platform's own package.
 * @returns {{ addon: object | null, reason: string | null }} one of them is null
 */
function load() {
  const failures = [];
  for (const suffix of suffixes()) {
    for (const id of [
      path.join(__dirname, '..', `onewrite.${suffix}.node`),
      `onewrite-${suffix}`,
    ]) {
      try {
        return { addon: require(id), reason: null };
      } catch (error) {
        // What was not found says less than what was found and did not load.
        const absent = error.code === 'MODULE_NOT_FOUND';
        failures[absent ? 'push' : 'unshift'](error.message.split('\n', 1)[0]);
      }
    }
  }
  return { addon: null, reason: `the native addon did not load: ${failures[0]}` };
}

const { addon, reason } = load();

/** The exports of the addon, null when it did not load. */
exports.addon = addon;

/** Why the addon did not load, null when it did. @type {string | null} */
exports.reason = reason;
