'use strict';

// The only file that knows Node's private names. It probes them once and says
// what is missing; the other files ask it in terms of HTTP.

const http = require('node:http');
const net = require('node:net');
const stream = require('node:stream');
const util = require('node:util');
const { CONNECTION, LENGTH, ABSENT } = require('./registers');

const { OutgoingMessage, ServerResponse } = http;

/** Node's own functions; those that are replaced, as they were just before. */
const stock = {
  end: OutgoingMessage.prototype.end,
  send: OutgoingMessage.prototype._send,
  writeRaw: OutgoingMessage.prototype._writeRaw,
  storeHeader: OutgoingMessage.prototype._storeHeader,
  finish: ServerResponse.prototype._finish,
  implicitHeader: ServerResponse.prototype._implicitHeader,
  // Node's sockets inherit it; an own one was put there by somebody.
  socketWrite: stream.Writable.prototype.write,
  socketCork: stream.Writable.prototype.cork,
  socketUncork: stream.Writable.prototype.uncork,
  socketWriteOne: net.Socket.prototype._write,
  socketWriteMany: net.Socket.prototype._writev,
  socketWriteGeneric: net.Socket.prototype._writeGeneric,
};

/** The symbols of a message that carries them from its construction. */
const symbols = (() => {
  const own = Object.getOwnPropertySymbols(new OutgoingMessage());
  const find = (description) => own.find((symbol) => symbol.description === description);
  return { outHeaders: find('kOutHeaders'), corked: find('corked') ?? find('kCorked') };
})();
const kOutHeaders = symbols.outHeaders;
const kCorked = symbols.corked;

/** Bytes that the addon sent beside a handle's own counter. */
const kSent = Symbol('onewrite.sent');

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
 * @param {import('./head').Head} head
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
          if (!isCount(max)) return false;
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
  if (
    res._finish !== hooks.finish ||
    res._send !== hooks.send ||
    res._writeRaw !== stock.writeRaw ||
    res._implicitHeader !== hooks.implicitHeader ||
    OutgoingMessage.prototype._send !== stock.send
  ) {
    return 'overridden';
  }
  return takesSend(socket) ? null : 'socket';
}

/**
 * Whether the head of a response may wait for the fast path: it is on a socket
 * that can take it, and the program has not replaced what renders it.
 */
