'use strict';

// Sends streams to servers of this process, many at the same time, and without a clock: a piece is sent when the
// server has read the one before and nothing more comes of it. All moves on by turns of the event loop, in each of
// which the kernel passes on what was written in the one before.

const net = require('node:net');
const { Record } = require('./record');
const { createServer } = require('./servers');

/** Turns without an event after which nothing more comes of what was sent. */
const QUIET = 3;
/** Turns, and ms, after which a server that has not read all is not going to, and one that has not closed. */
const PATIENCE = 20;
const PATIENCE_MS = 250;

/** Connections under way at the same time. */
const AT_ONCE = 128;

/** The last step of an exchange. */
const END = Symbol('end');

const LEAVES = {
  end: (client) => client.end(),
  destroy: (client) => client.destroy(),
  reset: (client) => client.resetAndDestroy(),
};

/** One connection, and what is done on it. */
class Exchange {
  record = new Record();
  #steps;
  #leave;
  #socket = null;
  #client;
  #sent = 0;
  #turns = 0;
  #since = 0;
  #happened = -1;
  #isClosed = { client: false, server: false };
  #isOver = false;

  /**
   * @param {object} item
   * @param {string} item.server
   * @param {(string | ((record: Record) => void))[]} item.steps pieces of the stream, and things to do between them
   * @param {'end' | 'destroy' | 'reset'} [item.leave] how the client leaves
   * @param {(c: object) => void} item.serve
   * @param {(reading: { record: Record, socket: net.Socket }) => void} [item.reached] called for each request
   */
  constructor({ server, steps, leave = 'end', serve, reached = () => {} }) {
    this.server = server;
    this.serve = serve;
    this.reached = reached;
    this.#leave = LEAVES[leave];
    this.#steps = [...steps, END];
  }

  connect(port) {
    const client = net.connect(port, '127.0.0.1');
    client.setEncoding('latin1');
    client.on('data', (text) => this.record.answered(text));
    client.on('error', () => {});
    client.on('close', () => {
      this.#isClosed.client = true;
      this.record.happened++;
    });
    this.#client = client;
    return new Promise((resolve, reject) => {
      client.on('connect', () => resolve(client.localPort));
      client.on('error', reject);
    });
  }

  accepted(socket) {
    this.#socket = socket;
    this.record.listen(socket, 'socket', ['end', 'error', 'timeout', 'drain']);
    socket.on('close', (hadError) => {
      this.#isClosed.server = true;
      this.record.note('socket close', hadError);
    });
  }

  /** Whether the server has read what was sent, or is not going to. */
  #hasRead() {
    const { bytesRead, destroyed } = this.#socket;
    return bytesRead >= this.#sent || destroyed || this.#isTired();
  }

  /** The kernel of a busy machine may take some turns to pass bytes on. */
  #isTired() {
    return this.#turns > PATIENCE && performance.now() - this.#since > PATIENCE_MS;
  }

  /** Called in each turn. @returns {boolean} whether the exchange is over */
  turn() {
    const { record } = this;
    if (this.#socket === null) return false;
    if (this.#happened !== record.happened) {
      this.#happened = record.happened;
      this.#rewind();
    }
    if (record.pending > 0) return false;
    this.#turns++;
    if (this.#isOver) {
      if (this.#isClosed.server && this.#isClosed.client) return this.#turns > QUIET;
      if (this.#isTired()) {
        // A handle that was reset amid other things may never tell that it has closed.
        if (this.#socket.destroyed && this.#client.destroyed) return true;
        record.note('stays open');
        this.#client.destroy();
        this.#socket.destroy();
      }
      return false;
    }
    if (this.#turns > QUIET && this.#hasRead()) this.#step();
    return false;
  }

  #rewind() {
    this.#turns = 0;
    this.#since = performance.now();
  }

  #step() {
    const step = this.#steps.shift();
    this.#rewind();
    if (step === END) {
      this.#leave(this.#client);
      this.#isOver = true;
    } else if (typeof step === 'function') step(this.record);
    else if (this.#client.writable) {
      this.#sent += step.length;
      this.#client.write(step, 'latin1');
    }
  }
}

/** Servers of this process, each made when it is first needed. */
class Driver {
  #servers = new Map();
  #awaited = new Map();
  #exchanges = new WeakMap();

  #recordOf = (socket) => this.#exchanges.get(socket).record;

  #serve = (record, req, res) => {
    const exchange = this.#exchanges.get(req.socket);
    const { name, chunks } = record.request('request', req);
    exchange.reached({ record, socket: req.socket });
    exchange.serve({ record, req, res, name, chunks });
  };

  async #portOf(name) {
    if (!this.#servers.has(name)) {
      const server = createServer(name, this.#recordOf, this.#serve);
      server.on('connection', (socket) => {
        const key = `${socket.localPort} ${socket.remotePort}`;
        const settle = this.#awaited.get(key);
        if (settle) settle(socket);
        else this.#awaited.set(key, socket);
      });
      const listening = new Promise((resolve) => {
        server.listen(0, '127.0.0.1', 1024, () => resolve(server.address().port));
      });
      this.#servers.set(name, listening);
    }
    return this.#servers.get(name);
  }

  async #start(exchange) {
    const port = await this.#portOf(exchange.server);
    const key = `${port} ${await exchange.connect(port)}`;
    const settle = (socket) => {
      this.#awaited.delete(key);
      this.#exchanges.set(socket, exchange);
      exchange.accepted(socket);
    };
    const socket = this.#awaited.get(key);
    if (socket) settle(socket);
    else this.#awaited.set(key, settle);
  }

  /**
   * Runs exchanges to their ends.
   * @param {Iterator<object>} items arguments of Exchange
   * @param {(item: object, record: Record) => void} done called for each in the order of their ends
   */
  drive(items, done) {
    const active = new Map();
    return new Promise((resolve, reject) => {
      let isDry = false;
      const turn = () => {
        for (const [exchange, item] of active) {
          if (!exchange.turn()) continue;
          active.delete(exchange);
          done(item, exchange.record);
        }
        while (!isDry && active.size < AT_ONCE) {
          const { value, done: dry } = items.next();
          isDry = dry;
          if (dry) break;
          const exchange = new Exchange(value);
          active.set(exchange, value);
          this.#start(exchange).catch(reject);
        }
        if (isDry && active.size === 0) resolve();
        else setImmediate(turn);
      };
      turn();
    });
  }
}

module.exports = { Driver };
