'use strict';

// A JSON body that the handler reads by 'data' and 'end' and parses; a small JSON answers it.

const http = require('node:http');
const { integer } = require('../lib/cli');

/** `len` is the length of the request's body in bytes. */
const options = { len: integer(1024, 16, 65_536) };

/** @param {{ len: number }} options */
function request({ len }) {
  const rest = JSON.stringify({ text: '' }).length;
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text: 't'.repeat(len - rest) }),
  };
}

function createServer() {
  return http.createServer((req, res) => {
    const pieces = [];
    req.on('data', (piece) => pieces.push(piece));
    req.on('end', () => {
      const { text } = JSON.parse(Buffer.concat(pieces).toString());
      const body = JSON.stringify({ received: text.length });
      res.setHeader('Content-Type', 'application/json');
      res.end(body);
    });
  });
}

module.exports = { name: 'http/post', options, request, createServer };

if (require.main === module) require('../lib/compare').main(module.exports, __filename);
