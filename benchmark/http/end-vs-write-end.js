'use strict';

// After benchmark/http/end-vs-write-end.js of Node: a large body given to end(), or to write() before an empty end().
// No head is written: end() gives the message a Content-Length, write() makes it chunked.

const http = require('node:http');
const { choice, integer } = require('../lib/cli');

const bodies = {
  asc: (len) => 'a'.repeat(len),
  utf: (len) => 'ü'.repeat(len / 2),
  buf: (len) => Buffer.alloc(len, 'x'),
};

const answers = {
  end: (res, body) => res.end(body),
  'write-end': (res, body) => {
    res.write(body);
    res.end();
  },
};

/** `len` is in bytes. */
const options = {
  method: choice(...Object.keys(answers)),
  type: choice(...Object.keys(bodies)),
  len: integer(64 * 1024, 0, 2 ** 28),
  c: integer(100, 1, 10_000),
};

/** @param {{ method: string, type: string, len: number }} options */
function createServer({ method, type, len }) {
  const body = bodies[type](len);
  const answer = answers[method];
  return http.createServer((req, res) => answer(res, body));
}

module.exports = { name: 'http/end-vs-write-end', options, request: () => ({}), createServer };

if (require.main === module) require('../lib/compare').main(module.exports, __filename);
