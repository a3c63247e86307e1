'use strict';

// Node's own methods of events, streams and sockets, as they are when the package
// is loaded, before a program can have replaced any. Does not load `node:http`.

const { AsyncResource } = require('node:async_hooks');
const { EventEmitter } = require('node:events');
const net = require('node:net');
const process = require('node:process');
const { Readable, Writable } = require('node:stream');

/** @template {object} T @param {T} object @param {string[]} names */
const pick = (object, names) => Object.fromEntries(names.map((name) => [name, object[name]]));

module.exports = {
  /** Made before there can be a hook that hears of it. */
  resource: new AsyncResource('ONEWRITE', { requireManualDestroy: true }),
  runInAsyncScope: AsyncResource.prototype.runInAsyncScope,
  /** Runs the ticks and microtasks that wait, as Node does behind each of its callbacks. */
  runTicks: process._tickCallback,
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
