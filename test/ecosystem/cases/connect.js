'use strict';

const http = require('node:http');
const { bareRoutes, user } = require('../apps/bare');
const { typical } = require('../typical');

module.exports = {
  packages: ['connect'],
  server(t) {
    const app = require('connect')();
    app.use((req, res, next) => {
      t.log('middleware', req.url);
      next();
    });
    const routes = bareRoutes(t);
    app.use('/users', (req, res) => user(req, res, req.url.slice(1).split('?')[0]));
    app.use((req, res, next) => {
      const method = req.method === 'HEAD' ? 'GET' : req.method;
      const handler = routes[`${method} ${req.url}`];
      if (handler) handler(req, res);
      else next();
    });
    app.use('/never', (req, res) => res.end());
    return http.createServer(app);
  },
  conversation: (c) => typical(c),
};
