'use strict';

// An object answered by Fastify.

async function createServer() {
  const app = require('fastify')();
  app.get('/', (request, reply) => reply.send({ hello: 'world' }));
  await app.ready();
  return app.server;
}

module.exports = {
  name: 'http/fastify',
  options: {},
  packages: ['fastify'],
  request: () => ({}),
  createServer,
};

if (require.main === module) require('../lib/compare').main(module.exports, __filename);
