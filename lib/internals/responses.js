'use strict';

// What the package knows of Node's messages under private names. This folder
// is the only place that does: it probes them once and says what is missing,
// and the other files ask it in terms of HTTP.

const http = require('node:http');
const { CONNECTION, LENGTH, ABSENT } = require('../registers');
const { sourceOf } = require('../source');
const { Places } = require('./places');
const sockets = require('./sockets');

const { OutgoingMessage, ServerResponse } = http;

/** Node's own functions; those that are replaced, as they were just before. */
const stock = {
  end: ServerResponse.prototype.end,
  send: OutgoingMessage.prototype._send,
  writeRaw: OutgoingMessage.prototype._writeRaw,
  storeHeader: OutgoingMessage.prototype._storeHeader,
  finish: ServerResponse.prototype._finish,
  flushOutput: OutgoingMessage.prototype._flushOutput,
  implicitHeader: ServerResponse.prototype._implicitHeader,
};

/** The symbols of a message that carries them from its construction. */
const symbols = (() => {
  const own = Object.getOwnPropertySymbols(new OutgoingMessage());
  const find = (description) => own.find((symbol) => symbol.description === description);
  return { outHeaders: find('kOutHeaders'), corked: find('corked') ?? find('kCorked') };
})();
/** What Node has called for a piece that nobody waits for. */
const { _onPendingData: nop } = new OutgoingMessage();
const kOutHeaders = symbols.outHeaders;
const kCorked = symbols.corked;

/**
 * How those of Node's own functions begin that the fast path does not call:
 * one that a program replaced before this file was loaded would be missed.
 */
const BEGINNINGS = {
  send: 'function _send(data, encoding, callback, byteLength) {',
  writeRaw: 'function _writeRaw(data, encoding, callback, size) {',
  storeHeader: 'function _storeHeader(firstLine, headers) {',
};

/**
 * What this program has replaced that the part `responses` would bypass.
 * @returns {string | null} null when nothing was replaced
 */
function replaced() {
  for (const [name, beginning] of Object.entries(BEGINNINGS)) {
    if (!sourceOf(stock[name]).startsWith(beginning)) {
      return `the program has a function ${name} of http of its own`;
    }
  }
  for (const name of ['_send', '_storeHeader']) {
    if (ServerResponse.prototype[name] !== OutgoingMessage.prototype[name]) {
      return `the program has a function ${name} of responses of its own`;
    }
  }
  return null;
}

/**
 * What the part `responses` needs and this Node does not have.
 * @returns {string | null} null when nothing is missing
 */
function missing() {
  for (const [name, value] of Object.entries({ ...stock, ...symbols })) {
    if (value === undefined) return `this Node.js has no ${name} where it is expected`;
  }
  const message = new OutgoingMessage();
  for (const name of [
    '_header',
    '_headerSent',
    '_hasBody',
    '_contentLength',
    '_last',
    '_removedConnection',
    '_removedContLen',
    '_removedTE',
    '_defaultKeepAlive',
    '_keepAliveTimeout',
    'outputData',
    'chunkedEncoding',
    'useChunkedEncodingByDefault',
    'maxRequestsOnConnectionReached',
    'shouldKeepAlive',
    'sendDate',
  ]) {
    if (!Object.hasOwn(message, name)) return `this Node.js has no OutgoingMessage ${name}`;
  }
  return null;
}

// Set on a response by the server, not by its constructor, so that it is found
// on the first response that has it.
let kUniqueHeaders;

function hasUniqueHeaders(res) {
  kUniqueHeaders ??= Object.getOwnPropertySymbols(res).find(
    (s) => s.description === 'kUniqueHeaders',
  );
  return kUniqueHeaders !== undefined && Boolean(res[kUniqueHeaders]);
}

/** The store of the fields that were set with setHeader(). */
function storedHeaders(res) {
  return res[kOutHeaders];
}

/**
 * Decides framing and persistence as the second half of Node's `_storeHeader`
 * does, on the response's own state, and puts the fields to add into `head`.
 * @param {http.ServerResponse} res
 * @param {import('../head').Head} head
 * @param {number} second of the Date field, since 1970
 * @returns {boolean} false, with nothing changed, when it must be left to Node
 */
