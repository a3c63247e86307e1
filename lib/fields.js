'use strict';

// What a field name means for framing (Node's matchHeader), looked up once a
// name: programs send the same few names in every response.

/** Kinds of field names. */
const KIND = Object.freeze({
  PLAIN: 0,
  CONNECTION: 1,
  TRANSFER_ENCODING: 2,
  CONTENT_LENGTH: 3,
  DATE: 4,
  KEEP_ALIVE: 5,
  CONTENT_DISPOSITION: 6,
  COOKIE: 7,
  /** Not a name, or one whose treatment is Node's. */
  NODES: 8,
});

const BY_NAME = new Map([
  ['connection', KIND.CONNECTION],
  ['transfer-encoding', KIND.TRANSFER_ENCODING],
  ['content-length', KIND.CONTENT_LENGTH],
  ['date', KIND.DATE],
  ['keep-alive', KIND.KEEP_ALIVE],
  ['content-disposition', KIND.CONTENT_DISPOSITION],
  ['cookie', KIND.COOKIE],
  ['trailer', KIND.NODES],
  ['expect', KIND.NODES],
]);

// RFC 9110 section 5.6.2.
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

// A program that makes names up must not fill the memory with them.
const CACHED = 1024;
const cache = new Map();

/**
 * The kind of a field name, in any casing.
 * @param {unknown} name
 * @returns {number} one of KIND
 */
function kindOf(name) {
  const known = cache.get(name);
  return known === undefined ? classify(name) : known;
}

function classify(name) {
  if (typeof name !== 'string' || !TOKEN.test(name)) return KIND.NODES;
  const kind = BY_NAME.get(name.toLowerCase()) ?? KIND.PLAIN;
  if (cache.size < CACHED) cache.set(name, kind);
  return kind;
}

module.exports = { KIND, kindOf };
