'use strict';

// Small GETs, and every tenth request a large upload whose bytes the handler counts.

const http = require('node:http');
const { integer } = require('../lib/cli');

/** `len` is the length of an upload in bytes; one request in `every` is one. */
const options = {
  len: integer(2 ** 20, 1, 2 ** 26),
  every: integer(10, 1, 1000),
};

/** @param {{ len: number, every: number }} options */
function request({ len, every }) {
  const upload = {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: 'u'.repeat(len),
  };
  return [upload, ...Array(every - 1).fill({})];
}

function createServer() {
  return http.createServer((req, res) => {
    if (req.method === 'GET') return res.end('hello world');
    let count = 0;
    req.on('data', (piece) => {
      count += piece.length;
    });
    req.on('end', () => res.end(`${count} bytes`));
  });
}

module.exports = { name: 'http/uploads', options, request, createServer };

if (require.main === module) require('../lib/compare').main(module.exports, __filename);
