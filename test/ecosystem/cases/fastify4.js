'use strict';

const { fastifyApp, fastifyConversation } = require('../apps/fastify');

module.exports = {
  packages: ['fastify4'],
  server: (t) => fastifyApp(require('fastify4'), t),
  conversation: fastifyConversation,
};
