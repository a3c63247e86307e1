'use strict';
// The words that cases and helpers share: heads as text, and the masked Date.

const assert = require('node:assert');

// As long as the real value, so that lengths and byte counters stay what they are.
const MASKED = 'Xxx, 00 Xxx 0000 00:00:00 GMT';
const REAL_DATE = /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g;

const DATE = `Date: ${MASKED}`;
const KEEP = 'Connection: keep-alive\r\nKeep-Alive: timeout=5';
const CLOSE = 'Connection: close';

/** The value with every HTTP date in it replaced by text of the same length. */
function mask(value) {
  return typeof value === 'string' ? value.replace(REAL_DATE, MASKED) : value;
}

/** A head: the lines, each ended by CRLF, and the empty line. */
function head(...lines) {
  return lines.concat('', '').join('\r\n');
}

/** A request without a body. */
const ask = (url = '/', ...lines) => head(`GET ${url} HTTP/1.1`, 'Host: a', ...lines);

/** A request with a body; one character is one byte. */
const post = (url, body, ...lines) =>
  head(`POST ${url} HTTP/1.1`, 'Host: a', `Content-Length: ${body.length}`, ...lines) + body;

/** An answer as stock Node frames it on a kept connection; the body is given as the bytes that are sent. */
function ok(body, ...lines) {
  return head('HTTP/1.1 200 OK', ...lines, DATE, KEEP, `Content-Length: ${body.length}`) + body;
}

/** The same on a connection that is closed. */
function okClose(body, ...lines) {
  return head('HTTP/1.1 200 OK', ...lines, DATE, CLOSE, `Content-Length: ${body.length}`) + body;
}

/** A head that writeHead() made with a chunked body: the chunks are given. */
function chunked(chunks, ...lines) {
  return (
    head('HTTP/1.1 200 OK', ...lines, DATE, KEEP, 'Transfer-Encoding: chunked') +
    chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('') +
    '0\r\n\r\n'
  );
}

/** The UTF-8 bytes of the text, one character a byte, as the wire transcripts are kept. */
function utf8(text) {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Shows where two long texts part; an equality assertion would print them whole. */
function assertSameText(actual, expected, what) {
  if (actual === expected) return;
  let at = 0;
  while (at < expected.length && actual[at] === expected[at]) at++;
  const near = (text) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 120));
  assert.fail(
    `${what}: differs at byte ${at} (lengths ${actual.length} and ${expected.length})\n` +
      `  got      ${near(actual)}\n  expected ${near(expected)}`,
  );
}

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const GET_CLOSE = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

const [major, minor] = process.versions.node.split('.').map(Number);

/** Whether this Node is that version or a later one; for changes that came in the middle of a release line. */
function atLeast(wantedMajor, wantedMinor) {
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

module.exports = {
  CLOSE,
  DATE,
  GET,
  GET_CLOSE,
  KEEP,
  MASKED,
  ask,
  assertSameText,
  atLeast,
  chunked,
  head,
  major,
  mask,
  ok,
  okClose,
  post,
  utf8,
};
