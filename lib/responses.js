'use strict';

// The part `responses`: the addon frames a response and sends it in one write.
//
// Node's own functions stay in charge. `_storeHeader` gathers the head instead
// of rendering it, `_header` renders it when somebody reads it, and the `_send`
// calls of one `end()` wait until `_finish`, where nothing has left yet and
// everything is known. There the message goes out in one send, or the calls
// are made as they came, and Node never knows the difference.

const { EventEmitter } = require('node:events');
const os = require('node:os');
const process = require('node:process');
const internals = require('./internals/responses');
const sockets = require('./internals/sockets');
const { currentSecond } = require('./clock');
const native = require('./native');
const { registers, R, OUTCOME, BODY } = require('./registers');
const { Head, gather } = require('./head');
const { runsCode } = require('./reread');
const stats = require('./stats');

const { addon } = native;
const { stock } = internals;
const { handedBack } = stats.responses;

// A kernel that takes nothing now, or a descriptor that is no connected socket:
// nothing has happened, and Node's own write finds out for itself.
const { EAGAIN, EWOULDBLOCK, ENOTSOCK, EBADF } = os.constants.errno;
const TAKES_NOTHING = new Set([-EAGAIN, -EWOULDBLOCK, -ENOTSOCK, -EBADF]);

// Encodings of a string body that the addon reads.
const ENCODINGS = Object.assign(Object.create(null), {
  utf8: BODY.UTF8,
  'utf-8': BODY.UTF8,
  latin1: BODY.LATIN1,
  binary: BODY.LATIN1,
  ascii: BODY.LATIN1,
});

// What Node sends behind a chunked body without trailers.
const LAST_CHUNK = '0\r\n\r\n';

/** Hands every response back at the last moment, so that tests take both paths. */
const forced = process.env.ONEWRITE_FORCE === 'handback';

/**
 * The head of a response: null before there is one, a string where Node (or
 * the program) set its text, a Head where the addon is to frame it. Absent on
 * a response that was made before the part was on, and on a request.
 */
const kHead = Symbol('onewrite.head');

/** Whether a response ended before its turn in a pipeline, and was left to its queue. */
const kWaits = Symbol('onewrite.waits');

let active = false;

/** The response whose end() is on the stack. @type {http.ServerResponse | null} */
let ending = null;
/** Whether code of the program may be on the stack above that end(). */
let implicit = false;
/** Whether Node corks the socket in it, which it does not for a head alone that is there already. */
let corks = false;

// Node's end() asks many times whether there is a head and never what it says.
const SOME_HEAD = 'HTTP/1.1';
/** Whether a wrapper of the program may run between the hook and Node's end(). */
let wrapped = false;

const headText = {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    const head = this[kHead];
    if (!(head instanceof Head)) return head;
    return ending === this && !implicit && !wrapped ? SOME_HEAD : head.render();
  },
  set(text) {
    this[kHead] = text;
  },
};

const headersSent = {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return this[kHead] instanceof Head || Boolean(internals.headText(this));
  },
};

/** Whether a property of the response's own hides the accessor of its head. */
function isShadowed(res) {
  const outer = ending;
  const outerImplicit = implicit;
  const outerWrapped = wrapped;
  ending = res;
  implicit = false;
  wrapped = false;
  const shadowed = internals.headText(res) !== SOME_HEAD;
  ending = outer;
  implicit = outerImplicit;
  wrapped = outerWrapped;
  return shadowed;
}

/** Stands in for `OutgoingMessage.prototype._storeHeader` on server responses. */
function storeHeader(statusLine, headers) {
  if (!active || this[kHead] !== null || !internals.mayTakeSend(this)) {
    internals.nodeStoreHeader(this, statusLine, headers);
    return;
  }
  const splits = !internals.hasUniqueHeaders(this);
  const stored = internals.storedHeaders(this);
  const gathered = gather(statusLine, this.statusMessage, headers, stored, splits);
  if (!(gathered instanceof Head)) {
    internals.nodeStoreHeader(this, statusLine, gathered ?? headers);
    return;
  }
  this[kHead] = gathered;
  if (isShadowed(this) || !internals.settle(this, gathered, currentSecond())) {
    this[kHead] = null;
    // All was read; what an accessor gave is not asked for again.
    const read = headers && headers !== stored && runsCode(headers) ? gathered.fields() : headers;
    internals.nodeStoreHeader(this, statusLine, read);
  }
}

