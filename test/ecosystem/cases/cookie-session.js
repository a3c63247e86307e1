'use strict';

const http = require('node:http');

module.exports = {
  packages: ['cookie-session', 'connect', 'on-headers'],
  measured: { target: '/count', headers: {} },
  server(t) {
    const app = require('connect')();
    const onHeaders = require('on-headers');
    app.use((req, res, next) => {
      onHeaders(res, function () {
        t.log('on-headers', this.statusCode, this.getHeaderNames());
        this.setHeader('X-Late', 'yes');
        if (req.originalUrl === '/status') this.statusCode = 202;
      });
      next();
    });
    app.use(require('cookie-session')({ name: 'session', keys: ['one', 'two'] }));
    app.use('/count', (req, res) => {
      req.session.count = (req.session.count ?? 0) + 1;
      res.end(`${req.session.count} times`);
    });
    app.use('/drop', (req, res) => {
      req.session = null;
      res.end('dropped');
    });
    app.use('/head', (req, res) => {
      req.session.seen = true;
      res.writeHead(201, 'Made', { 'X-Head': 'given' });
      res.end('with a head');
    });
    app.use('/array', (req, res) => {
      res.writeHead(200, [
        ['X-Head', 'one'],
        ['X-Head', 'two'],
      ]);
      res.end('with pairs');
    });
    app.use('/flush', (req, res) => {
      res.flushHeaders();
      res.end('flushed before');
    });
    app.use('/status', (req, res) => res.end('another status'));
    app.use('/empty', (req, res) => res.end());
    return http.createServer(app);
  },
  async conversation(c) {
    const kept = await c.connect();
    const jar = new Map();
    const get = async (target, status) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await kept.get(target, status, cookie ? { Cookie: cookie } : {});
      for (const [name, value] of response.fields) {
        if (name !== 'set-cookie') continue;
        const [key, content] = value.split(';')[0].split('=');
        jar.set(key, content);
      }
    };
    for (let i = 0; i < 3; i++) await get('/count', 200);
    await get('/head', 201);
    await get('/array', 200);
    await get('/flush', 200);
    await get('/status', 202);
    await get('/empty', 200);
    await get('/drop', 200);
    await kept.get('/count', 200, { Cookie: 'session=eyJjb3VudCI6OX0=; session.sig=forged' });
    await kept.ask('HEAD', '/count', 200);
    await kept.pipeline(['GET', '/count', 200], ['GET', '/head', 201], ['GET', '/count', 200]);
    const closing = await c.connect();
    await closing.get('/count', 200, { Connection: 'close' });
  },
};
