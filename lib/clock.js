'use strict';

// The second of the Date field, by the system's clock. Loaded as early as the
// package is: a program may put another clock in the place of Date.

const { addon } = require('./native');

const { now } = Date;
const isSystems = Function.prototype.toString.call(now) === 'function now() { [native code] }';

/** @returns {number} the second that it is, since 1970, UTC */
const currentSecond = isSystems ? () => Math.floor(now() / 1000) : () => addon.second();

module.exports = { currentSecond };
