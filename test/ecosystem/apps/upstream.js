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
  let kept = await c.connect();
  // A proxy without connections that it keeps closes those of its clients too.
  const ask = async (...request) => {
    if (kept.client.isClosed) kept = await c.connect();
    return kept.ask(...request);
  };
  await ask('GET', '/', 200, { headers: { Accept: '*/*', 'X-Custom': 'one' } });
  await ask('POST', '/form', 200, { body: 'name=Ada', headers: { 'Content-Type': 'a/b' } });
  await ask('PUT', '/chunked', 200, { chunks: ['piece one, ', 'piece two'] });
  await ask('DELETE', '/item/1', 200);
  await ask('GET', '/stream', 200);
  await ask('GET', '/large', 200);
  await ask('GET', '/close', 200);
  await ask('GET', '/empty', 204);
  await ask('GET', '/error', 500);
  await ask('GET', '/redirect', 302);
  await ask('GET', '/cookies', 200);
  await ask('HEAD', '/large', 200);
  if (!kept.client.isClosed) await kept.pipeline(['GET', '/a', 200], ['GET', '/b', 200]);
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
