'use strict';

const http = require('node:http');
const { proxied, upstream } = require('../apps/upstream');

module.exports = {
  packages: ['http-proxy-middleware', 'express5'],
  async server(t) {
    const express = require('express5');
    const { createProxyMiddleware, responseInterceptor } = require('http-proxy-middleware');
    const behind = await upstream();
    const target = `http://127.0.0.1:${behind.address().port}`;
    const app = express();
    app.use(
      '/intercepted',
      createProxyMiddleware({
        target,
        selfHandleResponse: true,
        on: {
          proxyRes: responseInterceptor(async (body, answer, req, res) => {
            t.log('intercepts', req.url, answer.statusCode);
            res.setHeader('X-Intercepted', 'yes');
            return body.toString().toUpperCase();
          }),
        },
      }),
    );
    const proxy = createProxyMiddleware({
      target,
      pathRewrite: { '^/old': '/new' },
      on: { proxyReq: (request, req) => request.setHeader('X-Proxied', req.method) },
    });
    app.use(proxy);
    const server = http.createServer(app);
    server.on('upgrade', proxy.upgrade);
    return { servers: [server], behind: [behind] };
  },
  async conversation(c) {
    await proxied(c);
    for (const target of ['/old/path', '/intercepted/some', '/intercepted/stream']) {
      const connection = await c.connect();
      await connection.get(target, 200);
    }
  },
};
