'use strict';

// An API's answer: three header fields from setHeader() and a body from JSON.stringify().

const http = require('node:http');

const order = { id: 4711, customer: 'Ada Lovelace', paid: true, items: ['tea', 'milk', 'sugar'] };

function createServer() {
  return http.createServer((req, res) => {
    const body = JSON.stringify(order);
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeader('Content-Length', Buffer.byteLength(body));
    res.setHeader('Cache-Control', 'no-store');
    res.end(body);
  });
}

module.exports = { name: 'http/json', options: {}, request: () => ({}), createServer };

if (require.main === module) require('../lib/compare').main(module.exports, __filename);
