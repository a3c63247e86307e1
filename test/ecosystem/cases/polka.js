'use strict';

const http = require('node:http');
const { bareRoutes, user } = require('../apps/bare');
const { typical } = require('../typical');

module.exports = {
  packages: ['polka'],
  server(t) {
    const server = http.createServer();
    const app = require('polka')({ server });
    app.use((req, res, next) => {
      t.log('middleware', req.path, req.query);
      next();
    });
    for (const [route, handler] of Object.entries(bareRoutes(t))) {
      const [method, path] = route.split(' ');
      app.add(method, path, handler);
    }
    app.get('/users/:id', (req, res) => user(req, res, req.params.id));
    return new Promise((resolve) => {
      app.listen({ port: 0, host: '127.0.0.1' }, () => resolve(server));
    });
  },
  conversation: (c) => typical(c, { error: null, head: 404 }),
};
