'use strict';
// The application of Fastify 4 and 5.

const { Readable } = require('node:stream');
const { BUFFER, LARGE, OBJECT, PIECES, typical } = require('../typical');

/**
 * @param {import('fastify').fastify} fastify
 * @param {import('../child/toolbox').Toolbox} t
 */
async function fastifyApp(fastify, t) {
  const app = fastify({ genReqId: () => 'id', disableRequestLogging: true });
  for (const hook of ['onRequest', 'preHandler', 'onSend', 'onResponse']) {
    app.addHook(hook, async (request, reply) => t.log(hook, request.url, reply.statusCode));
  }
  app.addHook('onRequestAbort', async (request) => t.log('onRequestAbort', request.url));
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (request, body) => Object.fromEntries(new URLSearchParams(body)),
  );
  app.get('/', async () => 'hello');
  const text = { type: 'string' };
  const response = { 200: { type: 'object', properties: { hello: text }, required: ['hello'] } };
  app.get('/schema', { schema: { response } }, async () => OBJECT);
  app.get('/json', async () => OBJECT);
  app.get('/users/:id', async (request, reply) => {
    reply.header('X-Answer', ['one', 'two']);
    const { params, query, headers, ip, id } = request;
    return { ...params, query, asked: headers['x-asked'], ip, request: id };
  });
  app.post('/json', async (request, reply) => reply.code(201).send(request.body));
  app.post('/form', async (request) => request.body);
  app.get('/redirect', async (request, reply) => reply.redirect('/'));
  app.get('/error', async () => {
    throw new Error('thrown by a handler');
  });
  app.get('/cookies', async (request, reply) => {
    reply.header('Set-Cookie', 'id=7; HttpOnly').header('Set-Cookie', 'theme=dark; Secure');
    return request.headers.cookie;
  });
  app.get('/stream', async (request, reply) =>
    reply.type('text/plain').send(Readable.from(PIECES)),
  );
  app.get('/large', async () => LARGE);
  app.get('/buffer', async () => BUFFER);
  app.get('/empty', async (request, reply) => reply.code(204).send());
  app.get('/slow', () => {
    t.log('slow');
    return new Promise(() => {});
  });
  app.get('/hijacked', (request, reply) => {
    reply.hijack();
    reply.raw.end('by the program itself');
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { servers: [app.server], close: () => app.close() };
}

/** @param {import('../conversation').Conversation} c */
async function fastifyConversation(c) {
  await typical(c);
  const kept = await c.connect();
  await kept.get('/schema', 200);
  await kept.get('/hijacked', 200);
  await kept.ask('PUT', '/json', 404, { body: 'x' });
  await kept.ask('POST', '/json', 415, {
    headers: { 'Content-Type': 'text/strange' },
    body: 'x',
  });
}

module.exports = { fastifyApp, fastifyConversation };
