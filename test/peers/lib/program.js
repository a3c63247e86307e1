'use strict';

// A program under test in a process of its own; programs/remote.js is its side of the talk.

const { once } = require('node:events');

const children = require('../../../lib/cli/children');
const { within } = require('./within');

class Program {
  #child;
  #name;
  #death;
  #lastId = 0;
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  #open = new Map();
  #printed = '';

  /**
   * @param {string} name for errors
   * @param {string[]} command
   * @param {NodeJS.ProcessEnv} env
   */
  constructor(name, command, env) {
    this.#name = name;
    this.#child = children.start(command, null, ['ignore', 'pipe', 'pipe', 'ipc'], env);
    this.#death = children.death(this.#child, name);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (data) => {
        this.#printed += data;
      });
    }
    this.#child.on('message', ({ id, result, error }) => {
      const asked = this.#open.get(id);
      this.#open.delete(id);
      if (error === undefined) asked?.resolve(result);
      else asked?.reject(new Error(error));
    });
  }

  get pid() {
    return this.#child.pid;
  }

  /** All that the program has printed, on both streams. */
  get printed() {
    return this.#printed;
  }

  /** Waits, within bounds, for what a program that runs does. */
  async #bounded(promise, what) {
    try {
      return await within(Promise.race([promise, this.#death]), `${this.#name}: ${what}`);
    } catch (error) {
      if (this.#printed !== '') error.message += `\n${this.#name} printed: ${this.#printed}`;
      throw error;
    }
  }

  /** @returns {Promise<any>} where it serves */
  async serving() {
    const first = once(this.#child, 'message').then(([{ ready }]) => ready);
    return this.#bounded(first, 'to serve');
  }

  /** Has the program do something, and gives what it answers. */
  ask(command, argument) {
    const id = ++this.#lastId;
    const answer = new Promise((resolve, reject) => this.#open.set(id, { resolve, reject }));
    this.#child.send({ id, command, argument });
    return this.#bounded(answer, `${command} ${argument ?? ''}`);
  }

  /** Ends the program. @returns {Promise<{ code: number, signal: string, printed: string }>} */
  async end() {
    const closed = once(this.#child, 'close');
    if (this.#child.connected) this.#child.send({ command: 'end' });
    const [code, signal] = await within(closed, `${this.#name} to end`);
    return { code, signal, printed: this.#printed };
  }
}

module.exports = { Program };
