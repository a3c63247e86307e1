'use strict';

const { fastifyApp, fastifyConversation } = require('../apps/fastify');

module.exports = {
  packages: ['fastify'],
  smoke: true,
  server: (t) => fastifyApp(require('fastify'), t),
  conversation: fastifyConversation,
};
