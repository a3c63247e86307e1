'use strict';

// What the package knows under private names of how a response is put on its
// connection and taken off.

const { EventEmitter } = require('node:events');
const http = require('node:http');
const net = require('node:net');
const { sourceOf } = require('../source');
const early = require('./early');
const { Places } = require('./places');

const { ServerResponse } = http;

/** Node's own functions; those that are replaced, as they were just before. */
const stock = {
  assignSocket: ServerResponse.prototype.assignSocket,
  detachSocket: ServerResponse.prototype.detachSocket,
};

/** `socket.on` as Node's server has put it there. */
const kOn = Symbol('onewrite.on');

/** Node's listener of 'close' of a connection; null where Node does more than is known here. */
const onClose = (() => {
  for (const name of ['assignSocket', 'detachSocket']) {
    const source = sourceOf(stock[name]);
    if (!source.startsWith(`function ${name}(socket) {`)) return null;
    if (!source.includes('onServerResponseClose')) return null;
  }
  const calls = [];
  const note =
    (name) =>
    (...args) =>
      calls.push([name, ...args]);
  const socket = { _httpMessage: null, on: note('on'), removeListener: note('off') };
  const res = Object.create(ServerResponse.prototype);
  res.emit = note('emit');
  res._flush = () => calls.push(['flush', socket._httpMessage, res.socket]);
  stock.assignSocket.call(res, socket);
  const listener = calls[0]?.[2];
  stock.detachSocket.call(res, socket);
  const expected = [
    ['on', 'close', listener],
    ['emit', 'socket', socket],
    ['flush', res, socket],
    ['off', 'close', listener],
  ];
  const isKnown =
    typeof listener === 'function' &&
    socket._httpMessage === null &&
    res.socket === null &&
    calls.length === expected.length &&
    calls.every((call, i) => call.every((value, j) => value === expected[i][j]));
  return isKnown ? listener : null;
})();

/** Whether adding and removing a listener is Node's, and no one hears of it. */
function isPlain(socket) {
  const events = socket._events;
  return (
    events !== undefined &&
    events.newListener === undefined &&
    events.removeListener === undefined &&
    socket._maxListeners === undefined &&
    EventEmitter.defaultMaxListeners > 1 &&
    net.Socket.prototype.on === early.socket.on &&
    socket.removeListener === early.socket.removeListener &&
    EventEmitter.prototype.on === early.emitter.on &&
    EventEmitter.prototype.removeListener === early.emitter.removeListener
  );
}

/**
 * Puts a response on a connection as `assignSocket()` does, if Node's listener
 * of 'close' would become the second.
 * @returns {boolean} false, with nothing done, when it must be left to Node
 */
function assign(res, socket) {
  if (socket?.[kOn] === undefined || socket.on !== socket[kOn]) return false;
  if (socket._httpMessage || !isPlain(socket)) return false;
  const { close } = socket._events;
  if (typeof close !== 'function') return false;
  socket._httpMessage = res;
  socket._events.close = [close, onClose];
  res.socket = socket;
  res.emit('socket', socket);
  res._flush();
  return true;
}

/** Notes how listeners are added to a connection that a response was put on by Node. */
function learn(socket) {
  if (onClose === null || socket?.on?.name !== 'socketListenerWrap') return;
  // A property that does not show would take a hundred times as long.
  socket[kOn] = socket.on;
}

/**
 * Takes a response off its connection as `detachSocket()` does, if Node's
 * listener of 'close' is the second of two.
 * @returns {boolean} false, with nothing done, when it must be left to Node
 */
function detach(res, socket) {
  if (socket?._httpMessage !== res || socket[kOn] === undefined || !isPlain(socket)) return false;
  const { close } = socket._events;
  if (typeof close === 'function' || close?.length !== 2 || close[1] !== onClose) return false;
  socket._events.close = close[0];
  socket._httpMessage = null;
  res.socket = null;
  return true;
}

const places = new Places(stock, [
  { hook: 'assignSocket', target: ServerResponse.prototype, name: 'assignSocket', own: true },
  { hook: 'detachSocket', target: ServerResponse.prototype, name: 'detachSocket', own: true },
]);

module.exports = {
  stock,
  assign,
  learn,
  detach,
  places,
};
