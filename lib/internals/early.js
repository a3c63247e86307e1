'use strict';

// Node's own methods of events, streams and sockets, as they are when the package
// is loaded, before a program can have replaced any. Does not load `node:http`.

const { EventEmitter } = require('node:events');
const net = require('node:net');
const { Readable, Writable } = require('node:stream');

/** @template {object} T @param {T} object @param {string[]} names */
const pick = (object, names) => Object.fromEntries(names.map((name) => [name, object[name]]));

module.exports = {
  emitter: pick(EventEmitter.prototype, ['emit', 'on', 'removeListener']),
  readable: pick(Readable.prototype, ['read', 'resume', 'destroy', 'on', 'removeAllListeners']),
  writable: pick(Writable.prototype, ['write', 'cork', 'uncork']),
  socket: pick(net.Socket.prototype, [
    'on',
    'removeListener',
    'setTimeout',
    '_unrefTimer',
    '_write',
    '_writev',
    '_writeGeneric',
  ]),
};
