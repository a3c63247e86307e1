'use strict';

// The second of the Date field, by the system's clock. Loaded as early as the
// package is: a program may put another clock in the place of Date.

const { addon } = require('./native');
const { isNative } = require('./source');

const { now } = Date;

/** @returns {number} the second that it is, since 1970, UTC */
const currentSecond = isNative(now, 'now') ? () => Math.floor(now() / 1000) : () => addon.second();

module.exports = { currentSecond };
