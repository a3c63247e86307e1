'use strict';
// The server behind a proxy.

const http = require('node:http');
const { LARGE, PIECES } = require('../typical');

const routes = {
  '/stream'(req, res) {
    for (const piece of PIECES) res.write(piece);
    res.end();
  },
  '/large': (req, res) => res.end(LARGE),
  '/close': (req, res) => res.setHeader('Connection', 'close').end('closed'),
  '/empty': (req, res) => res.writeHead(204).end(),
  '/error': (req, res) => res.writeHead(500, 'Very Broken').end('broken'),
  '/redirect': (req, res) => res.writeHead(302, { Location: 'http://behind.test/there' }).end(),
  '/cookies': (req, res) =>
    res.writeHead(200, { 'Set-Cookie': ['a=1; Domain=behind.test', 'b=2'] }).end(),
  '/break'(req, res) {
    res.setHeader('Content-Length', 100);
    res.write('half of ', () => res.destroy());
  },
};

/** What it was asked comes back, without what differs from run to run. */
function echo(req, res) {
  const { host, 'x-forwarded-port': _port, ...headers } = req.headers;
  let body = '';
  req.setEncoding('latin1');
  req.on('data', (data) => {
    body += data;
  });
  req.on('end', () => {
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify({ method: req.method, url: req.url, headers, body }));
  });
}

function upstream() {
  const server = http.createServer((req, res) => (routes[req.url] ?? echo)(req, res));
  server.on('upgrade', (req, socket) => {
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    );
    socket.pipe(socket);
  });
  return new Promise((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1' }, () => resolve(server));
  });
}

/** The conversation with a proxy. @param {import('../conversation').Conversation} c */
async function proxied(c) {
  const kept = await c.connect();
  await kept.get('/', 200, { Accept: '*/*', 'X-Custom': 'one' });
  await kept.ask('POST', '/form', 200, { body: 'name=Ada', headers: { 'Content-Type': 'a/b' } });
  await kept.ask('PUT', '/chunked', 200, { chunks: ['piece one, ', 'piece two'] });
  await kept.ask('DELETE', '/item/1', 200);
  await kept.get('/stream', 200);
  await kept.get('/large', 200);
  await kept.get('/close', 200);
  const next = kept.client.isClosed ? await c.connect() : kept;
  await next.get('/empty', 204);
  await next.get('/error', 500);
  await next.get('/redirect', 302);
  await next.get('/cookies', 200);
  await next.ask('HEAD', '/large', 200);
  await next.pipeline(['GET', '/a', 200], ['GET', '/b', 200]);
  const closing = await c.connect();
  await closing.get('/a', 200, { Connection: 'close' });
  const old = await c.connect();
  await old.ask('GET', '/large', 200, { version: '1.0' });
  const upgraded = await c.connect();
  await upgraded.get('/socket', 101, { Connection: 'Upgrade', Upgrade: 'websocket' });
  await upgraded.exchange('bytes through the tunnel', 'there and back', 'back');
  await upgraded.destroy();
}

module.exports = { upstream, proxied };
