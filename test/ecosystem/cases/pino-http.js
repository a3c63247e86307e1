'use strict';

const http = require('node:http');

module.exports = {
  packages: ['pino-http', 'pino'],
  server(t) {
    const pino = require('pino');
    const logger = pino({ base: null, timestamp: false }, t.sink('pino'));
    let ids = 0;
    const log = require('pino-http')({
      logger,
      genReqId: (req) => req.headers['x-request-id'] ?? ++ids,
      customAttributeKeys: { responseTime: 'took' },
      customLogLevel: (req, res, error) => (error || res.statusCode >= 500 ? 'error' : 'info'),
      // Other in each run: the port of the client, and the time that it took.
      serializers: {
        took: () => 'some ms',
        req: ({ id, method, url, headers }) => ({ id, method, url, headers }),
        err: ({ message }) => ({ message }),
      },
    });
    return http.createServer((req, res) => {
      log(req, res);
      req.log.info('in the handler');
      if (req.url === '/slow') return;
      if (req.url === '/error') {
        res.err = new Error('found by the handler');
        res.statusCode = 500;
      }
      if (req.url === '/read') req.pipe(res);
      else if (req.url === '/write')
        res.writeHead(200, { 'X-A': 'b' }).write('one, ', () => res.end('two'));
      else res.end('hello');
    });
  },
  async conversation(c) {
    const kept = await c.connect();
    await kept.get('/', 200);
    await kept.get('/', 200, { 'X-Request-Id': 'given' });
    await kept.get('/error', 500);
    await kept.get('/write', 200);
    await kept.ask('POST', '/read', 200, { body: 'a body' });
    await kept.ask('POST', '/', 200, { body: 'unread' });
    await kept.ask('HEAD', '/', 200);
    await kept.pipeline(['GET', '/', 200], ['GET', '/write', 200], ['GET', '/', 200]);
    const closing = await c.connect();
    await closing.get('/', 200, { Connection: 'close' });
    const left = await c.connect();
    await left.send('asks for /slow', 'GET /slow HTTP/1.1\r\nHost: site.test\r\n\r\n');
    await c.until('/slow');
    await left.destroy();
  },
};
