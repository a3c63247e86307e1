'use strict';

const { koaApp } = require('../apps/koa');
const { typical } = require('../typical');

module.exports = {
  packages: ['koa3'],
  smoke: true,
  server: (t) => koaApp(require('koa3'), t),
  conversation: (c) => typical(c),
};
