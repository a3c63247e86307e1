'use strict';

const http = require('node:http');
const { Readable } = require('node:stream');
const { BUFFER, LARGE, OBJECT, PIECES, typical } = require('../typical');

module.exports = {
  packages: ['h3'],
  server(t) {
    const h3 = require('h3');
    const app = h3.createApp({
      onRequest: (event) => t.log('onRequest', event.path),
      onAfterResponse: (event) => t.log('onAfterResponse', event.path),
      onError: (error) => t.log('onError', error.message),
    });
    const router = h3.createRouter();
    const route = (method, path, handler) => router[method](path, h3.eventHandler(handler));
    route('get', '/', () => 'hello');
    route('get', '/json', (event) => {
      if (h3.handleCacheHeaders(event, { etag: '"fixed"', maxAge: 60 })) return;
      return OBJECT;
    });
    route('get', '/users/:id', (event) => {
      h3.setResponseHeader(event, 'X-Answer', ['one', 'two']);
      const asked = h3.getRequestHeader(event, 'x-asked');
      return { ...h3.getRouterParams(event), query: h3.getQuery(event), asked };
    });
    route('post', '/json', async (event) => {
      const body = await h3.readBody(event, { strict: true });
      h3.setResponseStatus(event, 201);
      return body;
    });
    route('post', '/form', (event) => h3.readBody(event));
    route('get', '/redirect', (event) => h3.sendRedirect(event, '/'));
    route('get', '/error', () => {
      throw new Error('thrown by a handler');
    });
    route('get', '/teapot', () => {
      throw h3.createError({
        statusCode: 418,
        statusMessage: 'I am a teapot',
        data: { short: true },
      });
    });
    route('get', '/cookies', (event) => {
      h3.setCookie(event, 'id', '7', { httpOnly: true });
      h3.setCookie(event, 'theme', 'dark');
      return h3.parseCookies(event);
    });
    route('get', '/stream', () => Readable.from(PIECES.map((piece) => Buffer.from(piece))));
    route('get', '/large', () => LARGE);
    route('get', '/buffer', () => BUFFER);
    route('get', '/empty', () => null);
    route('get', '/slow', () => {
      t.log('slow');
      return new Promise(() => {});
    });
    app.use(router);
    return http.createServer(h3.toNodeListener(app));
  },
  async conversation(c) {
    await typical(c, { head: 404 });
    const kept = await c.connect();
    await kept.get('/teapot', 418);
  },
};
