'use strict';

// The harness's side of a server under test; server-child.js is the other.

const { once } = require('node:events');
const path = require('node:path');
const children = require('../../lib/cli/children');

const childScript = path.join(__dirname, 'server-child.js');
const patience = 30_000; // ms

/**
 * @typedef {object} Usage the server's totals since its start
 * @property {{ user: number, system: number }} cpu µs
 * @property {{ fast: number, handedBack: { [reason: string]: number } } | null} responses
 */

/** A workload's server in a process of its own. */
class ServerProcess {
  #child;

  /**
   * @param {import('./variants').Variant} variant
   * @param {string} workload path of the workload's module
   * @param {object} options the workload's options
   * @param {number | null} core the core to pin it to
   */
  constructor(variant, workload, options, core) {
    this.name = variant.name;
    /** Whether it is `node:http` of Node, which answers with the same bytes always. */
    this.node = variant.node;
    /** Whether it counts the responses by the fast path. */
    this.counts = variant.stats !== null;
    this.port = 0;
    this.runtime = '';
    const { stats, canned } = variant;
    const job = JSON.stringify({ workload, options, stats, canned });
    // What the server prints goes to stderr: stdout is for the result.
    const stdio = /** @type {const} */ (['ignore', 2, 2, 'ipc']);
    const env = { ...process.env, ONEWRITE: variant.parts };
    this.#child = children.start([...variant.command, childScript, job], core, stdio, env);
    /** Rejects when the process ends; never resolves. */
    this.death = children.death(this.#child, `the ${this.name} server`);
  }

  /** Resolves once the server listens. */
  async listening() {
    const { port, runtime } = await this.#message();
    this.port = port;
    this.runtime = runtime;
  }

  /** @returns {Promise<Usage>} */
  measure() {
    this.#child.send('measure');
    return this.#message();
  }

  stop() {
    this.#child.kill('SIGKILL');
  }

  async #message() {
    const signal = AbortSignal.timeout(patience);
    const silence = once(this.#child, 'message', { signal }).catch((error) => {
      if (!signal.aborted) throw error;
      throw new Error(`the ${this.name} server was silent for ${patience / 1000} s`);
    });
    const [message] = await Promise.race([silence, this.death]);
    return message;
  }
}

module.exports = { ServerProcess };
