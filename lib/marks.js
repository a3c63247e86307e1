'use strict';

// What the addon says of a request or a connection that it gives up: numbers in
// a shared array, and the text of the head that they are places in.

const shapes = require('./internals/shapes');
const { addon } = require('./native');

// A copy, which is faster to read than what the addon made.
const M = { ...addon?.marks };

/** Places by M. Must never leave this package, for the addon keeps the address. */
const marks = new Uint32Array(8192);

/** The last read, likewise. */
const input = Buffer.allocUnsafeSlow(M.Full ?? 0);
// Before a program can have put others in their place, which would be given it.
const { copy, subarray } = input;

/** Methods by their numbers. */
const METHODS = Object.keys(addon?.methods ?? {});

/** Names of the reasons for a hand-back by their numbers. */
const REASONS = new Map(
  Object.entries(addon?.engineReasons ?? {}).map(([name, number]) => [number, name]),
);

/** A request as Node is given it. There is one at a time. */
const request = {
  method: '',
  target: '',
  /** Names and values in turn. @type {string[]} */
  fields: [],
  /** What Node would make of the fields; null to let it. @type {object | null} */
  headers: null,
  persists: true,
  /** The pieces that the body came in. @type {Buffer[]} */
  pieces: [],
};

/** Reads the request that was taken last, of which this is the head. */
function readRequest(head) {
  request.method = METHODS[marks[M.Method]];
  request.target = head.slice(marks[M.TargetStart], marks[M.TargetEnd]);
  request.persists = marks[M.Persists] === 1;
  request.headers = null;
  const count = marks[M.Fields];
  request.fields = readFields(head, count);
  request.pieces = readPieces(M.Spans + 4 * count);
}

function readFields(head, count) {
  const number = marks[M.Shape];
  const shape = number === 0 ? undefined : (shapes.shapeOf(number) ?? learn(head, number));
  let at = M.Spans;
  if (shape === undefined) {
    const fields = new Array(2 * count);
    for (let i = 0; i < 2 * count; i++) fields[i] = head.slice(marks[at++], marks[at++]);
    return fields;
  }
  const fields = shape.raw.slice();
  const { keys } = shape;
  const headers = keys === null ? null : { ...shape.template };
  for (let i = 0; i < count; i++, at += 4) {
    const value = head.slice(marks[at + 2], marks[at + 3]);
    fields[2 * i + 1] = value;
    if (headers !== null) headers[keys[i]] = value;
  }
  request.headers = headers;
  return fields;
}

function learn(head, number) {
  const names = [];
  for (let i = 0; i < marks[M.Fields]; i++) {
    const at = M.Spans + 4 * i;
    names.push(head.slice(marks[at], marks[at + 1]));
  }
  return shapes.learn(number, names);
}

function readPieces(place) {
  const pieces = new Array(marks[M.Pieces]);
  const base = marks[M.Base];
  for (let i = 0; i < pieces.length; i++) {
    const at = place + 2 * i;
    pieces[i] = copyOf(base + marks[at], base + marks[at + 1]);
  }
  return pieces;
}

/** Bytes of the read, in memory of their own, as Node's parser gives them. */
function copyOf(start, end) {
  const bytes = Buffer.allocUnsafeSlow(end - start);
  copy.call(input, bytes, 0, start, end);
  return bytes;
}

/**
 * @typedef {object} Rest bytes of the last read for Node's parser to go on with
 * @property {Buffer} bytes them, until the next read
 * @property {number} start where they begin in the read
 * @property {() => Buffer} whole a copy of the read up to their end
 */

/**
 * @param {boolean} again whether it is to have the request that was taken last as well
 * @returns {Rest | null} null for nothing
 */
function takeRest(again) {
  const base = marks[M.Base];
  const end = base + marks[M.RestStart] + marks[M.Rest];
  const start = again ? base : base + marks[M.RestStart];
  if (start === end) return null;
  addon.skip();
  return { bytes: subarray.call(input, start, end), start, whole: () => copyOf(0, end) };
}

module.exports = { M, METHODS, REASONS, marks, input, request, readRequest, takeRest };
