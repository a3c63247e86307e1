'use strict';

// The second of the Date field, by the system's clock. Loaded as early as the
// package is: a program may put another clock in the place of Date.

const { addon } = require('./native');
const { isNative } = require('./source');

const { now } = Date;

/** @returns {number} the second that it is, since 1970, UTC */
const readSecond = isNative(now, 'now') ? () => Math.floor(now() / 1000) : () => addon.second();

/** The second while it is held, else -1. */
let held = -1;

/** @returns {number} the second that it is, since 1970, UTC */
const currentSecond = () => (held < 0 ? readSecond() : held);

/**
 * Holds the second while one batch of requests is served: Node holds its own
 * until its timers have run.
 */
const holdSecond = () => {
  held = readSecond();
};
const releaseSecond = () => {
  held = -1;
};

module.exports = { currentSecond, holdSecond, releaseSecond };