function settle(res, head, second) {
  let chunked = head.givesChunked || res.chunkedEncoding;
  // A chunked 204 or 304 closes the connection.
  if (chunked && (res.statusCode === 204 || res.statusCode === 304)) return false;
  const persists = head.givesPersistence || res.shouldKeepAlive;
  const byChunks = res.useChunkedEncodingByDefault;
  let last = head.givesClose || res._last;

  let connection = CONNECTION.ABSENT;
  let timeout = ABSENT;
  let max = ABSENT;
  if (!head.givesConnection) {
    if (res._removedConnection) {
      last = !persists;
    } else if (!(persists && (head.givesLength || byChunks || res.agent))) {
      connection = CONNECTION.CLOSE;
      last = true;
    } else if (res.maxRequestsOnConnectionReached) {
      connection = CONNECTION.CLOSE;
    } else {
      connection = CONNECTION.KEEP_ALIVE;
      if (res._keepAliveTimeout && res._defaultKeepAlive && !head.givesKeepAlive) {
        timeout = Math.floor(res._keepAliveTimeout / 1000);
        if (!isCount(timeout)) return false;
        if (~~res._maxRequestsPerSocket > 0) {
          max = res._maxRequestsPerSocket;
          // Node 26 writes it as an int32, older ones as it is.
          if (max !== ~~max) return false;
        }
      }
    }
  }

  let length = LENGTH.ABSENT;
  if (!head.givesLength && !head.givesCoding) {
    if (!res._hasBody) {
      chunked = false;
    } else if (!byChunks) {
      last = true;
    } else if (!res._removedContLen && typeof res._contentLength === 'number') {
      length = res._contentLength;
      if (!isCount(length)) return false;
    } else if (!res._removedTE) {
      length = LENGTH.CHUNKED;
      chunked = true;
    } else {
      return false;
    }
  }

  head.date = res.sendDate && !head.givesDate ? second : ABSENT;
  head.connection = connection;
  head.timeout = timeout;
  head.max = max;
  head.length = length;

  res.chunkedEncoding = chunked;
  res.shouldKeepAlive = persists;
  res._last = last;
  if (head.givesConnection) res._removedConnection = false;
  if (head.givesCoding) res._removedTE = false;
  if (head.givesLength) {
    res._removedContLen = false;
    res._contentLength = head.givenLength;
  }
  if (head.givesKeepAlive) res._defaultKeepAlive = false;
  res._headerSent = false;
  return true;
}

/** The text of a response's head; falsy when there is none. */
function headText(res) {
  return res._header;
}

/** Whether the head, or a part of the message, was given to the socket. */
function headHasLeft(res) {
  return res._headerSent;
}

/** Notes that the head has left. */
function markSent(res) {
  res._headerSent = true;
}

/** Whether a number is written alike by JavaScript and by the addon. */
function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * Why `end()` of a response cannot take the fast path.
 * @param {http.ServerResponse} res
 * @param {object} hooks the functions that stand in for Node's
 * @returns {string | null} a reason of stats.REASONS; null when it can
 */
function refusal(res, hooks) {
  if (res._headerSent || res[kCorked] !== 0 || res.outputData.length !== 0) return 'started';
  const socket = res.socket;
  if (!socket) return res.req?.socket?._httpMessage ? 'waiting' : 'no-socket';
  if (socket._httpMessage !== res) return 'no-socket';
  if (isOverridden(res, hooks)) return 'overridden';
  return sockets.takesSend(socket) ? null : 'socket';
}

/** Whether the program has replaced a method that the fast path stands in for or bypasses. */
function isOverridden(res, hooks) {
  return (
    res._finish !== hooks.finish ||
    res._send !== hooks.send ||
    res._writeRaw !== stock.writeRaw ||
    res._implicitHeader !== hooks.implicitHeader ||
    OutgoingMessage.prototype._send !== stock.send
  );
}

/**
 * Whether the head of a response may wait for the fast path: it is on a socket
 * that can take it, and the program has not replaced what renders it.
 */
function mayTakeSend(res) {
  const { socket } = res;
  return (
    Boolean(socket) &&
    sockets.isPlainHandle(socket._handle) &&
    OutgoingMessage.prototype._storeHeader === stock.storeHeader
  );
}

/** Node's own way to render a head, or what the program put in its place. */
function nodeStoreHeader(res, statusLine, headers) {
  return OutgoingMessage.prototype._storeHeader.call(res, statusLine, headers);
}

/** Node's own way to give data to the socket, or what the program put in its place. */
function nodeSend(res, data, encoding, callback, byteLength) {
  return OutgoingMessage.prototype._send.call(res, data, encoding, callback, byteLength);
}

/**
 * What a response whose turn has come has given to its queue in one `end()`.
 * @typedef {object} Queued
 * @property {string} text the head, and a string body
 * @property {string | null | undefined} encoding of `text`
 * @property {Buffer | undefined} bytes behind it
 * @property {Function} callback to be called when all has been given to the kernel
 */

