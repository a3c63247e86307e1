'use strict';

// The bench's side of the process that asks; load.js is the other.

const { once } = require('node:events');
const path = require('node:path');
const children = require('./children');
const { EXIT, Failure } = require('./failure');

const script = path.join(__dirname, 'load.js');

/** So large a share of failed requests is no accident. */
const MOST_FAILED = 0.01;

/**
 * @typedef {object} Outcome of one round
 * @property {number} requests answered ones
 * @property {number} seconds
 * @property {Record<string, number>} latency percentiles in ms
 * @property {Record<string, number>} statuses answers by their status
 * @property {Record<string, number>} errors failed requests by what went wrong
 * @property {number} reconnects connections that the server did not keep
 * @property {number} busy share of the time in which the load used its core
 */

/** @param {Outcome} outcome @param {string} name */
function assertAnswered({ requests, errors }, name) {
  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0);
  if (requests > 0 && failed <= MOST_FAILED * requests) return;
  const list = Object.entries(errors).map(([what, count]) => `${what} (${count})`);
  const message = `${name}: requests failed under load: ${list.join(', ') || 'no answer'}`;
  throw new Failure(EXIT.UNANSWERED, message);
}

class LoadProcess {
  #child;
  #death;

  /** @param {number | null} core to pin it to */
  constructor(core) {
    const { NODE_OPTIONS, ...env } = process.env;
    this.#child = children.start([process.execPath, script], core, ['ignore', 2, 2, 'ipc'], env);
    this.#death = children.death(this.#child, 'the load');
  }

  async #command(command, job) {
    this.#child.send({ command, job });
    const [answer] = await Promise.race([once(this.#child, 'message'), this.#death]);
    return answer;
  }

  /**
   * Opens connections, and closes those of the round before.
   * @param {import('./load').Job} job
   */
  async open(job) {
    await this.#command('open', job);
  }

  /**
   * @param {string} name of the server, for the error
   * @returns {Promise<Outcome>}
   * @throws {Failure} when requests failed
   */
  async run(name) {
    const outcome = await this.#command('run');
    assertAnswered(outcome, name);
    return outcome;
  }

  /** A round of which nothing else is measured. */
  async round(job, name) {
    await this.open(job);
    return this.run(name);
  }

  stop() {
    this.#child.kill('SIGKILL');
  }
}

module.exports = { LoadProcess };
