'use strict';

const http = require('node:http');
const { UPGRADE, closing, frame } = require('../websocket');

const DEFLATE = { ...UPGRADE, 'Sec-WebSocket-Extensions': 'permessage-deflate' };

module.exports = {
  packages: ['ws'],
  smoke: true,
  server(t) {
    const { WebSocketServer } = require('ws');
    const server = http.createServer((req, res) => res.end('plain http'));
    const sockets = new WebSocketServer({
      server,
      path: '/chat',
      perMessageDeflate: { threshold: 64 },
    });
    sockets.on('connection', (socket, req) => {
      t.log('connection', req.url, req.headers['sec-websocket-key']);
      socket.on('message', (data, isBinary) => {
        t.log('message', data.toString('latin1'), isBinary);
        socket.send(data, { binary: isBinary });
        if (data.toString() === 'everyone') for (const other of sockets.clients) other.send('all');
      });
      socket.on('ping', (data) => t.log('ping', data.toString()));
      socket.on('close', (code, reason) => t.log('close', code, reason.toString()));
      socket.on('error', (error) => t.log('error', error.code));
    });
    return server;
  },
  async conversation(c) {
    const chat = await c.connect();
    await chat.get('/before', 200);
    await chat.get('/chat', 101, UPGRADE);
    await chat.exchange('a text', frame('text', 'hello'), 'hello');
    await chat.exchange('bytes', frame('binary', '\x00\xff end'), ' end');
    await chat.exchange('a long text', frame('text', `${'x'.repeat(1000)}!`), '!');
    await chat.exchange('a ping', frame('ping', 'are you there'), 'there');
    await chat.exchange('two at once', frame('text', 'one') + frame('text', 'two'), 'two');
    const other = await c.connect();
    await other.get('/chat', 101, DEFLATE);
    await chat.exchange('to everyone', frame('text', 'everyone'), 'all');
    await other.exchange('what the others said', '', '\x01\x00');
    await other.exchange('a deflatable answer', frame('text', 'y'.repeat(64)), '\x00\x00');
    await other.closes('says bye', closing(1000, 'bye'));
    const refused = await c.connect();
    await refused.get('/elsewhere', 400, UPGRADE);
    const bad = await c.connect();
    await bad.get('/chat', 400, { ...UPGRADE, 'Sec-WebSocket-Key': 'short' });
    const old = await c.connect();
    await old.get('/chat', 400, { ...UPGRADE, 'Sec-WebSocket-Version': 7 });
    const plain = await c.connect();
    await plain.get('/after', 200);
    const early = await c.connect();
    const head = Object.entries(UPGRADE)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    await early.exchange(
      'a frame right behind the request',
      `GET /chat HTTP/1.1\r\nHost: site.test\r\n${head}\r\n${frame('text', 'eager')}`,
      'eager',
    );
    await chat.closes('an unmasked frame', '\x81\x01a');
    await early.destroy();
  },
};
