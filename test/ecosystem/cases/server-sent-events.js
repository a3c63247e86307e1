'use strict';

const { once } = require('node:events');
const http = require('node:http');

/** The events that one client hears. */
const ASK = 'GET /events HTTP/1.1\r\nHost: site.test\r\nAccept: text/event-stream\r\n';

module.exports = {
  packages: ['express5', 'compression'],
  measured: null,
  server(t) {
    const express = require('express5');
    const app = express();
    const clients = new Set();
    const open = (req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
      res.write(`retry: 1000\nid: ${req.get('last-event-id') ?? 0}\n\n`);
      res.flush?.();
      clients.add(res);
      req.on('close', () => {
        clients.delete(res);
        t.log('left', clients.size);
      });
    };
    app.get('/events', open);
    app.get('/compressed', require('compression')(), open);
    app.post('/say', express.text(), (req, res) => {
      for (const client of clients) {
        client.write(`event: said\ndata: ${req.body}\n\n`);
        client.flush?.();
      }
      res.json({ clients: clients.size });
    });
    app.post('/over', async (req, res) => {
      const open = [...clients];
      for (const client of open) client.end('data: over\n\n');
      // What is compressed goes through another thread.
      for (const client of open) if (!client.closed) await once(client, 'close');
      res.sendStatus(204);
    });
    return http.createServer(app);
  },
  async conversation(c) {
    const first = await c.connect();
    await first.exchange('listens', `${ASK}\r\n`, 'id: 0\n\n');
    const second = await c.connect();
    await second.exchange('listens anew', `${ASK}Last-Event-ID: 41\r\n\r\n`, 'id: 41\n\n');
    const third = await c.connect();
    const gzip = ASK.replace('/events', '/compressed');
    await third.exchange(
      'listens compressed',
      `${gzip}Accept-Encoding: gzip\r\n\r\n`,
      '\x00\xff\xff',
    );
    const speaker = await c.connect();
    const type = { 'Content-Type': 'text/plain' };
    for (const word of ['one', 'two', 'three']) {
      await speaker.ask('POST', '/say', 200, { headers: type, body: word });
      await first.exchange(`hears ${word}`, '', `data: ${word}\n\n`);
      await second.exchange(`hears ${word}`, '', `data: ${word}\n\n`);
      await third.exchange(`hears ${word}`, '', '\x00\xff\xff');
    }
    await second.destroy();
    await speaker.ask('POST', '/say', 200, { headers: type, body: 'to two' });
    await speaker.ask('POST', '/over', 204);
    await first.exchange('hears the end', '', '0\r\n\r\n');
    await third.exchange('hears the end', '', '0\r\n\r\n');
    await first.ask('POST', '/say', 200, { headers: type, body: 'to nobody' });
  },
};
