'use strict';

// How a call to the addon is described: places and values of its registers,
// outcomes. The numbers are the addon's own.

const { addon } = require('./native');

// Copies: what the addon made has its properties in a table, which takes longer to read.

/** Places in `registers`, by name. */
const R = { ...addon?.registers };

/** Results below zero of the addon's functions, by name; no errno is as low. */
const OUTCOME = { ...addon?.outcomes };

/** Values of the register `Connection`: the connection fields to add. */
const CONNECTION = Object.freeze({ ABSENT: 0, CLOSE: 1, KEEP_ALIVE: 2 });

/** Values of the register `Length` beside a length in bytes. */
const LENGTH = Object.freeze({ ABSENT: -1, CHUNKED: -2 });

/** Values of the register `Body`: the kind of the body argument. */
const BODY = Object.freeze({ NONE: 0, UTF8: 1, LATIN1: 2, BYTES: 3 });

/** Value of the registers `Date`, `Timeout` and `Max` for a field that is not added. */
const ABSENT = -1;

/**
 * The numbers of a call, shared with the addon: written before it, read after
 * it. Must never leave this package, for the addon keeps the address.
 */
const registers = new Float64Array(Object.keys(R).length);

/** Lengths of the names and values of a call, likewise. */
let lengths = new Uint32Array(256);

/** Whether `lengths` is being filled while code of the program may run. */
let filling = false;

if (addon !== null && !addon.bind(registers, lengths)) {
  throw new Error('onewrite: the addon is of another version than the package');
}

function useLengths(array) {
  if (array === lengths) return;
  lengths = array;
  addon.bind(registers, lengths);
}

/**
 * The array for the lengths of a call, to be filled at once.
 * @param {number} count how many there will be
 * @returns {Uint32Array}
 */
function lengthsFor(count) {
  registers[R.Count] = count;
  if (filling || count > lengths.length) {
    filling = false;
    useLengths(new Uint32Array(Math.max(2 * count, 256)));
  }
  return lengths;
}

/**
 * Has `fill` fill an array with the lengths of a call. Code of the program may
 * run meanwhile and come to calls of its own: they leave this array alone.
 * @template T
 * @param {number} count how many there will be
 * @param {(lengths: Uint32Array) => T} fill
 * @returns {T} what `fill` returned
 */
function fillLengths(count, fill) {
  const own = lengthsFor(count);
  filling = true;
  try {
    return fill(own);
  } finally {
    filling = false;
    registers[R.Count] = count;
    useLengths(own);
  }
}

module.exports = {
  registers,
  lengthsFor,
  fillLengths,
  R,
  OUTCOME,
  CONNECTION,
  LENGTH,
  BODY,
  ABSENT,
};
