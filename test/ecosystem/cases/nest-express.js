'use strict';

const { nestApp, nestExtras } = require('../apps/nest');
const { typical } = require('../typical');

module.exports = {
  packages: ['@nestjs/core', '@nestjs/common', '@nestjs/platform-express'],
  smoke: true,
  server(t) {
    const { ExpressAdapter } = require('@nestjs/platform-express');
    return nestApp(t, new ExpressAdapter());
  },
  async conversation(c) {
    await typical(c);
    await nestExtras(c);
  },
};
