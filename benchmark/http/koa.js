'use strict';

// An object answered by Koa.

const http = require('node:http');

function createServer() {
  const Koa = require('koa');
  const app = new Koa();
  app.use((ctx) => {
    ctx.body = { hello: 'world' };
  });
  return http.createServer(app.callback());
}

module.exports = {
  name: 'http/koa',
  options: {},
  packages: ['koa'],
  request: () => ({}),
  createServer,
};

if (require.main === module) require('../lib/compare').main(module.exports, __filename);
