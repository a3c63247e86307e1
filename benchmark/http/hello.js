'use strict';

// The shortest program: end() with a text, and the head that Node gives it.

const http = require('node:http');

function createServer() {
  return http.createServer((req, res) => res.end('hello world'));
}

module.exports = { name: 'http/hello', options: {}, request: () => ({}), createServer };

if (require.main === module) require('../lib/compare').main(module.exports, __filename);
