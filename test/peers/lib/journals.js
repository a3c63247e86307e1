'use strict';

// What of a journal can be compared where the order, or the end, is a matter of time.

/** @typedef {{ connections: string[][], besides: string[] }} Journal */

/**
 * The requests in whatever order they came, where many come at a time.
 * @param {Journal} journal
 */
function requests({ connections }) {
  return connections
    .flat()
    .filter((event) => / HTTP\/1\.[01]$/.test(event))
    .sort();
}

/**
 * Without what comes of a peer that goes at the end of an answer: whether Node hears of it before
 * it closes the connection itself.
 * @param {Journal} journal
 * @returns {Journal}
 */
function withoutResets({ connections, besides }) {
  const calm = (events) =>
    events
      .filter((event) => !/^error (ECONNRESET|EPIPE)$/.test(event))
      .map((event) => event.replace('close with an error', 'close'));
  return { connections: connections.map(calm), besides };
}

module.exports = { requests, withoutResets };
