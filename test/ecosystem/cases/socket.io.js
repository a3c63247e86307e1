'use strict';

const http = require('node:http');
const { utf8 } = require('../typical');
const { UPGRADE, closing, frame } = require('../websocket');

const TYPE = { 'Content-Type': 'text/plain;charset=UTF-8' };

module.exports = {
  packages: ['socket.io'],
  smoke: true,
  server(t) {
    const { Server } = require('socket.io');
    const server = http.createServer((req, res) => res.end('plain http'));
    const io = new Server(server, { cors: { origin: 'http://site.test' }, pingInterval: 600_000 });
    let ids = 0;
    io.engine.generateId = () => `engine-${++ids}`;
    io.on('connection', (socket) => {
      t.log('connection', socket.conn.transport.name, socket.handshake.query.EIO);
      socket.on('greet', (name, answer) => {
        t.log('greet', name);
        answer?.(`hello ${name}`);
        socket.emit('greeted', { name });
      });
      socket.on('bytes', (bytes) => socket.emit('back', bytes));
      socket.conn.on('upgrade', (transport) => t.log('upgrade', transport.name));
      socket.on('disconnect', (reason) => t.log('disconnect', reason));
    });
    // The ids of namespaces' sockets are drawn at random.
    let sockets = 0;
    io.use((socket, next) => {
      socket.id = `socket-${++sockets}`;
      next();
    });
    return { servers: [server], close: () => io.close() };
  },
  async conversation(c) {
    const poll = await c.connect();
    await poll.get('/', 200);
    await poll.get('/socket.io/?EIO=4&transport=polling', 200);
    const sid = '/socket.io/?EIO=4&transport=polling&sid=engine-1';
    await poll.ask('POST', sid, 200, { headers: TYPE, body: '40' });
    await poll.get(sid, 200, { Origin: 'http://site.test' });
    await poll.ask('POST', sid, 200, {
      headers: TYPE,
      body: `420${utf8(JSON.stringify(['greet', 'Jürgen']))}`,
    });
    await poll.get(sid, 200);
    // A poll that waits until there is something to say.
    await poll.send('a poll', `GET ${sid} HTTP/1.1\r\nHost: site.test\r\n\r\n`);
    const second = await c.connect();
    await second.ask('POST', sid, 200, {
      headers: TYPE,
      body: `421${JSON.stringify(['greet', 'again'])}`,
    });
    await poll.answer('GET', 200);
    await second.ask('OPTIONS', sid, 204, {
      headers: { Origin: 'http://site.test', 'Access-Control-Request-Method': 'POST' },
    });
    await second.get('/socket.io/?EIO=4&transport=polling&sid=unknown', 400);
    await second.get('/socket.io/socket.io.js', 200);
    const upgraded = await c.connect();
    await upgraded.get('/socket.io/?EIO=4&transport=websocket&sid=engine-1', 101, UPGRADE);
    await upgraded.exchange('probe', frame('text', '2probe'), '3probe');
    await upgraded.send('upgrade', frame('text', '5'));
    await c.until('upgrade websocket');
    await upgraded.exchange('greet', frame('text', '42["greet","Ada"]'), '"Ada"}]');
    const direct = await c.connect();
    await direct.step('a websocket from the start', async () => '');
    await direct.get('/socket.io/?EIO=4&transport=websocket', 101, UPGRADE);
    await direct.exchange('its handshake', '', '}');
    await direct.exchange('joins', frame('text', '40'), '}');
    await direct.closes('leaves', closing(1000));
    await upgraded.destroy();
  },
};
