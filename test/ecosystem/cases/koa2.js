'use strict';

const { koaApp } = require('../apps/koa');
const { typical } = require('../typical');

module.exports = {
  packages: ['koa2'],
  server: (t) => koaApp(require('koa2'), t),
  conversation: (c) => typical(c),
};
