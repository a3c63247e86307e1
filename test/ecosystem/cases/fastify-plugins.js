'use strict';

const { fieldOf } = require('../response');
const { FILES, statics } = require('../statics');
const { TYPE, multipart } = require('../multipart');
const { LARGE } = require('../typical');
const { UPGRADE, closing, frame } = require('../websocket');

module.exports = {
  packages: [
    '@fastify/static',
    '@fastify/cookie',
    '@fastify/cors',
    '@fastify/multipart',
    '@fastify/websocket',
    '@fastify/compress',
    'fastify',
  ],
  async server(t) {
    const app = require('fastify')();
    app.register(require('@fastify/websocket'));
    app.register(require('@fastify/cors'), { origin: 'http://other.test', maxAge: 60 });
    app.register(require('@fastify/cookie'), { secret: 'fixed' });
    app.register(require('@fastify/multipart'));
    app.register(require('@fastify/compress'), { global: false });
    app.register(require('@fastify/static'), { root: t.files(FILES), dotfiles: 'deny' });
    app.register(async (scope) => {
      scope.get('/chat', { websocket: true }, (socket, request) => {
        t.log('chat', request.url);
        socket.on('message', (message) => socket.send(`heard ${message}`));
        socket.on('close', (code) => t.log('chat closed', code));
      });
      scope.get('/cookies', async (request, reply) => {
        reply.setCookie('id', '7', { signed: true, httpOnly: true });
        reply.clearCookie('old');
        const { id } = request.cookies;
        return { cookies: request.cookies, valid: id ? request.unsignCookie(id).valid : null };
      });
      scope.post('/upload', async (request) => {
        const parts = [];
        for await (const part of request.parts()) {
          const value = part.file ? (await part.toBuffer()).toString('hex') : part.value;
          parts.push({ name: part.fieldname, file: part.filename, value });
        }
        t.log('upload', parts);
        return parts;
      });
      scope.get('/compressed', { compress: { threshold: 100 } }, async (request, reply) => {
        return reply.type('text/plain').send(LARGE);
      });
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { servers: [app.server], close: () => app.close() };
  },
  async conversation(c) {
    await statics(c, { hidden: 403, folder: 200 });
    const kept = await c.connect();
    const cookies = await kept.get('/cookies', 200);
    const cookie = fieldOf(cookies, 'set-cookie');
    await kept.get('/cookies', 200, { Cookie: cookie.split(';')[0], Origin: 'http://other.test' });
    await kept.ask('OPTIONS', '/cookies', 204, {
      headers: { Origin: 'http://other.test', 'Access-Control-Request-Method': 'PUT' },
    });
    const file = { name: 'file', file: 'a.txt', type: 'text/plain', value: 'content' };
    const body = multipart({ name: 'title', value: 'one' }, file);
    await kept.ask('POST', '/upload', 200, { headers: TYPE, body });
    for (const coding of ['gzip', 'br', 'identity']) {
      await kept.get('/compressed', 200, { 'Accept-Encoding': coding });
    }
    const chat = await c.connect();
    await chat.get('/chat', 101, UPGRADE);
    await chat.exchange('a text', frame('text', 'hello'), 'heard hello');
    await chat.closes('says bye', closing(1000, 'bye'));
  },
};
