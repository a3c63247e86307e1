'use strict';

const http = require('node:http');

module.exports = {
  packages: ['prom-client'],
  server(t) {
    const { Counter, Gauge, Histogram, Registry } = require('prom-client');
    const registers = [new Registry()];
    const help = 'of the requests';
    const count = new Counter({ name: 'count', help, labelNames: ['status'], registers });
    const under = new Gauge({ name: 'under_way', help, registers });
    const bytes = new Histogram({ name: 'bytes', help, buckets: [150, 300], registers });
    return http.createServer(async (req, res) => {
      under.inc();
      res.on('finish', () => {
        count.inc({ status: res.statusCode });
        bytes.observe(Number(res.getHeader('content-length') ?? 0));
      });
      res.on('close', () => under.dec());
      if (req.url === '/metrics') {
        res.setHeader('Content-Type', registers[0].contentType);
        res.end(await registers[0].metrics());
        t.log('metrics told');
      } else if (req.url === '/slow') {
        t.log('slow');
      } else {
        res.statusCode = req.url === '/' ? 200 : 404;
        res.setHeader('Content-Length', 5);
        res.end('hello');
      }
    });
  },
  async conversation(c) {
    const kept = await c.connect();
    await kept.get('/', 200);
    await kept.get('/missing', 404);
    await kept.get('/metrics', 200);
    await kept.pipeline(['GET', '/', 200], ['GET', '/', 200], ['GET', '/metrics', 200]);
    const left = await c.connect();
    await left.send('asks for /slow', 'GET /slow HTTP/1.1\r\nHost: site.test\r\n\r\n');
    await c.until('slow');
    await kept.get('/metrics', 200);
    await left.destroy();
    await kept.get('/metrics', 200);
  },
};
