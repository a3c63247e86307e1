'use strict';

// What the package knows under private names of requests at their end, and of
// the responses to them.

const http = require('node:http');
const { Readable } = require('node:stream');
const { sourceOf } = require('../source');
const early = require('./early');
const { Places } = require('./places');

const { IncomingMessage, OutgoingMessage, ServerResponse } = http;

/** Node's own functions; those that are replaced, as they were just before. */
const stock = {
  dump: IncomingMessage.prototype._dump,
  destroy: IncomingMessage.prototype._destroy,
  emit: ServerResponse.prototype.emit,
};

/** How those of Node's own functions begin that are not called where they are stood in for. */
const BEGINNINGS = {
  dump: 'function _dump() {',
  destroy: 'function _destroy(err, cb) {',
};

/** Whether a program has not replaced a function before this file was loaded. */
function isNodes(name) {
  return sourceOf(stock[name]).startsWith(BEGINNINGS[name]);
}

/**
 * Whether Node ends a request that nobody read by way of `resume()`, whose tick
 * comes before 'close' of the response and leads to 'end' behind it. Newer
 * versions schedule 'end' at once, before 'close' of the response.
 */
const endsByResuming = (() => {
  if (!isNodes('dump')) return false;
  const req = new IncomingMessage(null);
  let resumed = false;
  req.complete = true;
  req.read = () => null;
  req.resume = () => {
    resumed = true;
  };
  stock.dump.call(req);
  return resumed;
})();

/** Node keeps the flags of a stream in one number; here is where, null if it does not. */
const kState = (() => {
  const symbols = Object.getOwnPropertySymbols(new Readable()._readableState);
  return symbols.find(({ description }) => description === 'kState') ?? null;
})();

/** The bits of that number that a flag sets, 0 for a flag that there is none of. */
function bitsOf(flag) {
  const state = new Readable()._readableState;
  const before = state[kState];
  state[flag] = true;
  return state[kState] & ~before;
}

const FLAGS = [
  'emittedReadable',
  'endEmitted',
  'destroyed',
  'closed',
  'closeEmitted',
  'flowing',
  'resumeScheduled',
];
const BITS = FLAGS.map(bitsOf);
const [EMITTED_READABLE, END_EMITTED, DESTROYED, CLOSED, CLOSE_EMITTED, FLOWING, RESUME_SCHEDULED] =
  BITS;

/** The flags of a request that has come completely and that nobody has touched. */
const [UNTOUCHED, READABLE_SCHEDULED] = (() => {
  const req = new IncomingMessage(null);
  req.push(null);
  const flags = req._readableState[kState];
  return [flags & ~EMITTED_READABLE, flags | EMITTED_READABLE];
})();

/**
 * What this program has replaced that the part `teardown` would bypass: a
 * package that wraps it, or Node's own `domain`.
 * @returns {string | null} null when nothing was replaced
 */
function replaced() {
  const name = Object.keys(BEGINNINGS).find((key) => !isNodes(key));
  if (name !== undefined) return `the program has a function ${name} of requests of its own`;
  if (stock.emit === early.emitter.emit) return null;
  return 'the program has a function emit of responses of its own';
}

/**
 * What the part `teardown` needs and this Node does not have.
 * @returns {string | null} null when nothing is missing
 */
function missing() {
  if (kState === null) return 'this Node.js does not keep the flags of a stream in one number';
  const absent = FLAGS.find((_, i) => BITS[i] === 0);
  if (absent !== undefined) return `this Node.js has no flag ${absent} of streams`;
  const req = new IncomingMessage(null);
  const res = new OutgoingMessage();
  for (const [message, name] of [
    [req, '_dumped'],
    [req, 'complete'],
    [req, '_events'],
    [req, '_eventsCount'],
    [res, '_closed'],
  ]) {
    if (!(name in message)) {
      return `this Node.js has no ${message.constructor.name} ${name}`;
    }
  }
  return null;
}

/**
 * Whether a request has come completely, is as it came, and is Node's in all
 * that its end would call.
 * @param {http.IncomingMessage} req
 */
function isUntouched(req) {
  const flags = req._readableState[kState];
  return (
    (flags === UNTOUCHED || flags === READABLE_SCHEDULED) &&
    req.complete &&
    !req._dumped &&
    req._readableState.length === 0 &&
    req.read === early.readable.read &&
    req.resume === early.readable.resume &&
    req.destroy === early.readable.destroy &&
    req.on === early.readable.on &&
    req.removeAllListeners === early.readable.removeAllListeners &&
    req._destroy === stock.destroy
  );
}

