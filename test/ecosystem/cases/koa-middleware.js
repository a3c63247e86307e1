'use strict';

const http = require('node:http');
const { FILES } = require('../statics');
const { FORM_TYPE, JSON_TYPE, LARGE, MESSAGE } = require('../typical');

module.exports = {
  packages: ['@koa/router', '@koa/cors', 'koa-bodyparser', 'koa-compress', 'koa-static', 'koa3'],
  server(t) {
    const Koa = require('koa3');
    const Router = require('@koa/router');
    const app = new Koa();
    app.silent = true;
    const router = new (Router.Router ?? Router)();
    router.param('id', (id, ctx, next) => {
      ctx.state.id = Number(id);
      return next();
    });
    router.get('/items/:id', (ctx) => {
      ctx.body = { id: ctx.state.id };
    });
    router.post('/items', (ctx) => {
      ctx.status = 201;
      ctx.body = ctx.request.body;
    });
    router.get('/compressed', (ctx) => {
      ctx.type = 'text';
      ctx.body = LARGE;
    });
    app.use(async (ctx, next) => {
      await next();
      t.log('answered', ctx.method, ctx.url, ctx.status);
    });
    app.use(require('@koa/cors')({ credentials: true }));
    app.use(require('koa-compress')({ threshold: 100_000 }));
    app.use(require('koa-static')(t.files(FILES), { maxage: 1000 }));
    app.use(require('koa-bodyparser')({ jsonLimit: '1kb' }));
    app.use(router.routes()).use(router.allowedMethods());
    return http.createServer(app.callback());
  },
  async conversation(c) {
    const kept = await c.connect();
    await kept.get('/items/7', 200);
    await kept.get('/items/7', 200, { Origin: 'http://other.test' });
    await kept.ask('POST', '/items', 201, { headers: JSON_TYPE, body: MESSAGE });
    await kept.ask('POST', '/items', 201, { headers: FORM_TYPE, body: 'a=1&b=2' });
    await kept.ask('POST', '/items', 400, { headers: JSON_TYPE, body: '{' });
    await kept.ask('POST', '/items', 413, { headers: JSON_TYPE, body: `["${'x'.repeat(2000)}"]` });
    const next = kept.client.isClosed ? await c.connect() : kept;
    await next.ask('DELETE', '/items', 405);
    await next.ask('OPTIONS', '/items', 200);
    for (const coding of ['gzip', 'deflate', 'br', 'identity']) {
      await next.get('/compressed', 200, { 'Accept-Encoding': coding });
    }
    await next.get('/style.css', 200);
    await next.ask('HEAD', '/big.txt', 200);
    await next.get('/folder/', 200);
    await next.get('/missing', 404);
    await next.pipeline(['GET', '/items/1', 200], ['GET', '/style.css', 200]);
  },
};