/** Stands in for `OutgoingMessage.prototype.end`. */
function end(chunk, encoding, callback) {
  const head = this[kHead];
  // No server response, one made before the part was on, or one that has ended.
  if (head === undefined || !active || this.finished) return passOn(this, arguments);
  const reason = refusal(this, head, chunk, encoding, callback);
  if (reason !== null) {
    handedBack[reason]++;
    if (reason === 'waiting') this[kWaits] = true;
    return passOn(this, arguments);
  }
  const outer = ending;
  const outerImplicit = implicit;
  const outerCorks = corks;
  ending = this;
  implicit = false;
  corks = head === null || (Boolean(chunk) && typeof chunk !== 'function');
  try {
    return passOn(this, arguments);
  } finally {
    ending = outer;
    implicit = outerImplicit;
    corks = outerCorks;
    settleEnd(this);
  }
}

/** Node's own end(), or a wrapper of the program, which may count its arguments. */
function passOn(message, args) {
  return Reflect.apply(stock.end, message, args);
}

/** @returns {string | null} why end() is left to Node from its start */
function refusal(res, head, chunk, encoding, callback) {
  if (encoding && typeof encoding !== 'function' && !isKnown(encoding)) return 'encoding';
  // A listener of newListener, or a once() of the program, runs in the middle of end().
  if (
    typeof encoding === 'function' ||
    typeof callback === 'function' ||
    typeof chunk === 'function'
  ) {
    if (res.once !== EventEmitter.prototype.once) return 'overridden';
    if (res.listenerCount('newListener') > 0) return 'overridden';
  }
  return internals.refusal(res, hooks) ?? (typeof head === 'string' ? 'head' : null);
}

// Of any body: Node refuses unknown ones with bytes too.
function isKnown(encoding) {
  return typeof encoding === 'string' && encoding in ENCODINGS;
}

/** What is left to do when end() did not come to `_finish` with its calls. */
function settleEnd(res) {
  const head = res[kHead];
  if (head instanceof Head) {
    if (head.waiting === 0) return;
    // end() threw, or the program took the socket away.
    replay(res, head);
    if (res.finished) handedBack['no-socket']++;
  } else if (res.finished) {
    handedBack.head++;
  }
}

/** Stands in for `ServerResponse.prototype._implicitHeader`. */
function implicitHeader() {
  const outer = implicit;
  implicit = true;
  try {
    return stock.implicitHeader.call(this);
  } finally {
    implicit = outer;
    // The program was there, and may have switched the part off.
    if (ending === this && internals.isOverridden(this, hooks)) ending = null;
  }
}

/** Stands in for `OutgoingMessage.prototype._send` on server responses. */
function send(data, encoding, callback, byteLength) {
  // A write of the program's own, out of writeHead() as end() calls it, goes
  // its way, and then so does all that follows.
  if (ending === this && !implicit && !internals.headHasLeft(this)) {
    const head = this[kHead];
    if (head instanceof Head) {
      head.hold(data, encoding, callback, byteLength);
      return true;
    }
  }
  return internals.nodeSend(this, data, encoding, callback, byteLength);
}

/**
 * Stands in for `ServerResponse.prototype._finish`, which end() calls when all
 * has been given to the socket.
 */
function finish() {
  if (ending === this) {
    // From here on the program and Node read the head's text.
    ending = null;
    const head = this[kHead];
    if (head instanceof Head && head.waiting > 0) deliver(this, head);
  }
  return stock.finish.call(this);
}

/** Sends what waits, or makes the calls that wait as they came. */
function deliver(res, head) {
  const { socket } = res;
  const reason = sockets.takesSend(socket) ? describe(res, head) : 'socket';
  if (reason !== null) {
    body = undefined;
    handedBack[reason]++;
    corkedReplay(res, socket, head);
    return;
  }
  const sent = addon.send(head.joined, body) ?? OUTCOME.BadCall;
  body = undefined;
  const goOn = settleSent(socket, sent, head.calls[4 * head.waiting - 2]);
  if (goOn === null) {
    internals.markSent(res);
    head.calls = null;
    head.waiting = 0;
  } else {
    corkedReplay(res, socket, head);
    goOn();
  }
}

const nothing = () => {};

/**
 * Books what a send of the addon came to.
 * @param {Function} callback the one of Node's that hears that all was written
 * @returns {(() => void) | null} null when the whole message has left, else Node
 *   is to write it, and this to be called behind that
 */
function settleSent(socket, sent, callback) {
  if (sent > 0) sockets.book(socket, sent);
  if (sent === registers[R.Total]) {
    stats.responses.fast++;
    // Where Node's write would have queued it.
    process.nextTick(callback, null);
    return null;
  }
  if (sent <= OUTCOME.BadCall) {
    handedBack[sent === OUTCOME.Large ? 'large' : 'head']++;
    return nothing;
  }
  handedBack.short++;
  const errno = sent >= 0 || TAKES_NOTHING.has(sent) ? 0 : sent;
  return sockets.resumeBehind(socket, Math.max(sent, 0), errno);
}

