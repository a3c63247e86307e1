'use strict';

// What the package knows of Node's sockets and handles under private names.
// Loaded as early as the package is, before a program can have replaced
// anything; it does not load `node:http`.

const util = require('node:util');
const { isNative } = require('../source');
const early = require('./early');

/** Node's own functions. */
const stock = {
  // Node's sockets inherit these; own ones were put there by somebody.
  ...early.writable,
  writeOne: early.socket._write,
  writeMany: early.socket._writev,
  writeGeneric: early.socket._writeGeneric,
};

/** Bytes that the addon sent, and received, beside a handle's own counters. */
const kSent = Symbol('onewrite.sent');
const kReceived = Symbol('onewrite.received');

/**
 * What is missing here for sends past the sockets' own machinery.
 * @returns {string | null} null when nothing is
 */
function missing() {
  if (process.platform === 'win32') return 'sockets have no descriptors on this platform';
  const name = Object.keys(stock).find((key) => typeof stock[key] !== 'function');
  return name === undefined ? null : `this Node.js has no ${name} of sockets where it is expected`;
}

/**
 * Whether bytes may be sent on the socket's descriptor past its own machinery:
 * a plain TCP or pipe socket with Node's own methods, writable, not corked, with
 * nothing queued and the usual encoding of text.
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
    state.defaultEncoding === 'utf8' &&
    !socket.connecting &&
    socket.writable &&
    !socket.destroyed &&
    socket.write === stock.write &&
    socket._write === stock.writeOne &&
    socket._writev === stock.writeMany &&
    socket._writeGeneric === stock.writeGeneric &&
    socket.cork === stock.cork &&
    socket.uncork === stock.uncork &&
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

const WRITES = ['writev', 'writeBuffer', 'writeUtf8String', 'writeLatin1String'];

function recall(type) {
  if (!handleKinds.has(type)) handleKinds.set(type, kindOfHandle(type));
  lastType = type;
  lastKind = handleKinds.get(type);
  return lastKind;
}

function kindOfHandle(type) {
  if (typeof type !== 'function') return null;
  const { name, prototype } = type;
  if (name !== 'TCP' && name !== 'Pipe') return null;
  if (!WRITES.every((method) => isNative(prototype[method], method))) return null;
  countBeside(prototype, 'bytesWritten', kSent);
  countBeside(prototype, 'bytesRead', kReceived);
  const { writev, writeBuffer, writeUtf8String, writeLatin1String } = prototype;
  return { writev, writeBuffer, writeUtf8String, writeLatin1String };
}

/** Makes a byte counter of a kind of handle include what the addon moved. */
function countBeside(prototype, name, kCount) {
  let owner = prototype;
  while (owner !== null && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner);
  const counter = owner && Object.getOwnPropertyDescriptor(owner, name);
  if (!counter?.get || owner === prototype) return;
  Object.defineProperty(prototype, name, {
    __proto__: null,
    configurable: true,
    get() {
      const moved = this[kCount];
      return moved === undefined ? counter.get.call(this) : counter.get.call(this) + moved;
    },
  });
}

/**
 * Where a handle has its descriptor while the engine reads it, which lets go of a
 * handle before that is closed. To ask the handle takes longer.
 */
const kDescriptor = Symbol('onewrite.descriptor');

/** The descriptor of a socket, -1 where handles have none. */
function descriptor({ _handle: handle }) {
  const known = handle[kDescriptor];
  if (known !== undefined) return known;
  const { fd } = handle;
  return typeof fd === 'number' ? fd : -1;
}

/** Books `count` bytes that left past the socket's machinery, as its write would. */
function book(socket, count) {
  const handle = socket._handle;
  handle[kSent] = (handle[kSent] ?? 0) + count;
  socket._unrefTimer();
}

/** Books `count` bytes that came past the handle's own reading. */
function bookReceived(handle, count) {
  handle[kReceived] = (handle[kReceived] ?? 0) + count;
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
      stock.writeOne.call(socket, bytes.subarray(sent), 'buffer', callback);
    } else {
      if (counted) book(socket, bytes.length);
      callback(systemError('write', errno));
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

/** The error that Node makes of an errno, negated. */
function systemError(syscall, errno) {
  const code = util.getSystemErrorName(errno);
  const error = new Error(`${syscall} ${code}`);
  return Object.assign(error, { errno, code, syscall });
}

module.exports = {
  kDescriptor,
  missing,
  isPlainHandle,
  takesSend,
  descriptor,
  book,
  bookReceived,
  resumeBehind,
  systemError,
};
