'use strict';

const { nestApp, nestExtras } = require('../apps/nest');
const { typical } = require('../typical');

module.exports = {
  packages: ['@nestjs/core', '@nestjs/common', '@nestjs/platform-fastify'],
  server(t) {
    const { FastifyAdapter } = require('@nestjs/platform-fastify');
    return nestApp(t, new FastifyAdapter());
  },
  async conversation(c) {
    await typical(c);
    await nestExtras(c);
  },
};
