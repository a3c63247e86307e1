'use strict';

const http = require('node:http');
const { fieldOf } = require('../response');
const { FORM_TYPE, LARGE, OBJECT, PIECES } = require('../typical');

module.exports = {
  packages: ['compression', 'express-session', 'express5'],
  smoke: true,
  server(t) {
    const express = require('express5');
    const session = require('express-session');
    const app = express();
    app.use(require('compression')({ threshold: 100 }));
    const store = new session.MemoryStore();
    for (const name of ['get', 'set', 'touch', 'destroy']) {
      const method = store[name];
      store[name] = function (id, ...rest) {
        t.log('store', name, id);
        return method.call(this, id, ...rest);
      };
    }
    let ids = 0;
    app.use(
      session({
        store,
        secret: 'fixed',
        genid: () => `session-${++ids}`,
        resave: false,
        saveUninitialized: false,
        rolling: true,
      }),
    );
    app.use(express.urlencoded({ extended: true }));
    app.get('/', (req, res) => res.send('hello'));
    app.get('/large', (req, res) => res.type('text').send(LARGE));
    app.get('/json', (req, res) => res.json(OBJECT));
    app.get('/image', (req, res) => res.type('png').send(Buffer.alloc(5000, 7)));
    app.get('/end', (req, res) => {
      res.setHeader('Content-Type', 'text/plain');
      res.end(LARGE.slice(0, 3000));
    });
    app.get('/head', (req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/plain', 'X-Head': 'yes' });
      res.end(LARGE.slice(0, 3000));
    });
    app.get('/flush', async (req, res) => {
      res.type('text');
      for (const piece of PIECES) {
        res.write(piece);
        res.flush();
        await new Promise(setImmediate);
      }
      res.end();
    });
    app.post('/login', (req, res) => {
      req.session.user = req.body.user;
      res.redirect(303, '/whoami');
    });
    app.get('/whoami', (req, res) => {
      req.session.views = (req.session.views ?? 0) + 1;
      res.json({ user: req.session.user ?? null, views: req.session.views });
    });
    app.post('/again', (req, res) => {
      req.session.regenerate(() => {
        req.session.user = 'regenerated';
        res.send('again');
      });
    });
    app.post('/logout', (req, res) => req.session.destroy(() => res.sendStatus(204)));
    return http.createServer(app);
  },
  async conversation(c) {
    const kept = await c.connect();
    await kept.get('/', 200);
    for (const coding of [
      'gzip',
      'deflate',
      'br',
      'gzip, deflate, br',
      'identity',
      'gzip;q=0, *',
    ]) {
      await kept.get('/large', 200, { 'Accept-Encoding': coding });
    }
    const gzip = { 'Accept-Encoding': 'gzip' };
    await kept.get('/', 200, gzip);
    await kept.get('/json', 200, gzip);
    await kept.get('/image', 200, gzip);
    await kept.get('/end', 200, gzip);
    await kept.get('/head', 200, gzip);
    await kept.get('/flush', 200, gzip);
    await kept.get('/flush', 200);
    await kept.ask('HEAD', '/large', 200, { headers: gzip });
    await kept.pipeline(
      ['GET', '/large', 200, { headers: gzip }],
      ['GET', '/json', 200, { headers: gzip }],
    );
    const login = await kept.ask('POST', '/login', 303, { headers: FORM_TYPE, body: 'user=Ada' });
    const cookie = (response) => ({
      Cookie: fieldOf(response, 'set-cookie').split(';')[0],
    });
    const session = cookie(login);
    await kept.get('/whoami', 200, session);
    await kept.get('/whoami', 200, { ...session, ...gzip });
    await kept.get('/whoami', 200);
    await kept.get('/whoami', 200, { Cookie: 'connect.sid=s%3Asession-1.forged' });
    const again = await kept.ask('POST', '/again', 200, { headers: session });
    await kept.get('/whoami', 200, cookie(again));
    await kept.ask('POST', '/logout', 204, { headers: cookie(again) });
    await kept.get('/whoami', 200, cookie(again));
    const closing = await c.connect();
    await closing.get('/large', 200, { ...gzip, Connection: 'close' });
    const old = await c.connect();
    await old.ask('GET', '/large', 200, { version: '1.0', headers: gzip });
  },
};