/**
 * @param {http.ServerResponse} res
 * @returns {Queued | null} null for what is of another shape
 */
function takeQueued({ outputData, [kCorked]: corked }) {
  const { length } = outputData;
  if (corked !== 0 || length === 0 || length > 3) return null;
  const first = outputData[0];
  const last = outputData[length - 1];
  if (typeof first.data !== 'string' || typeof last.callback !== 'function') return null;
  let bytes;
  for (let i = 1; i < length; i++) {
    const { callback } = outputData[i - 1];
    if (callback && callback !== nop) return null;
    const { data } = outputData[i];
    if (data === '' && i === length - 1) continue;
    // Of others, Node asks for their buffer and length when the turn comes.
    if (i === 2 || data?.constructor !== Buffer) return null;
    bytes = data;
  }
  return { text: first.data, encoding: first.encoding, bytes, callback: last.callback };
}

/** Notes that all that was queued has been given to the kernel, as `_flushOutput` does. */
function markFlushed(res) {
  for (const entry of res.outputData) entry.data = null;
  res.outputData = [];
  res._onPendingData(-res.outputSize);
  res.outputSize = 0;
}

/** Whether the program has put something in the place of `_flushOutput`. */
function flushesByNode() {
  return OutgoingMessage.prototype._flushOutput === stock.flushOutput;
}

/** Node's own way to give what is queued to the socket, or what the program put in its place. */
function nodeFlushOutput(res, socket) {
  return OutgoingMessage.prototype._flushOutput.call(res, socket);
}

/**
 * Where responses find `end`: on OutgoingMessage, where programs expect to find
 * and wrap it, or where a program has put a wrapper already.
 */
const { prototype: ending } = Object.hasOwn(ServerResponse.prototype, 'end')
  ? ServerResponse
  : OutgoingMessage;

/** Whether the `end` that the hook calls is Node's own, and not a wrapper of the program. */
function endsByNode() {
  return sourceOf(stock.end).startsWith('function end(chunk, encoding, callback) {');
}

/**
 * The three on ServerResponse that Node defines on OutgoingMessage leave client
 * requests alone.
 */
const places = new Places(stock, [
  { hook: 'end', target: ending, name: 'end', own: true },
  { hook: 'finish', target: ServerResponse.prototype, name: '_finish', own: true },
  { hook: 'implicitHeader', target: ServerResponse.prototype, name: '_implicitHeader', own: true },
  { hook: 'storeHeader', target: ServerResponse.prototype, name: '_storeHeader', own: false },
  { hook: 'send', target: ServerResponse.prototype, name: '_send', own: false },
  { hook: 'flushOutput', target: ServerResponse.prototype, name: '_flushOutput', own: false },
]);

/** Whether the accessors are in place. */
let hasAccessors = false;

/** What a program had put in the place of `headersSent` of OutgoingMessage. */
let ownHeadersSent;

/**
 * Puts the hooks in place.
 * @param {Record<string, Function>} hooks by the names of `stock`
 * @param {PropertyDescriptor} headText accessor of a head's text
 * @param {PropertyDescriptor} headersSent accessor
 */
function patch(hooks, headText, headersSent) {
  places.patch(hooks);
  ownHeadersSent = Object.getOwnPropertyDescriptor(ServerResponse.prototype, 'headersSent');
  Object.defineProperty(ServerResponse.prototype, '_header', headText);
  Object.defineProperty(ServerResponse.prototype, 'headersSent', headersSent);
  hasAccessors = true;
}

/**
 * Takes the hooks away. The accessor of the head's text stays: responses under
 * way keep their heads behind it.
 */
function unpatch(hooks) {
  places.unpatch(hooks);
  if (!hasAccessors) return;
  hasAccessors = false;
  delete ServerResponse.prototype.headersSent;
  if (ownHeadersSent !== undefined) {
    Object.defineProperty(ServerResponse.prototype, 'headersSent', ownHeadersSent);
  }
}

module.exports = {
  stock,
  endsByNode,
  patch,
  unpatch,
  headText,
  headHasLeft,
  markSent,
  missing,
  replaced,
  hasUniqueHeaders,
  storedHeaders,
  settle,
  refusal,
  isOverridden,
  mayTakeSend,
  nodeStoreHeader,
  nodeSend,
  takeQueued,
  markFlushed,
  flushesByNode,
  nodeFlushOutput,
};
