'use strict';

// One run of the user's program: where it listens, what it uses, and its end.

const { once } = require('node:events');
const path = require('node:path');
const { setTimeout: delay } = require('node:timers/promises');
const { Channel } = require('./channel');
const children = require('./children');
const { EXIT, Failure } = require('./failure');

const agent = path.join(__dirname, 'agent.js');
const register = path.join(__dirname, '..', '..', 'register.js');

/** What it printed last is kept, to be shown when it fails. */
const KEPT = 4000; // characters

/** It is asked to end, and made to after so long. */
const GRACE = 2000; // ms

/** How long its pipes may take to close behind it. */
const FLUSH = 500; // ms

/** What a server speaks, by its kind. */
const PROTOCOLS = {
  http: 'HTTP',
  https: 'HTTPS (TLS is left to Node)',
  other: 'another protocol',
};

/** @param {number} ms @param {Promise<any>} event */
function within(ms, event) {
  return Promise.race([event, delay(ms, undefined, { ref: false })]);
}

/**
 * @typedef {object} Side
 * @property {'stock' | 'onewrite'} name
 * @property {boolean} preloads whether the package is preloaded
 */

/** @type {Side[]} what is compared; the first is the base */
const SIDES = [
  { name: 'stock', preloads: false },
  { name: 'onewrite', preloads: true },
];

/** @param {string} file @returns {string} an option of NODE_OPTIONS that preloads it */
function preloading(file) {
  return `-r "${file.replace(/[\\"]/g, '\\$&')}"`;
}

/**
 * @param {Side} side
 * @param {string} channel
 * @param {boolean} keepsPorts
 * @returns {NodeJS.ProcessEnv}
 */
function environmentOf(side, channel, keepsPorts) {
  const { ONEWRITE_DEBUG, ...env } = process.env;
  const options = [env.NODE_OPTIONS, side.preloads && preloading(register), preloading(agent)];
  env.NODE_OPTIONS = options.filter(Boolean).join(' ');
  // The program may switch the package on by itself.
  if (!side.preloads) env.ONEWRITE = 'off';
  env.ONEWRITE_BENCH_CHANNEL = channel;
  env.ONEWRITE_BENCH_PORTS = keepsPorts ? 'keep' : 'free';
  return env;
}

/** The loopback address on which a server that listens on `address` is reached. */
function hostOf(address) {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1';
  return address;
}

class Program {
  #child;
  #channel;
  #options;
  #output = '';
  /** Where it listens, as it reports it. */
  #servers = [];

  /**
   * @param {Side} side
   * @param {string} socket path for its channel
   * @param {object} options
   * @param {string[]} options.command
   * @param {number} options.timeout seconds until it has to listen
   * @param {number | null} options.port the one it asks for whose server is driven; null for the first server
   * @param {boolean} options.oneAtATime whether it keeps the ports it asks for
   * @param {string | null} cores to pin it to
   */
  constructor(side, socket, options, cores) {
    this.name = side.name;
    this.#options = options;
    this.#channel = new Channel(socket);
    this.start = () => this.#start(side, cores);
  }

  /**
   * Resolves once it listens.
   * @throws {Failure}
   */
  async #start(side, cores) {
    const { command, oneAtATime } = this.#options;
    await this.#channel.open();
    this.#channel.on('listening', (server) => this.#servers.push(server));
    this.#channel.once('hello', ({ node }) => (this.node = node));
    const env = environmentOf(side, this.#channel.path, oneAtATime);
    this.#child = children.startGroup(command, cores, ['ignore', 'pipe', 'pipe'], env);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.#output = (this.#output + text).slice(-KEPT);
      });
    }
    /** Rejects when it ends; never resolves. @type {Promise<never>} */
    this.death = this.#die();
    this.death.catch(() => {});
    const { address, port } = await Promise.race([this.#listening(), this.death]);
    /** @type {{ host: string, port: number }} */
    this.target = { host: hostOf(address), port };
  }

  /** @returns {Promise<never>} */
  async #die() {
    const ended = (how) =>
      new Failure(EXIT.ENDED, `the program (${this.name}) ${how}${this.#lastWords()}`);
    const closed = once(this.#child, 'close').catch(() => {});
    let code;
    let signal;
    try {
      [code, signal] = await once(this.#child, 'exit');
    } catch (error) {
      throw ended(`could not be started: ${error.message}`);
    }
    // What it printed may still be on its way; what it left behind may hold its pipes for good.
    await within(FLUSH, closed);
    throw ended(`ended (${signal ?? `exit code ${code}`})`);
  }

  /** Its first HTTP server, or the one the user chose. */
  async #listening() {
    const { port, timeout } = this.#options;
    const isDriven = ({ kind, asked, port: actual }) =>
      kind === 'http' && actual !== undefined && (port === null || port === asked);
    const signal = AbortSignal.timeout(timeout * 1000);
    try {
      for (;;) {
        const driven = this.#servers.find(isDriven);
        if (driven) return driven;
        await once(this.#channel, 'listening', { signal });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new Failure(EXIT.NO_PORT, this.#noPort());
    }
  }

  #noPort() {
    const { port, timeout } = this.#options;
    const what = port === null ? 'opened no HTTP port' : `opened no HTTP server on port ${port}`;
    const found = this.#servers.map((server) => {
      const where = server.path ?? `port ${server.asked || server.port}`;
      return `${PROTOCOLS[server.kind]} on ${where}`;
    });
    const why =
      this.#channel.reporters.size === 0
        ? 'no Node.js process of it reported: is it run by Node.js, with the environment it was given?'
        : found.length > 0
          ? `it serves ${[...new Set(found)].join(', ')}`
          : 'it called no listen()';
    const message = `the program (${this.name}) ${what} within ${timeout} s; ${why}`;
    return message + this.#lastWords();
  }

  #lastWords() {
    const text = this.#output.trim();
    return text === '' ? '' : `\nit printed:\n${text.replace(/^/gm, '  | ')}`;
  }

  /** The ports of its HTTP servers, as it asked for them. @returns {number[]} */
  get ports() {
    const ports = this.#servers
      .filter(({ kind, port }) => kind === 'http' && port !== undefined)
      .map(({ asked, port }) => asked || port);
    return [...new Set(ports)];
  }

  /** @returns {Promise<Map<object, import('./channel').Usage>>} by process and thread */
  async usages() {
    const usages = await this.#channel.usages();
    if (![...usages.keys()].some(({ serves }) => serves)) {
      const message = `the program (${this.name}) does not answer: is its event loop blocked?`;
      throw new Failure(EXIT.UNANSWERED, message + this.#lastWords());
    }
    return usages;
  }

  async stop() {
    const ended = this.death?.catch(() => {});
    if (ended && this.#child.exitCode === null && this.#child.signalCode === null) {
      children.signalGroup(this.#child, 'SIGTERM');
      await within(GRACE, ended);
      children.signalGroup(this.#child, 'SIGKILL');
    }
    await ended;
    this.#channel.close();
  }
}

module.exports = { Program, SIDES };
