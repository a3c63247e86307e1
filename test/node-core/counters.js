'use strict';

// The counters of the package, summed over a run.

/**
 * Reasons for which a response or the end of a request is not eligible by the design; all others,
 * unknown ones included, hand an eligible response back.
 */
const NOT_ELIGIBLE = Object.freeze({
  responses: ['started', 'encoding', 'trailers', 'waiting', 'no-socket', 'overridden'],
  teardown: ['touched', 'connection', 'heard', 'overridden', 'scheduled'],
  engine: [
    'partial',
    'large',
    'method',
    'target',
    'version',
    'field',
    'framing',
    'upgrade',
    'expect',
    'connection',
    'chunk',
    'trailers',
    'observed',
  ],
});

/** Below this share of the eligible responses on the fast path a run proves little. */
const ENOUGH = 0.6;

/**
 * @typedef {object} Sum of a part of the package
 * @property {number} fast
 * @property {Record<string, number>} handedBack by reason
 */

/**
 * @param {object[]} counters snapshots of stats()
 * @returns {Record<string, Sum>} by part of the package
 */
function sum(counters) {
  const sums = {};
  for (const snapshot of counters) {
    for (const [part, { fast, handedBack }] of Object.entries(snapshot)) {
      sums[part] ??= { fast: 0, handedBack: {} };
      sums[part].fast += fast;
      for (const [reason, count] of Object.entries(handedBack)) {
        sums[part].handedBack[reason] = (sums[part].handedBack[reason] ?? 0) + count;
      }
    }
  }
  return sums;
}

/**
 * @param {string} part of the package
 * @param {Sum} counted
 * @returns {{ eligible: number, share: number }} share of the eligible that was fast
 */
function shareOf(part, { fast, handedBack }) {
  const excluded = NOT_ELIGIBLE[part] ?? [];
  const eligible = Object.entries(handedBack)
    .filter(([reason]) => !excluded.includes(reason))
    .reduce((total, [, count]) => total + count, fast);
  return { eligible, share: eligible === 0 ? 0 : fast / eligible };
}

module.exports = { NOT_ELIGIBLE, ENOUGH, sum, shareOf };
