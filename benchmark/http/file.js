'use strict';

// A file server's answer: its length in the head, its bytes piped from createReadStream().

const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { integer } = require('../lib/cli');

/** `len` is the length of the file in bytes. */
const options = { len: integer(64 * 1024, 0, 2 ** 28) };

/** @param {{ len: number }} options */
function createServer({ len }) {
  const file = path.join(__dirname, '..', '..', 'target', `benchmark-file-${len}`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, Buffer.alloc(len, 'f'));
  return http.createServer((req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': len });
    fs.createReadStream(file).pipe(res);
  });
}

module.exports = { name: 'http/file', options, request: () => ({}), createServer };

if (require.main === module) require('../lib/compare').main(module.exports, __filename);
