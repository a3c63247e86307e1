'use strict';

// Programs that the tests run in processes of their own.

const { spawn } = require('node:child_process');
const { once } = require('node:events');

/** The environment without what would switch the package or Node another way. */
const plainEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(ONEWRITE|NODE_)/.test(name)),
);

/**
 * Runs a program to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, timeout?: number }} [options] `env` is added to
 *   `plainEnv`; `timeout` in ms, none by default
 * @returns {Promise<{ code: number | null, signal: string | null, stdout: string, stderr: string }>}
 */
async function run(command, args, { env = {}, timeout } = {}) {
  const child = spawn(command, args, {
    env: { ...plainEnv, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
  });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) {
    child[stream].setEncoding('utf8').on('data', (data) => {
      printed[stream] += data;
    });
  }
  const [code, signal] = await once(child, 'close');
  return { code, signal, ...printed };
}

module.exports = { plainEnv, run };
