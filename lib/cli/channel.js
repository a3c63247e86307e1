'use strict';

// The bench's end of the sockets over which the processes of a program report (see agent.js).

const { EventEmitter, once } = require('node:events');
const net = require('node:net');
const readline = require('node:readline');

/** A process that does not answer for so long is blocked by what it waits for. */
const PATIENCE = 2000; // ms

/**
 * @typedef {object} Usage totals since the start of a process
 * @property {{ user: number, system: number } | null} cpu µs; null of a thread beside the main one
 * @property {number | null} memory bytes
 * @property {ReturnType<import('../stats').snapshot> | null} stats null without the package
 * @property {Record<string, { on: boolean, reason: string | null }> | null} parts
 */

/** One process, or one thread of it. */
class Reporter {
  #socket;
  #messages = new EventEmitter();
  isOpen = true;
  /** Whether it let a request for its usage wait for too long. */
  isSilent = false;
  serves = false;

  constructor(socket, onMessage) {
    this.#socket = socket;
    socket.on('error', () => {});
    socket.once('close', () => {
      this.isOpen = false;
      this.#messages.emit('usage', null);
    });
    readline.createInterface({ input: socket }).on('line', (line) => {
      const message = JSON.parse(line);
      if (message.type === 'listening') this.serves ||= message.kind === 'http';
      this.#messages.emit(message.type, message);
      onMessage(message);
    });
  }

  close() {
    this.#socket.destroy();
  }

  /** @returns {Promise<Usage | null>} null when it has ended, or does not answer */
  async usage() {
    if (!this.isOpen || this.isSilent) return null;
    const signal = AbortSignal.timeout(PATIENCE);
    this.#socket.write('\n');
    try {
      const [usage] = await once(this.#messages, 'usage', { signal });
      return usage;
    } catch (error) {
      if (!signal.aborted) throw error;
      this.isSilent = true;
      return null;
    }
  }
}

/** Emits what the processes of one program report, by its type. */
class Channel extends EventEmitter {
  #server;
  /** @type {Set<Reporter>} */
  reporters = new Set();

  /** @param {string} path of the socket */
  constructor(path) {
    super();
    this.path = path;
    this.#server = net.createServer((socket) => {
      this.reporters.add(new Reporter(socket, (message) => this.emit(message.type, message)));
    });
  }

  async open() {
    await once(this.#server.listen(this.path), 'listening');
  }

  /** @returns {Promise<Map<Reporter, Usage>>} of those that run and answer */
  async usages() {
    const pairs = await Promise.all(
      [...this.reporters].map(async (reporter) => [reporter, await reporter.usage()]),
    );
    return new Map(pairs.filter(([, usage]) => usage !== null));
  }

  /** Ends it; a process that is still there ends itself. */
  close() {
    this.#server.close();
    for (const reporter of this.reporters) reporter.close();
  }
}

module.exports = { Channel };
