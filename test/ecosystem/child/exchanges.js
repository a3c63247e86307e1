'use strict';
// Knows when a server has done with what it was sent, without a listener on any request, response or socket: those
// would take them off the fast path.

const { setTimeout: pause } = require('node:timers/promises');

const LIMIT_MS = 10_000;

/**
 * What the client knows of a connection that it has made.
 * @typedef {object} Known
 * @property {number} port the client's
 * @property {number} taken how many responses it has got whole
 * @property {boolean} open whether it holds the connection
 */

class Exchanges {
  /** Those that are not over. */
  #open = new Set();
  /** Connections that the server has not closed, with the client's port. */
  #sockets = new Map();
  /** How many exchanges are over, by the client's port, which is there once the connection was accepted. */
  #over = new Map();
  /** Requests that came, upgrades included. */
  count = 0;

  /** @param {import('node:http').Server} server that the client connects to */
  follow(server) {
    server.prependListener('connection', (socket) => {
      this.#sockets.set(socket, socket.remotePort);
      this.#over.set(socket.remotePort, 0);
    });
    this.followRequests(server);
  }

  /** @param {import('node:http').Server} server whose connections may be the program's own */
  followRequests(server) {
    server.prependListener('request', (req, res) => {
      this.count++;
      const { socket } = req;
      this.#open.add({ req, res, socket, port: this.#sockets.get(socket) });
    });
    for (const event of ['upgrade', 'connect', 'checkContinue']) {
      // A listener of ours alone would change what the server answers.
      if (server.listenerCount(event) === 0) continue;
      server.prependListener(event, (req) => {
        this.count++;
        // What is answered here has no response that could be followed.
        this.#isOver(this.#sockets.get(req.socket));
      });
    }
  }

  #isOver(port) {
    if (this.#over.has(port)) this.#over.set(port, this.#over.get(port) + 1);
  }

  /** What is not over, in words. @param {Known[]} connections */
  #busy(connections) {
    const busy = [];
    for (const exchange of this.#open) {
      const { req, res, socket, port } = exchange;
      if (res.closed || socket.closed) {
        this.#open.delete(exchange);
        this.#isOver(port);
      } else if (res.writableEnded) {
        busy.push(`the answer to ${req.method} ${req.url}`);
      }
    }
    const held = new Set(connections.filter(({ open }) => open).map(({ port }) => port));
    for (const [socket, port] of this.#sockets) {
      if (socket.closed) this.#sockets.delete(socket);
      else if (!held.has(port)) busy.push('a connection that the client closed');
    }
    for (const { port, taken } of connections) {
      if (!this.#over.has(port)) busy.push('a connection to be accepted');
      else if (this.#over.get(port) < taken) busy.push('a response that the client has whole');
    }
    return busy;
  }

  /**
   * Waits until each answer that was ended, or that the client has, is over, and each connection closed that the client
   * has closed.
   * @param {Known[]} connections
   */
  async quiet(connections) {
    const limit = Date.now() + LIMIT_MS;
    for (;;) {
      const busy = this.#busy(connections);
      if (busy.length === 0) break;
      if (Date.now() > limit) throw new Error(`not over after ${LIMIT_MS} ms: ${busy.join(', ')}`);
      await pause(1);
    }
    // What the last event has set off.
    await pause(1);
  }
}

module.exports = { Exchanges };
