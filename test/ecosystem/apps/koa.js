'use strict';
// The application of Koa 2 and 3.

const http = require('node:http');
const { Readable } = require('node:stream');
const { text } = require('node:stream/consumers');
const { BUFFER, LARGE, OBJECT, PIECES } = require('../typical');

const routes = {
  'GET /'(ctx) {
    ctx.body = 'hello';
  },
  'GET /json'(ctx) {
    ctx.body = OBJECT;
    ctx.etag = 'fixed';
    if (ctx.fresh) ctx.status = 304;
  },
  async 'POST /json'(ctx) {
    try {
      ctx.body = JSON.parse(await text(ctx.req));
    } catch (error) {
      ctx.throw(400, error.message);
    }
    ctx.status = 201;
  },
  async 'POST /form'(ctx) {
    ctx.body = Object.fromEntries(new URLSearchParams(await text(ctx.req)));
  },
  'GET /redirect'(ctx) {
    ctx.redirect('/');
  },
  'GET /error'() {
    throw new Error('thrown by a handler');
  },
  'GET /cookies'(ctx) {
    ctx.cookies.set('id', '7');
    ctx.cookies.set('theme', 'dark', { httpOnly: false, sameSite: 'lax' });
    ctx.body = ctx.cookies.get('a');
  },
  'GET /stream'(ctx) {
    ctx.type = 'text';
    ctx.body = Readable.from(PIECES);
  },
  'GET /large'(ctx) {
    ctx.body = LARGE;
  },
  'GET /buffer'(ctx) {
    ctx.body = BUFFER;
  },
  'GET /empty'(ctx) {
    ctx.status = 204;
  },
};

/** @param {import('koa')} Koa @param {import('../child/toolbox').Toolbox} t */
function koaApp(Koa, t) {
  const app = new Koa();
  app.on('error', (error, ctx) => t.log('error', error.message, ctx?.path));
  app.use(async (ctx, next) => {
    t.log('before', ctx.method, ctx.url);
    ctx.set('X-Before', 'yes');
    await next();
    t.log('after', ctx.status, ctx.headerSent);
  });
  app.use((ctx) => {
    const user = /^\/users\/(\d+)$/.exec(ctx.path);
    if (user) {
      ctx.set('X-Answer', ['one', 'two']);
      ctx.body = { id: user[1], query: ctx.query, asked: ctx.get('x-asked'), ip: ctx.ip };
      return;
    }
    if (ctx.path === '/slow') {
      t.log('slow');
      return new Promise(() => {});
    }
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
    return routes[`${method} ${ctx.path}`]?.(ctx);
  });
  return http.createServer(app.callback());
}

module.exports = { koaApp };
