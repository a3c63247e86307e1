'use strict';
// Knows when a server has done with what it was sent, without a listener on any request, response or socket: those
// would take them off the fast path.

const { setTimeout: pause } = require('node:timers/promises');

const LIMIT_MS = 5_000;

class Exchanges {
  #open = new Set();
  #sockets = new Set();
  /** The client's ports of all connections so far. */
  #accepted = new Set();
  /** Requests that came, upgrades included. */
  count = 0;

  /** @param {import('node:http').Server} server that the client connects to */
  follow(server) {
    server.prependListener('connection', (socket) => {
      this.#sockets.add(socket);
      this.#accepted.add(socket.remotePort);
    });
    this.followRequests(server);
  }

  /** @param {import('node:http').Server} server whose connections may be the program's own */
  followRequests(server) {
    server.prependListener('request', (req, res) => {
      this.count++;
      this.#open.add({ req, res, socket: req.socket });
    });
    for (const event of ['upgrade', 'connect', 'checkContinue']) {
      // A listener of ours alone would change what the server answers.
      if (server.listenerCount(event) > 0) server.prependListener(event, () => this.count++);
    }
  }

  /** What is not over, in words. */
  #busy(open) {
    const busy = [];
    for (const socket of this.#sockets) {
      if (socket.closed) this.#sockets.delete(socket);
      else if (!open.includes(socket.remotePort)) busy.push('a connection that the client closed');
    }
    for (const exchange of this.#open) {
      const { req, res, socket } = exchange;
      if (res.closed || socket.closed) this.#open.delete(exchange);
      else if (res.writableEnded) busy.push(`the answer to ${req.method} ${req.url}`);
    }
    for (const port of open) {
      if (!this.#accepted.has(port)) busy.push('a connection to be accepted');
    }
    return busy;
  }

  /**
   * Waits until each answer that was ended is over, and each connection closed that the client has closed.
   * @param {number[]} open the client's ports of the connections that it holds
   */
  async quiet(open) {
    const limit = Date.now() + LIMIT_MS;
    for (let busy = this.#busy(open); busy.length > 0; busy = this.#busy(open)) {
      if (Date.now() > limit) throw new Error(`not over after ${LIMIT_MS} ms: ${busy.join(', ')}`);
      await pause(1);
    }
    // What the last event has set off.
    await pause(1);
  }
}

module.exports = { Exchanges };
