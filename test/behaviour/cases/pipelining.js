'use strict';
// Several requests at once on one connection: answers go out in the order of the requests, whenever they are ready.

const assert = require('node:assert');
const { look } = require('../scenario');
const { GET, chunked, head, ok, okClose } = require('../text');

const ask = (...urls) => urls.map((url) => `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`).join('');

/** Pipelines the urls; the handler gets all responses at once and answers them in its own order. */
function pipelined({ name, path, urls, answer, reply, closes = false }) {
  return {
    name,
    path,
    async run(t) {
      const waiting = [];
      const closed = [];
      const server = await t.serve((req, res) => {
        closed.push(
          new Promise((resolve) => {
            res.on('close', resolve);
          }),
        );
        res.on('finish', () => t.log(`${req.url} finish`, req.socket.bytesWritten));
        res.on('close', () => t.log(`${req.url} close`));
        waiting.push(res);
        if (waiting.length === urls.length) return answer(waiting, t);
      });
      const client = await t.connect(server);
      client.send(ask(...urls));
      await client.expect(reply);
      if (closes) {
        // What waits behind a closing answer may close late or, on Node 20, never.
        await closed[0];
        await client.expectClose();
      } else {
        await Promise.all(closed);
        await client.finish();
      }
    },
  };
}

const url = (res) => res.req.url;

module.exports = [
  pipelined({
    name: 'answered in order in one tick: each goes out in its turn',
    path: 'fast',
    urls: ['/a', '/b', '/c'],
    answer(waiting) {
      for (const res of waiting) res.end(url(res));
    },
    reply: ok('/a') + ok('/b') + ok('/c'),
  }),
  pipelined({
    name: 'answered in reverse order in one tick',
    path: 'fast',
    urls: ['/a', '/b', '/c'],
    answer(waiting, t) {
      for (const res of waiting.toReversed()) {
        res.end(url(res));
        t.log(url(res), look(res));
      }
    },
    reply: ok('/a') + ok('/b') + ok('/c'),
  }),
  pipelined({
    name: 'answered in reverse order, a turn of the loop each',
    path: 'fast',
    urls: ['/a', '/b', '/c', '/d'],
    async answer(waiting) {
      for (const res of waiting.toReversed()) {
        await new Promise((resolve) => setImmediate(resolve));
        res.end(url(res));
      }
    },
    reply: ok('/a') + ok('/b') + ok('/c') + ok('/d'),
  }),
  pipelined({
    name: 'answered in order, each after the finish of the one before, so that each has its socket',
    path: 'fast',
    urls: ['/a', '/b', '/c'],
    async answer(waiting) {
      for (const res of waiting) {
        assert.ok(res.socket);
        res.end(url(res));
        await new Promise((resolve) => res.on('close', resolve));
      }
    },
    reply: ok('/a') + ok('/b') + ok('/c'),
  }),
  pipelined({
    name: 'the last one first, with a Buffer, headers and a chunked body among the others',
    path: 'waiting',
    urls: ['/a', '/b', '/c'],
    answer([a, b, c]) {
      c.writeHead(200, { 'X-C': '1' }).end('c');
      b.setHeader('X-B', '1');
      b.end(Buffer.from('b'));
      a.end();
    },
    reply: ok('') + ok('b', 'X-B: 1') + chunked(['c'], 'X-C: 1'),
  }),
  pipelined({
    name: 'parts written by several at the same time do not mix',
    path: 'any',
    urls: ['/a', '/b'],
    async answer([a, b]) {
      for (let i = 0; i < 3; i++) {
        b.write(`b${i}`);
        a.write(`a${i}`);
        await new Promise((resolve) => setImmediate(resolve));
      }
      b.end();
      a.end();
    },
    reply: chunked(['a0', 'a1', 'a2']) + chunked(['b0', 'b1', 'b2']),
  }),
  pipelined({
    name: 'a fast answer behind one that is streamed waits until that one has finished',
    path: 'started',
    urls: ['/slow', '/quick'],
    async answer([slow, quick], t) {
      quick.end('quick', () => t.log('quick end callback'));
      t.log(look(quick));
      slow.writeHead(200, { 'Content-Length': 8 });
      slow.write('slow');
      await new Promise((resolve) => setImmediate(resolve));
      slow.end('slow');
    },
    reply:
      head('HTTP/1.1 200 OK', 'Content-Length: 8', ...ok('').split('\r\n').slice(1, 4)) +
      'slowslow' +
      ok('quick'),
  }),
  pipelined({
    name: 'an answer with Connection: close ends the connection: what waits behind it is not sent',
    path: 'any',
    urls: ['/a', '/b'],
    closes: true,
    answer([a, b]) {
      b.end('never');
      a.shouldKeepAlive = false;
      a.end('last');
    },
    reply: okClose('last'),
  }),
  pipelined({
    name: 'latin1 values, wide texts and HEAD-like statuses that wait for their turn',
    path: 'fast',
    urls: ['/a', '/b', '/c'],
    answer([a, b, c]) {
      c.setHeader('X-V', '\u00e9');
      c.end(Buffer.from('c'));
      b.end('\u2603');
      a.statusCode = 204;
      a.end();
    },
    reply:
      ok('').replace('200 OK', '204 No Content').replace('Content-Length: 0\r\n', '') +
      ok('\xe2\x98\x83') +
      ok('c', 'X-V: \u00e9'),
  }),
  {
    name: 'destroying one that waits for its turn destroys nothing else',
    path: 'any',
    async run(t) {
      const waiting = [];
      const server = await t.serve((req, res) => {
        res.on('close', () => t.log(`${req.url} close`));
        waiting.push(res);
        if (waiting.length < 2) return;
        waiting[1].destroy();
        t.log('destroyed', look(waiting[1]));
        waiting[0].end('first');
      });
      const client = await t.connect(server);
      client.send(ask('/a', '/b'));
      await client.expect(ok('first'));
      client.socket.end();
      t.log(await client.closed());
    },
  },
  {
    name: 'a client that goes away while answers wait: they get no finish, and the first closes',
    path: 'any',
    async run(t) {
      const waiting = [];
      let gone;
      const closed = new Promise((resolve) => {
        gone = resolve;
      });
      const server = await t.serve((req, res) => {
        res.on('finish', () => t.log(`${req.url} finish`));
        res.on('close', () =>
          t.log(`${req.url} close`, res.writableEnded, res.writableFinished, res.destroyed),
        );
        waiting.push(res);
        if (waiting.length < 2) return;
        waiting[0].on('close', () => setImmediate(gone));
        res.end('waits');
        client.socket.resetAndDestroy();
      });
      const client = await t.connect(server);
      client.send(ask('/a', '/b'));
      await closed;
    },
  },
  {
    name: 'fifty requests of one packet, answered in a fixed disorder',
    path: 'fast',
    async run(t) {
      const waiting = [];
      const server = await t.serve((req, res) => {
        waiting.push(res);
        if (waiting.length === 50)
          for (let i = 0; i < 50; i++) waiting[(i * 37) % 50].end(url(waiting[(i * 37) % 50]));
      });
      const client = await t.connect(server);
      const urls = Array.from({ length: 50 }, (_, i) => `/${i}`);
      client.send(ask(...urls));
      await client.expect(urls.map((text) => ok(text)).join(''));
      client.send(GET);
      await client.finish();
    },
  },
];
