'use strict';

const { expressApp } = require('../apps/express');
const { typical } = require('../typical');

module.exports = {
  packages: ['express4'],
  smoke: true,
  server: (t) => expressApp(require('express4'), t),
  conversation: (c) => typical(c, { options: 200 }),
};