function mayTakeSend(res) {
  const { socket } = res;
  return (
    Boolean(socket) &&
    isPlainHandle(socket._handle) &&
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
 * Whether bytes may be sent on the socket's descriptor past its own machinery:
 * a plain TCP or pipe socket with Node's own methods, writable, not corked and
 * with nothing queued.
 * @param {net.Socket} socket
 */
function takesSend(socket) {
  const state = socket._writableState;
  return (
    state !== undefined &&
    state.length === 0 &&
    state.corked === 0 &&
    !state.needDrain &&
    !state.writing &&
    socket.writable &&
    !socket.destroyed &&
    socket.write === stock.socketWrite &&
    socket._write === stock.socketWriteOne &&
    socket._writev === stock.socketWriteMany &&
    socket._writeGeneric === stock.socketWriteGeneric &&
    socket.cork === stock.socketCork &&
    socket.uncork === stock.socketUncork &&
    isPlainHandle(socket._handle)
  );
}

// Kinds of handles met so far, by their constructor: the write methods of a
// plain one, null for another kind.
const handleKinds = new Map();
let lastType;
let lastKind = null;

/**
 * Whether a handle is a plain TCP or pipe one with its own write methods. A
 * TLSWrap has a descriptor too, and bytes sent on it would break the TLS stream.
 */
function isPlainHandle(handle) {
  if (!handle) return false;
  const kind = handle.constructor === lastType ? lastKind : recall(handle.constructor);
  return (
    kind !== null &&
    handle.writev === kind.writev &&
    handle.writeBuffer === kind.writeBuffer &&
    handle.writeUtf8String === kind.writeUtf8String &&
    handle.writeLatin1String === kind.writeLatin1String
  );
}

function recall(type) {
  if (!handleKinds.has(type)) handleKinds.set(type, kindOfHandle(type));
  lastType = type;
  lastKind = handleKinds.get(type);
  return lastKind;
}

function kindOfHandle({ name, prototype }) {
  if (name !== 'TCP' && name !== 'Pipe') return null;
  countSent(prototype);
  const { writev, writeBuffer, writeUtf8String, writeLatin1String } = prototype;
  return { writev, writeBuffer, writeUtf8String, writeLatin1String };
}

/** Makes the byte counter of a kind of handle include what the addon sent. */
function countSent(prototype) {
  let owner = prototype;
  while (owner !== null && !Object.hasOwn(owner, 'bytesWritten'))
    owner = Object.getPrototypeOf(owner);
  const counter = owner && Object.getOwnPropertyDescriptor(owner, 'bytesWritten');
  if (!counter?.get || owner === prototype) return;
  Object.defineProperty(prototype, 'bytesWritten', {
    configurable: true,
    get() {
      const sent = this[kSent];
      return sent === undefined ? counter.get.call(this) : counter.get.call(this) + sent;
    },
  });
}

/** The descriptor of a socket, -1 where handles have none. */
function descriptor(socket) {
  const { fd } = socket._handle;
  return typeof fd === 'number' ? fd : -1;
}

/** Books `count` bytes that left past the socket's machinery, as its write would. */
function book(socket, count) {
  const handle = socket._handle;
  handle[kSent] = (handle[kSent] ?? 0) + count;
  socket._unrefTimer();
}

// Bytes of room for a string on the stack of StreamBase::WriteString; UTF-8 is
// reckoned at three bytes a unit.
const STACK_STRING = 16384;

/**
 * Lets the next write that reaches the socket's handle go on behind bytes that
 * were sent already, or fail with the errno that the kernel gave and will not
 * give again. The write itself is Node's, so that lengths, callbacks,
 * back-pressure and destruction are.
 * @param {net.Socket} socket with nothing queued
 * @param {number} sent bytes of the next write that the kernel has taken
 * @param {number} errno negated errno of the failed send, 0 for none
 */
function resumeBehind(socket, sent, errno) {
  const restore = () => {
    delete socket._write;
    delete socket._writev;
  };
  const proceed = (chunks, counted, callback) => {
    restore();
    const bytes = Buffer.concat(chunks);
    if (errno === 0) {
      stock.socketWriteOne.call(socket, bytes.subarray(sent), 'buffer', callback);
    } else {
      if (counted) book(socket, bytes.length);
      callback(sendError(errno));
    }
  };
  const encode = (chunk, encoding) =>
    typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
  socket._write = (chunk, encoding, callback) => {
    // Node's handle does not count a failed write of a string that it encodes
    // on its stack (StreamBase::WriteString).
    const counted =
      typeof chunk !== 'string' || chunk.length * (encoding === 'utf8' ? 3 : 1) > STACK_STRING;
    proceed([encode(chunk, encoding)], counted, callback);
  };
  socket._writev = (entries, callback) => {
    const chunks = entries.map(({ chunk, encoding }) => encode(chunk, encoding));
    proceed(chunks, true, callback);
  };
  return restore;
}

function sendError(errno) {
  const code = util.getSystemErrorName(errno);
  const error = new Error(`write ${code}`);
  return Object.assign(error, { errno, code, syscall: 'write' });
}

/**
 * The methods that the hooks stand in for: where they are put, under which
 * private name, and what stock function that is. The two on ServerResponse that
 * Node defines on OutgoingMessage leave client requests alone; `end` is where
 * programs expect to find and wrap it.
 */
const PLACES = [
  { hook: 'end', target: OutgoingMessage.prototype, name: 'end', own: true },
  { hook: 'finish', target: ServerResponse.prototype, name: '_finish', own: true },
  { hook: 'implicitHeader', target: ServerResponse.prototype, name: '_implicitHeader', own: true },
  { hook: 'storeHeader', target: ServerResponse.prototype, name: '_storeHeader', own: false },
  { hook: 'send', target: ServerResponse.prototype, name: '_send', own: false },
];

/**
 * Puts the hooks in place. A place where a hook still is, beneath somebody's
 * wrapper, is left as it is.
 * @param {Record<string, Function>} hooks by the names of `stock`
 * @param {PropertyDescriptor} headText accessor of a head's text
 * @param {PropertyDescriptor} headersSent accessor
 */
function patch(hooks, headText, headersSent) {
  for (const place of PLACES) {
    if (place.wrapped || place.target[place.name] === hooks[place.hook]) continue;
    stock[place.hook] = place.target[place.name];
    place.target[place.name] = hooks[place.hook];
  }
  Object.defineProperty(ServerResponse.prototype, '_header', headText);
  Object.defineProperty(ServerResponse.prototype, 'headersSent', headersSent);
}

/**
 * Takes the hooks away and restores what was there. A hook that somebody
 * wrapped stays beneath the wrapper. The accessor of the head's text stays:
 * responses under way keep their heads behind it.
 */
function unpatch(hooks) {
  for (const place of PLACES) {
    const { target, name } = place;
    place.wrapped = target[name] !== hooks[place.hook];
    if (place.wrapped) continue;
    if (place.own) target[name] = stock[place.hook];
    else delete target[name];
  }
  delete ServerResponse.prototype.headersSent;
}

module.exports = {
  stock,
  patch,
  unpatch,
  headText,
  headHasLeft,
  markSent,
  missing,
  hasUniqueHeaders,
  storedHeaders,
  settle,
  refusal,
  mayTakeSend,
  nodeStoreHeader,
  nodeSend,
  takesSend,
  descriptor,
  book,
  resumeBehind,
};
