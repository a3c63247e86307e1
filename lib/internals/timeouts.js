'use strict';

// What the package knows under private names of the inactivity timers of
// connections that Node's HTTP server keeps alive.

const net = require('node:net');
const { Places } = require('./places');

/** Node's own functions; those that are replaced, as they were just before. */
const stock = {
  setTimeout: net.Socket.prototype.setTimeout,
  onTimeout: net.Socket.prototype._onTimeout,
  unrefTimer: net.Socket.prototype._unrefTimer,
};

/** @returns {string | null} what is missing here, null when nothing is */
function missing() {
  const name = Object.keys(stock).find((key) => typeof stock[key] !== 'function');
  return name === undefined ? null : `this Node.js has no ${name} of sockets where it is expected`;
}

/**
 * Whether a connection is one of Node's HTTP server between two exchanges, of
 * whose inactivity no one but Node hears.
 * @param {net.Socket} socket
 * @param {Record<string, Function>} hooks
 */
function isKeptAlive(socket, hooks) {
  const { server } = socket;
  return (
    Boolean(server) &&
    Boolean(socket.parser) &&
    socket._httpMessage === null &&
    !socket.destroyed &&
    socket.setTimeout === hooks.setTimeout &&
    socket._onTimeout === hooks.onTimeout &&
    socket._unrefTimer === hooks.unrefTimer &&
    // One listener is Node's.
    typeof socket._events.timeout === 'function' &&
    server.listenerCount('timeout') === 0
  );
}

/** Starts the running timer of a socket anew. */
function restart(socket) {
  stock.unrefTimer.call(socket);
}

const places = new Places(stock, [
  { hook: 'setTimeout', target: net.Socket.prototype, name: 'setTimeout', own: true },
  { hook: 'unrefTimer', target: net.Socket.prototype, name: '_unrefTimer', own: true },
]);
const lasting = new Places(stock, [
  { hook: 'onTimeout', target: net.Socket.prototype, name: '_onTimeout', own: true },
]);

/** The hook of `_onTimeout` stays: timers that it holds back may be running. */
function patch(hooks) {
  lasting.patch(hooks);
  places.patch(hooks);
}

module.exports = {
  stock,
  missing,
  isKeptAlive,
  restart,
  patch,
  unpatch: (hooks) => places.unpatch(hooks),
};
