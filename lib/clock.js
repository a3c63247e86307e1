'use strict';

// The second of the Date field, renewed as Node's utcDate() is: by one timer a
// second while there are responses, so that asking costs nothing.

const { setTimeout } = require('node:timers');

/** Seconds since 1970, -1 when they must be read anew. */
let second = -1;

function reset() {
  second = -1;
}

/** @returns {number} the second that it is, since 1970, UTC */
function currentSecond() {
  if (second < 0) {
    const now = Date.now();
    second = Math.floor(now / 1000);
    setTimeout(reset, 1000 - (now % 1000)).unref();
  }
  return second;
}

module.exports = { currentSecond };
