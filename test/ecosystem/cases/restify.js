'use strict';

const { Readable } = require('node:stream');
const { BUFFER, LARGE, OBJECT, PIECES, typical } = require('../typical');

module.exports = {
  packages: ['restify'],
  // It takes the parser from process.binding(), which is gone in Node 24.
  nodes: [20, 22],
  async server(t) {
    const restify = require('restify');
    const server = restify.createServer({ name: 'site' });
    server.pre((req, res, next) => {
      // Random in each request, and sent with each answer.
      req.id('00000000-0000-4000-8000-000000000000');
      t.log('pre', req.url);
      next();
    });
    server.use(restify.plugins.queryParser(), restify.plugins.bodyParser({ mapParams: false }));
    server.on('after', (req, res, route, error) => {
      t.log('after', req.url, res.statusCode, error?.message ?? null);
    });
    server.on('restifyError', (req, res, error, done) => {
      t.log('restifyError', error.message);
      done();
    });
    const route = (method, path, handler) =>
      server[method](path, (req, res, next) => {
        handler(req, res);
        next();
      });
    route('get', '/', (req, res) => res.send('hello'));
    route('get', '/json', (req, res) => res.send(OBJECT));
    route('head', '/json', (req, res) => res.send(OBJECT));
    route('head', '/large', (req, res) => res.send(LARGE));
    route('get', '/users/:id', ({ params, query, headers }, res) => {
      res.header('X-Answer', ['one', 'two']);
      res.send({ id: params.id, query, asked: headers['x-asked'] });
    });
    route('post', '/json', ({ body }, res) => res.send(201, body));
    route('post', '/form', ({ body }, res) => res.send(body));
    server.get('/redirect', (req, res, next) => res.redirect('/', next));
    server.get('/error', (req, res, next) => next(new Error('thrown by a handler')));
    route('get', '/cookies', (req, res) => {
      res.header('Set-Cookie', 'id=7; HttpOnly');
      res.header('Set-Cookie', 'theme=dark');
      res.send(req.headers.cookie);
    });
    route('get', '/stream', (req, res) => Readable.from(PIECES).pipe(res));
    route('get', '/large', (req, res) => res.sendRaw(LARGE));
    route('get', '/buffer', (req, res) => res.send(BUFFER));
    route('get', '/empty', (req, res) => res.send(204));
    server.get('/slow', (req, res, next) => t.log('slow'));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server.server;
  },
  conversation: (c) => typical(c, { options: 405, h2c: null }),
};
