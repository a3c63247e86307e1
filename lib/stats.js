'use strict';

// Counters of what took the fast path and what was handed back to Node's code.

const { isDebugging } = require('./environment');

/**
 * Why a response is handed back to Node's own code. Each response that ends is
 * counted once: as fast, or under one of these.
 */
const REASONS = Object.freeze({
  forced: 'ONEWRITE_FORCE=handback asked for it',
  head: 'the head needs a treatment of Node: a value that is not ASCII text or a number, Trailer, Expect, unique headers',
  encoding: 'the body has an encoding other than utf8, latin1 or ascii',
  trailers: 'the response has trailers',
  started: 'write() or flushHeaders() came before end()',
  waiting: 'the response waits for its turn in a pipeline, or waited and is more than one piece',
  'no-socket': 'the response has no socket',
  socket: 'the socket is not a plain TCP or pipe socket, is patched, corked or busy',
  overridden: 'the response overrides a method that the fast path bypasses',
  large: "the message reaches the socket's writableHighWaterMark",
  short: 'the kernel took only a part of the message, or none',
});

/**
 * Why the end of a request that nobody read is left to Node's own ticks. Each
 * such request is counted once: as fast, or under one of these.
 */
const TEARDOWN_REASONS = Object.freeze({
  touched:
    'the request has not come completely, was paused or destroyed, or overrides a method of its end',
  heard: "somebody listens to the request's end, or to 'finish' or 'close' of the response",
  connection: 'the connection goes on with another request, or ends with this one',
  overridden: 'the response has an emit() of its own, or its socket a setTimeout()',
  scheduled: 'the program scheduled a tick that comes in between',
});

/**
 * Why a request is left to Node's own parser, with the connection that it came
 * on. Each request that the addon reads first is counted once: as fast, or under
 * one of these.
 */
const ENGINE_REASONS = Object.freeze({
  partial: 'the request has not come completely in one read',
  large: 'the head reaches maxHeaderSize, or has more fields than Node keeps',
  method: 'the method is CONNECT, or none that Node knows',
  target: 'the target has an uncommon form',
  version: 'the version is not HTTP/1.1',
  field: 'a field line is malformed or folded',
  framing: 'Content-Length or Transfer-Encoding are repeated, given together, or uncommon',
  upgrade: 'the request asks for an upgrade',
  expect: 'the request expects 100 Continue',
  connection: 'Connection is other than keep-alive or close',
  chunk: 'a chunk is malformed, or has extensions',
  trailers: 'the request has trailers',
  observed: 'an async hook of the program hears of each callback',
});

/** @typedef {{ fast: number, handedBack: Record<string, number> }} Counters */

/** @returns {Counters} */
const countersFor = (reasons) => ({
  fast: 0,
  handedBack: Object.fromEntries(Object.keys(reasons).map((reason) => [reason, 0])),
});

const responses = countersFor(REASONS);
const teardown = countersFor(TEARDOWN_REASONS);
const engine = countersFor(ENGINE_REASONS);

if (isDebugging()) {
  const { watch } = require('./debug');
  watch('responses', responses.handedBack, REASONS);
  watch('teardown', teardown.handedBack, TEARDOWN_REASONS);
  watch('engine', engine.handedBack, ENGINE_REASONS);
}

/** @param {Counters} counters */
function copy({ fast, handedBack }) {
  const counted = Object.entries(handedBack).filter(([, count]) => count > 0);
  return { fast, handedBack: Object.fromEntries(counted) };
}

/**
 * Plain copies of the counters.
 * @returns {{ responses: Counters, teardown: Counters, engine: Counters }} reasons that never occurred are left out
 */
function snapshot() {
  return { responses: copy(responses), teardown: copy(teardown), engine: copy(engine) };
}

module.exports = {
  REASONS,
  TEARDOWN_REASONS,
  ENGINE_REASONS,
  responses,
  teardown,
  engine,
  snapshot,
};
