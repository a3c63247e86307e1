'use strict';

const { expressApp } = require('../apps/express');
const { typical } = require('../typical');

module.exports = {
  packages: ['express5'],
  smoke: true,
  server: (t) => expressApp(require('express5'), t),
  conversation: (c) => typical(c, { options: 200 }),
};
