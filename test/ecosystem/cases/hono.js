'use strict';

const { routes, user } = require('../apps/web');
const { typical } = require('../typical');

module.exports = {
  packages: ['@hono/node-server', 'hono'],
  server(t) {
    const { createAdaptorServer } = require('@hono/node-server');
    const { Hono } = require('hono');
    const app = new Hono();
    app.use(async (ctx, next) => {
      t.log('before', ctx.req.method, ctx.req.path);
      await next();
      t.log('after', ctx.res.status);
    });
    for (const [route, handler] of Object.entries(routes)) {
      const [method, path] = route.split(' ');
      app.on(method, path, (ctx) => handler(ctx.req.raw));
    }
    app.get('/text', (ctx) => ctx.text('in short', 200, { 'X-Short': 'yes' }));
    app.get('/html', (ctx) => ctx.html('<p>in short</p>'));
    app.get('/users/:id', (ctx) => user(ctx.req.raw, ctx.req.param('id')));
    app.get('/slow', (ctx) => {
      t.log('slow');
      ctx.req.raw.signal.addEventListener('abort', () => t.log('aborted'));
      return new Promise(() => {});
    });
    return createAdaptorServer({ fetch: app.fetch });
  },
  async conversation(c) {
    await typical(c, { headLarge: 500 });
    const kept = await c.connect();
    await kept.get('/text', 200);
    await kept.get('/html', 200);
  },
};
