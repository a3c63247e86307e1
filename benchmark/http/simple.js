'use strict';

// After benchmark/http/simple.js of Node: a small answer with a head from writeHead() and one or more pieces of body.

const http = require('node:http');
const { choice, integer } = require('../lib/cli');

const bodies = {
  bytes: (len) => 'C'.repeat(len),
  buffer: (len) => Buffer.alloc(len, 'C'),
  utf8: (len) => 'ü'.repeat(len),
};

/** `len` is in characters, so `type=utf8` has twice as many bytes. */
const options = {
  type: choice('bytes', 'buffer', 'utf8'),
  len: integer(4, 0, 2 ** 28),
  chunks: integer(1, 1, 10_000),
  chunkedEnc: integer(0, 0, 1),
};

/** @param {{ type: string, len: number, chunks: number, chunkedEnc: number }} options */
function createServer({ type, len, chunks, chunkedEnc }) {
  const body = bodies[type](len);
  const byteLength = Buffer.byteLength(body);
  const step = Math.floor(len / chunks) || 1;
  const last = body.slice((chunks - 1) * step);
  const others = Array.from({ length: chunks - 1 }, (_, i) => body.slice(i * step, (i + 1) * step));
  return http.createServer((req, res) => {
    if (chunkedEnc) {
      res.writeHead(200, { 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked' });
    } else {
      res.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': byteLength });
    }
    for (const piece of others) res.write(piece);
    res.end(last);
  });
}

module.exports = { name: 'http/simple', options, request: () => ({}), createServer };

if (require.main === module) require('../lib/compare').main(module.exports, __filename);
