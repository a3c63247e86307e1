'use strict';
// The application of Express 4 and 5.

const http = require('node:http');
const { Readable } = require('node:stream');
const { BUFFER, LARGE, OBJECT, PIECES } = require('../typical');

/** @param {import('express')} express @param {import('../child/toolbox').Toolbox} t */
function expressApp(express, t) {
  const app = express();
  app.use((req, res, next) => {
    t.log('middleware', req.method, req.url);
    next();
    t.log('after the handler', res.headersSent);
  });
  app.use(express.json(), express.urlencoded({ extended: false }));
  app.get('/', (req, res) => res.send('hello'));
  app.get('/json', (req, res) => res.json(OBJECT));
  app.get('/users/:id', (req, res) => {
    res.set('X-Answer', ['one', 'two']);
    res.json({ id: req.params.id, query: req.query, asked: req.get('x-asked'), ip: req.ip });
  });
  app.post('/json', (req, res) => res.status(201).location('/json/1').json(req.body));
  app.post('/form', (req, res) => res.json(req.body));
  app.get('/redirect', (req, res) => res.redirect('/'));
  app.get('/error', () => {
    throw new Error('thrown by a handler');
  });
  app.get('/cookies', (req, res) => {
    res.cookie('id', '7', { httpOnly: true, sameSite: 'lax' });
    res.cookie('theme', 'dark & blue', { path: '/', secure: true });
    res.type('text').send(req.get('cookie'));
  });
  app.get('/stream', (req, res) => Readable.from(PIECES).pipe(res.type('text')));
  app.get('/large', (req, res) => res.type('text').send(LARGE));
  app.get('/buffer', (req, res) => res.send(BUFFER));
  app.get('/empty', (req, res) => res.status(204).end());
  app.get('/slow', (req, res) => {
    t.log('slow');
  });
  return http.createServer(app);
}

module.exports = { expressApp };
