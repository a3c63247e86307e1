'use strict';

// Child processes that never outlive this one, whichever way it ends.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const os = require('node:os');

/** Ends of the children that run. @type {Set<() => void>} */
const running = new Set();

process.once('exit', () => {
  for (const end of running) end();
});

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => process.exit(128 + os.constants.signals[signal]));
}

/**
 * @param {string[]} command program and arguments
 * @param {number | string | null} core the core to pin the process to, or several (`0,2`), with `taskset`
 * @param {import('node:child_process').StdioOptions} stdio
 * @param {NodeJS.ProcessEnv} [env]
 */
function start(command, core, stdio, env = process.env) {
  const child = spawnPinned(command, core, { stdio, env });
  const end = () => child.kill('SIGKILL');
  running.add(end);
  child.once('exit', () => running.delete(end));
  child.once('error', () => running.delete(end));
  return child;
}

/**
 * Starts a child as the head of a process group: what it starts in turn ends with it.
 * @param {string[]} command program and arguments
 * @param {number | string | null} core as for `start`
 * @param {import('node:child_process').StdioOptions} stdio
 * @param {NodeJS.ProcessEnv} env
 */
function startGroup(command, core, stdio, env) {
  const child = spawnPinned(command, core, { stdio, env, detached: true });
  const end = () => signalGroup(child, 'SIGKILL');
  running.add(end);
  child.once('exit', () => {
    // What outlives the head of its group has nobody left to stop it.
    end();
    running.delete(end);
  });
  child.once('error', () => running.delete(end));
  return child;
}

/**
 * @param {import('node:child_process').ChildProcess} head of a group that `startGroup` made
 * @param {NodeJS.Signals} signal
 */
function signalGroup(head, signal) {
  if (head.pid === undefined) return;
  try {
    process.kill(-head.pid, signal);
  } catch (error) {
    // macOS answers EPERM for one that has ended and was not waited for.
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}

function spawnPinned(command, core, options) {
  // taskset becomes the program it starts, so the child's id and channels are the program's own.
  const pinned = core === null ? command : ['taskset', '-c', String(core), ...command];
  return spawn(pinned[0], pinned.slice(1), options);
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

module.exports = { start, startGroup, signalGroup, death };
