'use strict';

const { Readable } = require('node:stream');
const { BUFFER, LARGE, OBJECT, PIECES, typical } = require('../typical');

module.exports = {
  packages: ['@hapi/hapi'],
  async server(t) {
    const Hapi = require('@hapi/hapi');
    const server = Hapi.server({ port: 0, host: '127.0.0.1', debug: false });
    server.state('id', { isSecure: false, ignoreErrors: true });
    server.events.on('response', ({ method, path, response }) => {
      t.log('response', method, path, response?.statusCode ?? null);
    });
    server.ext('onPreResponse', (request, h) => {
      t.log('onPreResponse', request.path);
      return h.continue;
    });
    const route = (method, path, handler, options) =>
      server.route({ method, path, handler, options });
    route('GET', '/', () => 'hello');
    route('GET', '/json', (request, h) => h.response(OBJECT).etag('fixed'));
    route('GET', '/users/{id}', ({ params, query, headers, info }, h) => {
      const user = { ...params, query, asked: headers['x-asked'], ip: info.remoteAddress };
      return h.response(user).header('X-Answer', 'one').header('X-Answer', 'two', { append: true });
    });
    route('POST', '/json', ({ payload }, h) => h.response(payload).code(201));
    route('POST', '/form', ({ payload }) => payload);
    route('GET', '/redirect', (request, h) => h.redirect('/'));
    route('GET', '/error', () => {
      throw new Error('thrown by a handler');
    });
    route('GET', '/cookies', ({ state }, h) => h.response(state).state('id', '7').state('b', 'c'), {
      state: { failAction: 'ignore' },
    });
    route('GET', '/stream', (request, h) =>
      h.response(Readable.from(PIECES, { objectMode: false })).type('text/plain'),
    );
    route('GET', '/large', () => LARGE);
    route('GET', '/buffer', () => BUFFER);
    route('GET', '/empty', (request, h) => h.response().code(204));
    route('GET', '/slow', () => {
      t.log('slow');
      return new Promise(() => {});
    });
    await server.start();
    return { servers: [server.listener], close: () => server.stop() };
  },
  async conversation(c) {
    await typical(c);
    const kept = await c.connect();
    await kept.get('/large', 200, { 'Accept-Encoding': 'gzip' });
    await kept.get('/large', 206, { Range: 'bytes=0-9' });
  },
};
