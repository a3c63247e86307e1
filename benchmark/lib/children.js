'use strict';

// Child processes that never outlive this one, whichever way it ends.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const os = require('node:os');

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => process.exit(128 + os.constants.signals[signal]));
}

/**
 * @param {string[]} command program and arguments
 * @param {number | null} core the core to pin the process to, with `taskset`
 * @param {import('node:child_process').StdioOptions} stdio
 * @param {NodeJS.ProcessEnv} [env]
 */
function start(command, core, stdio, env = process.env) {
  // taskset becomes the program it starts, so the child's id and channels are the program's own.
  const pinned = core === null ? command : ['taskset', '-c', String(core), ...command];
  const child = spawn(pinned[0], pinned.slice(1), { stdio, env });
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return child;
}

/**
 * Rejects when a child ends; never resolves. Nobody need wait for it.
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} name what it is, for the error
 * @returns {Promise<never>}
 */
function death(child, name) {
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${name} ended (${signal ?? `exit code ${code}`})`);
  });
  ended.catch(() => {});
  return ended;
}

module.exports = { start, death };
