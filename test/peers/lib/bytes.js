'use strict';

// Bodies that are the same on every run, and in which no two places look alike.

const { createHash } = require('node:crypto');

/** @param {string | Buffer} data */
const sha256 = (data) => createHash('sha256').update(data).digest('hex');

/**
 * @param {number} size in bytes
 * @returns {Buffer} the first bytes of one endless sequence
 */
function pattern(size) {
  const bytes = Buffer.allocUnsafe(size);
  let state = 1;
  for (let i = 0; i < size; i++) {
    // The generator of Park and Miller.
    state = (state * 48271) % 0x7fffffff;
    bytes[i] = state >> 8;
  }
  return bytes;
}

/** @param {Buffer} body @returns {string} itself where it is short, else its length and hash */
function digest(body) {
  if (body.length <= 2048) return body.toString('latin1');
  return `${body.length} bytes, sha256 ${sha256(body)}`;
}

module.exports = { digest, pattern, sha256 };
