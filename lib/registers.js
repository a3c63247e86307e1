'use strict';

// How a call to the addon is described: places and values of its registers,
// outcomes, and the joined form of fields. The numbers are the addon's own.

const { addon, registers } = require('./native');

/** Places in `registers`, by name. */
const R = addon === null ? {} : addon.registers;

/** Results below zero of the addon's functions, by name; no errno is as low. */
const OUTCOME = addon === null ? {} : addon.outcomes;

/** Values of the register `Connection`: the connection fields to add. */
const CONNECTION = Object.freeze({ ABSENT: 0, CLOSE: 1, KEEP_ALIVE: 2 });

/** Values of the register `Length` beside a length in bytes. */
const LENGTH = Object.freeze({ ABSENT: -1, CHUNKED: -2 });

/** Values of the register `Body`: the kind of the body argument. */
const BODY = Object.freeze({ NONE: 0, UTF8: 1, LATIN1: 2, BYTES: 3 });

/** Value of the registers `Date`, `Timeout` and `Max` for a field that is not added. */
const ABSENT = -1;

/** Stands behind each name and each value of joined fields. */
const SEPARATOR = '\0';

module.exports = { registers, R, OUTCOME, CONNECTION, LENGTH, BODY, ABSENT, SEPARATOR };
