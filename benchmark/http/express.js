'use strict';

// An object answered by Express.

const http = require('node:http');

function createServer() {
  const app = require('express')();
  app.get('/', (req, res) => res.json({ hello: 'world' }));
  return http.createServer(app);
}

module.exports = {
  name: 'http/express',
  options: {},
  packages: ['express'],
  request: () => ({}),
  createServer,
};

if (require.main === module) require('../lib/compare').main(module.exports, __filename);
