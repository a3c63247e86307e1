'use strict';

// What the tests of buildHttpMessage share.

const assert = require('node:assert/strict');

const { buildHttpMessage } = require('../..');

const DATE = /\r\nDate: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n/;

/** A message as text, one character a byte, its Date masked. */
function text(...args) {
  const message = buildHttpMessage(...args);
  assert.ok(Buffer.isBuffer(message));
  return message.toString('latin1').replace(DATE, '\r\nDate: <date>\r\n');
}

/** A head of these lines and the body behind it. */
const message = (lines, body = '') => `${lines.join('\r\n')}\r\n\r\n${body}`;

const OK = 'HTTP/1.1 200 OK';
const DATED = 'Date: <date>';
const KEEP = 'Connection: keep-alive';
const CLOSE = 'Connection: close';
const CHUNKED = 'Transfer-Encoding: chunked';
const length = (count) => `Content-Length: ${count}`;

/** The bytes of an array, which may have lost its memory. */
const copyOf = (bytes) => Buffer.from(Array.from({ length: bytes.length }, (_, i) => bytes[i]));

/** What a call throws, as a plain object. */
function failure(action) {
  try {
    action();
  } catch (error) {
    const { name, code, message: words } = error;
    return { name, code, message: words, type: error.constructor };
  }
  assert.fail('nothing was thrown');
}

const refused = (...args) => failure(() => buildHttpMessage(...args));

/** Fails unless the builder throws that code, and leaves the next message alone. */
function assertRefused(code, ...args) {
  assert.equal(refused(...args).code, code);
  assert.equal(text(200, ['A', 'b'], 'c'), message([OK, 'A: b', DATED, KEEP, length(1)], 'c'));
}

module.exports = {
  buildHttpMessage,
  text,
  message,
  OK,
  DATED,
  KEEP,
  CLOSE,
  CHUNKED,
  length,
  copyOf,
  failure,
  refused,
  assertRefused,
};
