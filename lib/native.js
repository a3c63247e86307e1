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

/** What this version of the package calls. */
const FUNCTIONS = ['bind', 'build', 'renderHead', 'second', 'send', 'sendFramed'];
if (process.platform !== 'win32') {
  FUNCTIONS.push(
    'engineStart',
    'adopt',
    'leave',
    'watch',
    'hold',
    'take',
    'read',
    'skip',
    'cork',
    'uncaught',
  );
}

/** @throws {Error} when the addon is of another version than the package */
function assertVersion(addon) {
  const absent = FUNCTIONS.filter((name) => typeof addon[name] !== 'function');
  if (absent.length > 0) throw new Error(`it is of another version, without ${absent}`);
}

/**
 * Loads the addon that was built beside the package, else that of the
 * platform's own package.
 * @returns {{ addon: object | null, file: string | null, reason: string | null }} `reason` where the others are null
 */
function load() {
  const absent = [];
  const broken = [];
  for (const suffix of suffixes()) {
    const file = path.join(__dirname, '..', `onewrite.${suffix}.node`);
    for (const id of [file, `onewrite-${suffix}`]) {
      try {
        const addon = require(id);
        assertVersion(addon);
        // A copy: what Node-API makes has its properties in a table, which takes longer to read.
        return { addon: { ...addon }, file: require.resolve(id), reason: null };
      } catch (error) {
        const failures = error.code === 'MODULE_NOT_FOUND' ? absent : broken;
        failures.push(error.message.split('\n', 1)[0]);
      }
    }
  }
  // What is there and does not load says more than what is not there.
  const reason = `the native addon did not load: ${[...broken, ...absent][0]}`;
  return { addon: null, file: null, reason };
}

const { addon, file, reason } = load();

/** The exports of the addon, null when it did not load. */
exports.addon = addon;

/** Where it was found. @type {string | null} */
exports.file = file;

/** Why the addon did not load, null when it did. @type {string | null} */
exports.reason = reason;
