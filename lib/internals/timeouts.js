'use strict';

// What the package knows under private names of the inactivity timers of
// connections: the `Timeout` of a socket, and how it is started anew.

const net = require('node:net');
const early = require('./early');
const { Places } = require('./places');

/** Node's own functions; those that are replaced, as they were just before. */
const stock = {
  setTimeout: net.Socket.prototype.setTimeout,
  unrefTimer: net.Socket.prototype._unrefTimer,
};

/** Where a socket has its timer. */
const kTimeout = Object.getOwnPropertySymbols(new net.Socket()).find(
  ({ description }) => description === 'timeout',
);

/** What a timer that is held back would have called. */
const kCallback = Symbol('onewrite.callback');

/** What it calls instead. */
function nothing() {}

/** Whether Node's own functions and fields are where they are expected. */
function isKnown() {
  const timer = setTimeout(nothing, 1000);
  clearTimeout(timer);
  return (
    kTimeout !== undefined &&
    stock.setTimeout === early.socket.setTimeout &&
    stock.unrefTimer === early.socket._unrefTimer &&
    ['_onTimeout', '_idleTimeout', '_destroyed'].every((name) => Object.hasOwn(timer, name)) &&
    typeof timer.refresh === 'function'
  );
}

/**
 * Holds the timer of an HTTP server's connection back: it runs on and calls
 * nothing, which nobody can tell from there being none.
 * @param {net.Socket} socket
 * @returns {boolean} false, with nothing done, when there is none to hold back
 */
function hold(socket) {
  const timer = socket[kTimeout];
  if (!timer || timer._destroyed || timer._onTimeout === nothing) return false;
  // The timers of a TLS socket's parents are started anew with its own.
  if (!socket.server || !socket.parser || socket._parent) return false;
  timer[kCallback] = timer._onTimeout;
  timer._onTimeout = nothing;
  return true;
}

/** Whether the timer of a socket is held back. */
function isHeld(socket) {
  return socket[kTimeout]?._onTimeout === nothing;
}

/**
 * Lets a timer that is held back count anew from now on, as one that is made now.
 * @param {net.Socket} socket
 * @param {number} msecs
 * @returns {boolean} false, with nothing done, when there is no such timer
 */
function release(socket, msecs) {
  const timer = socket[kTimeout];
  if (timer?._onTimeout !== nothing || timer._idleTimeout !== msecs) return false;
  timer._onTimeout = timer[kCallback];
  // For its async context to be that of a new one.
  timer._destroyed = true;
  timer.refresh();
  return true;
}

const places = new Places(stock, [
  { hook: 'setTimeout', target: net.Socket.prototype, name: 'setTimeout', own: true },
  { hook: 'unrefTimer', target: net.Socket.prototype, name: '_unrefTimer', own: true },
]);

module.exports = {
  stock,
  isKnown,
  hold,
  isHeld,
  release,
  places,
};
