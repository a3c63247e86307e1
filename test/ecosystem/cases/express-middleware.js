'use strict';

const http = require('node:http');
const { fieldOf } = require('../response');
const { JSON_TYPE } = require('../typical');

module.exports = {
  packages: [
    'cors',
    'cookie-parser',
    'express-rate-limit',
    'method-override',
    'passport',
    'serve-favicon',
    'response-time',
    'express4',
  ],
  measured: { target: '/jsonp?callback=take', headers: {} },
  server(t) {
    const express = require('express4');
    const passport = require('passport');
    const app = express();
    // What it measures is other in each run: the field is there, the time is fixed.
    app.use(require('response-time')((req, res) => res.setHeader('X-Response-Time', 'some ms')));
    const icon = Buffer.from('00000100', 'hex');
    app.use(require('serve-favicon')(icon));
    app.use(
      require('cors')({ origin: /other\.test$/, credentials: true, exposedHeaders: ['X-A'] }),
    );
    app.use(require('cookie-parser')('fixed'));
    app.use(require('method-override')('X-HTTP-Method-Override'));
    passport.use({
      name: 'token',
      authenticate({ headers: { authorization } }) {
        if (authorization === 'Bearer right') this.success({ name: 'Ada' });
        else if (authorization) this.fail('Bearer', 403);
        else this.fail('Bearer');
      },
    });
    app.use(passport.initialize());
    app.get('/cookies', (req, res) => {
      t.log('cookies', req.cookies, req.signedCookies);
      res.cookie('id', '7', { signed: true }).clearCookie('old').cookie('obj', { a: 1 });
      res.json(req.signedCookies);
    });
    app.get('/user', passport.authenticate('token', { session: false }), (req, res) => {
      res.json(req.user);
    });
    const limit = require('express-rate-limit').rateLimit({
      windowMs: 3_600_000,
      limit: 2,
      standardHeaders: false,
      legacyHeaders: false,
      handler(req, res, next, { statusCode, message }) {
        t.log('limited', req.url);
        res.status(statusCode).send(message);
      },
    });
    app.get('/limited', limit, (req, res) => res.send('within the limit'));
    app.delete('/item', (req, res) => res.send('deleted'));
    app.get('/format', (req, res) => {
      res.format({
        text: () => res.send('as text'),
        html: () => res.send('<p>as HTML</p>'),
        json: () => res.json({ as: 'JSON' }),
      });
    });
    app.get('/jsonp', (req, res) => res.jsonp({ a: '\u2028' }));
    app.get('/download', (req, res) => res.attachment('übung.txt').send('to be kept'));
    app.get('/file', (req, res) => res.sendFile('a.txt', { root: t.folder + '/files' }));
    app.get('/links', (req, res) =>
      res.links({ next: '/2' }).vary('Accept').append('X-A', 'b').end(),
    );
    t.files({ 'a.txt': 'a file' });
    return http.createServer(app);
  },
  async conversation(c) {
    const kept = await c.connect();
    await kept.get('/favicon.ico', 200);
    const cookies = await kept.get('/cookies', 200);
    const cookie = fieldOf(cookies, 'set-cookie');
    await kept.get('/cookies', 200, { Cookie: `${cookie.split(';')[0]}; plain=1; j=j%3A%7B%7D` });
    const origin = { Origin: 'http://other.test' };
    await kept.get('/links', 200, origin);
    await kept.ask('OPTIONS', '/links', 204, {
      headers: { ...origin, 'Access-Control-Request-Method': 'PUT' },
    });
    await kept.get('/user', 401);
    await kept.get('/user', 403, { Authorization: 'Bearer wrong' });
    await kept.get('/user', 200, { Authorization: 'Bearer right' });
    for (const status of [200, 200, 429]) await kept.get('/limited', status);
    await kept.ask('POST', '/item', 200, { headers: { 'X-HTTP-Method-Override': 'DELETE' } });
    for (const type of ['text/plain', 'text/html', 'application/json', '*/*']) {
      await kept.get('/format', 200, { Accept: type });
    }
    await kept.get('/format', 406, { Accept: 'image/png' });
    await kept.get('/jsonp?callback=take', 200);
    await kept.get('/download', 200);
    await kept.get('/file', 200);
    await kept.ask('HEAD', '/file', 200);
    await kept.ask('POST', '/missing', 404, { headers: JSON_TYPE, body: '{}' });
    await kept.pipeline(['GET', '/user', 401], ['GET', '/file', 200], ['GET', '/format', 200]);
  },
};
