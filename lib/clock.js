'use strict';

// The second of the Date field, renewed as Node's utcDate() is: by one timer a
// second while there are responses, so that asking costs nothing. Loaded as
// early as the package is: a program may put another Date or timers there.

const { setTimeout } = require('node:timers');

const now = Date.now;

/** Seconds since 1970, -1 when they must be read anew. */
let second = -1;

function reset() {
  second = -1;
}

/** @returns {number} the second that it is, since 1970, UTC */
function currentSecond() {
  if (second < 0) {
    const ms = now();
    second = Math.floor(ms / 1000);
    setTimeout(reset, 1000 - (ms % 1000)).unref();
  }
  return second;
}

module.exports = { currentSecond };
