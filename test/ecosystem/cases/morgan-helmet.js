'use strict';

const http = require('node:http');
const { LARGE, leaveSlow } = require('../typical');

const FORMAT =
  ':remote-addr :method :url HTTP/:http-version :status :res[content-length] :res[x-made] :referrer :user-agent';

module.exports = {
  packages: ['morgan', 'helmet', 'on-finished', 'connect'],
  server(t) {
    const app = require('connect')();
    const morgan = require('morgan');
    const onFinished = require('on-finished');
    app.use(morgan(FORMAT, { stream: t.sink('morgan') }));
    app.use(morgan(':method :url', { immediate: true, stream: t.sink('at once') }));
    app.use(require('helmet')());
    app.use((req, res, next) => {
      onFinished(res, (error) => t.log('res finished', error?.code ?? null, res.statusCode));
      onFinished(req, (error) => t.log('req finished', error?.code ?? null, req.complete));
      t.log('is finished', onFinished.isFinished(res), onFinished.isFinished(req));
      next();
    });
    app.use('/slow', () => t.log('slow'));
    app.use('/large', (req, res) => res.end(LARGE));
    app.use('/made', (req, res) => res.writeHead(201, { 'X-Made': 'here' }).end('made'));
    app.use('/read', (req, res) => req.pipe(res));
    app.use('/unread', (req, res) => res.end('not read'));
    app.use('/error', () => {
      throw Object.assign(new Error('thrown by a handler'), { status: 503 });
    });
    app.use('/', (req, res, next) => (req.url === '/' ? res.end('hello') : next()));
    app.on('error', () => {});
    return http.createServer(app);
  },
  async conversation(c) {
    const kept = await c.connect();
    await kept.get('/', 200, { Referer: 'http://elsewhere.test/', 'User-Agent': 'suite/1' });
    await kept.get('/large', 200);
    await kept.get('/made', 201);
    await kept.get('/missing', 404);
    await kept.get('/error', 503);
    await kept.ask('POST', '/read', 200, { body: 'to be sent back' });
    await kept.ask('POST', '/read', 200, { chunks: ['to be ', 'sent back'] });
    await kept.ask('POST', '/unread', 200, { body: 'x'.repeat(1000) });
    await kept.ask('HEAD', '/large', 200);
    await kept.pipeline(['GET', '/', 200], ['GET', '/made', 201], ['GET', '/missing', 404]);
    const closing = await c.connect();
    await closing.get('/', 200, { Connection: 'close' });
    await leaveSlow(c);
    const uploading = await c.connect();
    await uploading.send(
      'begins a body',
      'POST /read HTTP/1.1\r\nHost: site.test\r\nContent-Length: 100\r\n\r\nthe beginning',
    );
    await uploading.destroy();
  },
};
