'use strict';

// What of a journal can be compared where the order, or the end, is a matter of time.

/** @typedef {{ connections: string[][], besides: string[] }} Journal */

/**
 * The exchanges in whatever order they came, where many come at a time: each with its events.
 * @param {Journal} journal
 */
function exchanges({ connections }) {
  const all = [];
  for (const events of connections) {
    /** @type {Map<string, string[]>} the last exchange of that name on this connection */
    const current = new Map();
    for (const event of events) {
      const [, name] = /^(\S+ \S+) HTTP\/1\.[01]$/.exec(event) ?? [];
      if (name === undefined) {
        const [own] = event.split(': ');
        current.get(own)?.push(event);
      } else {
        current.set(name, [event]);
        all.push(current.get(name));
      }
    }
  }
  return all.map((events) => events.join('; ')).sort();
}

/**
 * Without what comes of a peer that goes at the end of an answer: whether it resets the connection,
 * and whether Node hears of that before it closes the connection itself.
 * @param {Journal} journal
 * @param {RegExp} [cut] an event of connections that go in the middle, and stay as they are
 * @returns {Journal}
 */
function withoutResets({ connections, besides }, cut) {
  const calm = (events) => {
    if (cut !== undefined && events.some((event) => cut.test(event))) return events;
    return events
      .filter((event) => !/^error (ECONNRESET|EPIPE)$/.test(event))
      .map((event) => (event.startsWith('close') ? 'close' : event));
  };
  return { connections: connections.map(calm), besides };
}

module.exports = { exchanges, withoutResets };
