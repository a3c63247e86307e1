'use strict';

// Counters of what took the fast path and what was handed back to Node's code.

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
  waiting: 'the response waits for its turn in a pipeline',
  'no-socket': 'the response has no socket',
  socket: 'the socket is not a plain TCP or pipe socket, is patched, corked or busy',
  overridden: 'the response overrides a method that the fast path bypasses',
  large: "the message reaches the socket's writableHighWaterMark",
  short: 'the kernel took only a part of the message, or none',
});

/** @type {{ fast: number, handedBack: Record<string, number> }} */
const responses = {
  fast: 0,
  handedBack: Object.fromEntries(Object.keys(REASONS).map((r) => [r, 0])),
};

/**
 * Plain copies of the counters.
 * @returns {{ responses: { fast: number, handedBack: Record<string, number> } }}
 *   reasons that never occurred are left out
 */
function snapshot() {
  const counted = Object.entries(responses.handedBack).filter(([, count]) => count > 0);
  return { responses: { fast: responses.fast, handedBack: Object.fromEntries(counted) } };
}

module.exports = { REASONS, responses, snapshot };