/** Stands in for `OutgoingMessage.prototype._flushOutput` on server responses. */
function flushOutput(socket) {
  const waited = this[kWaits] === true && this.finished;
  if (waited) this[kWaits] = false;
  if (!waited || !active || forced || !internals.flushesByNode() || !sockets.takesSend(socket)) {
    return internals.nodeFlushOutput(this, socket);
  }
  const queued = internals.takeQueued(this);
  const kind = queued?.encoding ? ENCODINGS[queued.encoding] : BODY.UTF8;
  if (queued === null || kind === undefined) return internals.nodeFlushOutput(this, socket);
  registers[R.Descriptor] = sockets.descriptor(socket);
  registers[R.Body] = kind;
  registers[R.Limit] = socket.writableHighWaterMark;
  handedBack.waiting--;
  const sent = addon.sendFramed(queued.text, queued.bytes) ?? OUTCOME.BadCall;
  const goOn = settleSent(socket, sent, queued.callback);
  if (goOn === null) {
    internals.markFlushed(this);
    return true;
  }
  const hasRoom = internals.nodeFlushOutput(this, socket);
  goOn();
  return hasRoom;
}

/** The body of the message that the registers describe. */
let body;

/**
 * Describes the message to the addon: registers, and `body`.
 * @returns {string | null} the reason for a hand-back
 */
function describe(res, head) {
  if (forced) return 'forced';
  const { calls, waiting } = head;
  const last = calls[4 * waiting - 4];
  const chunked = res.chunkedEncoding && last !== '';
  if (chunked && last !== LAST_CHUNK) return 'trailers';
  const at = chunked ? chunkAt(calls, waiting) : dataAt(calls, waiting);
  if (at === undefined) return 'overridden';
  if (at < 0) {
    registers[R.Body] = BODY.NONE;
  } else {
    body = calls[at];
    if (typeof body !== 'string') {
      // A class of the program's own may tell Node another length.
      if (body.constructor !== Buffer && body.constructor !== Uint8Array) return 'overridden';
      registers[R.Body] = BODY.BYTES;
    } else {
      const encoding = calls[at + 1];
      registers[R.Body] = encoding ? ENCODINGS[encoding] : BODY.UTF8;
    }
  }
  registers[R.Descriptor] = sockets.descriptor(res.socket);
  if (registers[R.Descriptor] < 0) return 'socket';
  registers[R.Coding] = chunked ? 1 : 0;
  registers[R.Limit] = res.socket.writableHighWaterMark;
  head.load();
  return null;
}

/**
 * The place of the data among the calls that end() makes: the data alone, or
 * an empty string behind it, or that alone.
 * @returns {number | undefined} -1 for no data, undefined for calls of another shape
 */
function dataAt(calls, waiting) {
  if (waiting > 2 || (waiting === 2 && calls[4] !== '')) return undefined;
  return calls[0] === '' ? -1 : 0;
}

/**
 * Likewise in chunked coding: size line, CRLF, data, CRLF and the last chunk;
 * without data that alone, or behind an empty write.
 */
function chunkAt(calls, waiting) {
  if (waiting === 5) return 8;
  return waiting === 1 || (waiting === 2 && calls[0].length === 0) ? -1 : undefined;
}

/** Makes the calls that wait as they came. */
function replay(res, head) {
  const { calls, waiting } = head;
  head.calls = null;
  head.waiting = 0;
  for (let i = 0; i < 4 * waiting; i += 4) {
    internals.nodeSend(res, calls[i], calls[i + 1], calls[i + 2], calls[i + 3]);
  }
}

/** Makes the calls under cork where end() would have, so that one write leaves. */
function corkedReplay(res, socket, head) {
  if (corks) socket.cork();
  replay(res, head);
  if (corks) socket.uncork();
}

const hooks = { end, storeHeader, send, finish, flushOutput, implicitHeader };

/** @returns {string | null} why the part cannot be on here, null when it can */
function unavailable() {
  return native.reason ?? sockets.missing() ?? internals.missing();
}

function enable() {
  active = true;
  internals.patch(hooks, headText, headersSent);
  wrapped = !internals.endsByNode();
}

function disable() {
  active = false;
  internals.unpatch(hooks);
}

module.exports = { unavailable, standsAside: internals.replaced, enable, disable };