/** Whether a tick is scheduled that emits 'readable' of an untouched request. */
function isReadableScheduled(req) {
  return req._readableState[kState] === READABLE_SCHEDULED;
}

/** Whether anyone hears of the end of a request before its 'close'. */
function isEndHeard(req) {
  if (req._eventsCount === 0) return false;
  if (!req._events) return true;
  const { end, data, readable, resume, pause, newListener } = req._events;
  return (end ?? data ?? readable ?? resume ?? pause ?? newListener) !== undefined;
}

/** Whether anyone hears of 'close' of a request. */
function isCloseHeard(req) {
  return req._events?.close !== undefined;
}

/** Node's listener of 'finish' where all responses share one. */
let sharedFinisher;

/**
 * Whether a listener of 'finish' is the one that Node's server adds: a bound
 * function, or a shared one. The name of a bound function is made when it is
 * asked for, which takes longer than all that is saved here.
 */
function isFinisher(listener) {
  if (listener === sharedFinisher) return listener !== undefined;
  if (typeof listener !== 'function') return false;
  if (listener.prototype === undefined) return true;
  if (listener.name !== 'onResponseFinish') return false;
  sharedFinisher = listener;
  return true;
}

/** Whether anyone but Node hears of the end of a response. */
function isHeard(res) {
  const { finish, close } = res._events;
  return !isFinisher(finish) || close !== undefined;
}

/** Whether a connection goes on with another request, or ends with this one. */
function goesOn(req, res) {
  return req.socket.parser?.incoming !== req || res._last;
}

/** Leaves a request as `_dump()` does, but for what that schedules. */
function markDumped(req) {
  req._dumped = true;
  if (endsByResuming) req._readableState[kState] |= FLOWING | RESUME_SCHEDULED;
}

/** Does in place what `_dump()` schedules before 'close' of the response. */
function dumpNow(req) {
  const state = req._readableState;
  if (endsByResuming) {
    // As resume_().
    if (!state.reading) req.read(0);
    state.resumeScheduled = false;
    req.emit('resume');
  } else if (!state.errored && !state.closeEmitted && !state.endEmitted && state.length === 0) {
    // As endReadableNT().
    state.endEmitted = true;
    req.emit('end');
    req.destroy();
  }
}

/**
 * As `dumpNow`, in the tick of 'close' of the response, which shows as it did
 * before that tick.
 */
function dumpBeforeClose(req, res) {
  res.destroyed = false;
  res._closed = false;
  try {
    dumpNow(req);
  } finally {
    res.destroyed = true;
    res._closed = true;
  }
}

/** Emits 'resume' of an untouched request to a program that sees what nobody listens to. */
function resume(req) {
  if (endsByResuming && req.emit !== early.emitter.emit) req.emit('resume');
}

/** Emits 'end' of an untouched request. */
function end(req) {
  const state = req._readableState;
  state[kState] = (state[kState] & ~RESUME_SCHEDULED) | END_EMITTED;
  req.emit('end');
  state[kState] |= DESTROYED | CLOSED;
}

/** Emits 'close' of a request that has ended. */
function close(req) {
  req._readableState[kState] |= CLOSE_EMITTED;
  req.emit('close');
}

/** Whether a response is closed, so that its 'close' is Node's. */
function isClosed(res) {
  return res._closed;
}

/** The response to a request that has finished and is on its socket still, which is open. */
function finishedResponse(req) {
  const { socket } = req;
  const res = socket?._httpMessage;
  // One on a closed socket looks finished, and 'finish' may never come.
  const isFinished = res?.req === req && res.writableFinished && !res.destroyed;
  return isFinished && !socket.destroyed ? res : null;
}

/** Whether a response is on its socket still: `detachSocket()` has not come to its end. */
function isOnSocket(res) {
  return Boolean(res.socket);
}

/** What emits without the hook. */
function nodeEmit() {
  return OutgoingMessage.prototype.emit;
}

const places = new Places(stock, [
  { hook: 'dump', target: IncomingMessage.prototype, name: '_dump', own: true },
  { hook: 'emit', target: ServerResponse.prototype, name: 'emit', own: false },
]);

module.exports = {
  stock,
  endsByResuming,
  missing,
  replaced,
  isUntouched,
  isReadableScheduled,
  isEndHeard,
  isCloseHeard,
  isHeard,
  goesOn,
  markDumped,
  dumpNow,
  dumpBeforeClose,
  resume,
  end,
  close,
  isClosed,
  finishedResponse,
  isOnSocket,
  nodeEmit,
  places,
};
