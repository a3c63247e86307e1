'use strict';

const http = require('node:http');
const { proxied, upstream } = require('../apps/upstream');

module.exports = {
  packages: ['http-proxy'],
  smoke: true,
  async server(t) {
    const behind = await upstream();
    const agent = new http.Agent({ keepAlive: true });
    const { port } = behind.address();
    const proxy = require('http-proxy').createProxyServer({
      target: { host: '127.0.0.1', port },
      cookieDomainRewrite: 'site.test',
      agent,
    });
    proxy.on('proxyRes', (answer, req) => t.log('proxyRes', req.url, answer.statusCode));
    proxy.on('error', (error, req, res) => {
      t.log('error', error.code, req.url);
      res.writeHead?.(502).end('bad gateway');
    });
    const server = http.createServer((req, res) => {
      const target = req.url === '/nobody' ? { target: 'http://127.0.0.1:1' } : {};
      proxy.web(req, res, target);
    });
    server.on('upgrade', (req, socket, head) => proxy.ws(req, socket, head, { agent: false }));
    return { servers: [server], behind: [behind], close: () => agent.destroy() };
  },
  async conversation(c) {
    await proxied(c);
    const kept = await c.connect();
    await kept.get('/nobody', 502);
  },
};
