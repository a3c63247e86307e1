'use strict';
// A response that ends before its turn: its answer waits in its own queue, and leaves behind the one before it.

const assert = require('node:assert');
const { look } = require('../scenario');
const { ask, ok } = require('../text');

/** Whether Node has let the data of an entry of a queue go. */
const isEmpty = ({ data }) => data === null;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * The second of two requests is answered first. Its answer, and what the response says of itself until
 * it has closed, are noted; `meddle` gets both responses when both have been given to Node.
 */
function second({ name, path, answer = (res) => res.end('text'), request = ask('/b'), meddle }) {
  return {
    name,
    path,
    async run(t) {
      let before;
      let over;
      const closed = new Promise((resolve) => {
        over = resolve;
      });
      const server = await t.serve((req, res) => {
        if (req.url === '/a') {
          before = res;
          return;
        }
        const { socket } = req;
        const sent = () => [socket.bytesWritten, socket.writableLength, socket._paused];
        t.watch(res);
        before.on('finish', () => t.log('first finish', look(res), sent()));
        res.on('finish', () => t.log('sent at finish', sent()));
        socket.on('close', over);
        res.on('close', over);
        t.log('returned', answer(res, t) === res, look(res), res.outputSize, sent());
        before.end('first');
        t.log('first ended', look(res), sent());
        meddle?.(res, before, t);
      });
      const client = await t.connect(server);
      client.send(ask('/a') + request);
      await closed;
      client.socket.end();
      t.log(await client.closed());
    },
  };
}

const WIDE = 'caf\u00e9 \u2603 \ud83d\ude00';
const answers = {
  'a text': (res) => res.end('text'),
  'a wide text': (res) => res.end(WIDE),
  'a lone surrogate': (res) => res.end('\ud800'),
  'a text as latin1': (res) => res.end('caf\u00e9', 'latin1'),
  'a text as utf8': (res) => res.end(WIDE, 'utf8'),
  'a Buffer': (res) => res.end(Buffer.from(WIDE)),
  'a Buffer of more than a page': (res) => res.end(Buffer.alloc(9000, 'b')),
  'an empty Buffer': (res) => res.end(Buffer.alloc(0)),
  'an empty text': (res) => res.end(''),
  nothing: (res) => res.end(),
  'a text and a callback': (res, t) => res.end('text', () => t.log('callback', look(res))),
  'a Buffer, an encoding and a callback': (res, t) =>
    res.end(Buffer.from('b'), 'utf8', () => t.log('callback', look(res))),
  'a callback alone': (res, t) => res.end(() => t.log('callback', look(res))),
  'fields and a text': (res) => res.setHeader('X-A', ['1', '2']).end('text'),
  'writeHead() with a length and a Buffer': (res) =>
    res.writeHead(200, { 'Content-Length': 4 }).end(Buffer.from('four')),
  'status 304': (res) => res.writeHead(304).end(),
  'status 204': (res) => res.writeHead(204).end(),
  'Connection: close': (res) => res.setHeader('Connection', 'close').end('last'),
  'a field value of latin1': (res) => res.setHeader('X-A', 'caf\u00e9').end('text'),
  'a field value of latin1 and a Buffer': (res) =>
    res.setHeader('X-A', 'caf\u00e9').end(Buffer.from('b')),
};

/** What is more than a text and a Buffer. */
const pieces = {
  'a Uint8Array': (res) => res.end(new Uint8Array([1, 2, 255])),
  'writeHead() and a text': (res) => res.writeHead(201, 'Made', { 'X-A': 'a' }).end('text'),
  'a Buffer of a class of the program': (res) => {
    class Own extends Uint8Array {}
    return res.end(Own.from([1, 2, 3]));
  },
};

/** What reaches the high water mark. */
const large = {
  'a text of 70,000 characters': (res) => res.end('t'.repeat(70_000)),
  'a text of 30,000 characters of three bytes': (res) => res.end('\u2603'.repeat(30_000)),
  'a Buffer of 70,000 bytes': (res) => res.end(Buffer.alloc(70_000, 'b')),
};

const REQUESTS = { HEAD: ask('/b').replace('GET', 'HEAD'), 'HTTP/1.0': 'GET /b HTTP/1.0\r\n\r\n' };

/** What a program does to a response that has ended and waits, or to its connection. */
const meddlings = {
  'its buffer is changed behind end()': {
    answer(res) {
      res.bytes = Buffer.from('before');
      return res.end(res.bytes);
    },
    meddle: (res) => res.bytes.write('behind'),
  },
  'its head is asked for': { meddle: (res, _, t) => t.log(res._header, res.getHeaders()) },
  'it is destroyed': { meddle: (res) => res.destroy() },
  'it is written to': {
    meddle(res, _, t) {
      res.on('error', (error) => t.log('error', error.code));
      t.attempt('write', () => res.write('more'));
      t.attempt('end', () => res.end('more'));
    },
  },
  'its head is flushed': { meddle: (res) => res.flushHeaders() },
  'it says 103 behind its end': {
    meddle: (res, _, t) =>
      t.attempt('103', () => res.writeEarlyHints({ link: '</a>; rel=preload' })),
  },
  'it says 100 when it gets its socket': {
    meddle: (res, _, t) => res.on('socket', () => t.attempt('100', () => res.writeContinue())),
  },
  'the socket is written to at once': { meddle: (res) => res.req.socket.write('raw') },
  'the socket is written to at the finish of the first': {
    meddle: (res, first) => first.on('finish', () => res.req.socket.write('raw')),
  },
  'the socket is written to before the finish of the first': {
    meddle: (res, first) => first.prependListener('finish', () => res.req.socket.write('raw')),
  },
  'the socket is corked when it gets its turn': {
    meddle(res) {
      const { socket } = res.req;
      res.on('socket', () => {
        socket.cork();
        setImmediate(() => socket.uncork());
      });
    },
  },
  'the socket is ended when it gets its turn': {
    meddle: (res) => res.on('socket', (socket) => socket.end()),
  },
  'the socket is destroyed when it gets its turn': {
    meddle: (res) => res.on('socket', (socket) => socket.destroy()),
  },
  'the socket is destroyed at the finish of the first': {
    meddle: (res, first) => first.prependListener('finish', () => res.req.socket.destroy()),
  },
  'the socket gets a write() of the program': {
    meddle(res, _, t) {
      const { socket } = res.req;
      const { write } = socket;
      socket.write = function (...args) {
        t.log('write', args.length, String(args[0]).length);
        return Reflect.apply(write, this, args);
      };
    },
  },
  'the socket takes text as latin1': {
    answer(res) {
      res.req.socket.setDefaultEncoding('latin1');
      return res.end('caf\u00e9');
    },
  },
  'its queue is looked at when it has left': {
    answer: (res) => res.end(Buffer.from('bytes')),
    meddle(res, _, t) {
      const { outputData } = res;
      res.on('finish', () =>
        t.log(outputData.length > 0, outputData.every(isEmpty), res.outputData),
      );
    },
  },
  'it gets a _flushOutput() of the program': {
    meddle(res, _, t) {
      const { _flushOutput: flushOutput } = res;
      res._flushOutput = function (socket) {
        t.log('flush', this.outputSize);
        return flushOutput.call(this, socket);
      };
    },
  },
};

/** Pairs of answers to a client that does not read, the second of each first, until the kernel takes no more. */
const full = {
  name: 'waits, and the kernel takes only a part',
  path: 'short',
  async run(t) {
    let before;
    let stuck = false;
    let asked = 0;
    let full;
    const becameFull = new Promise((resolve) => {
      full = resolve;
    });
    const finished = [];
    const server = await t.serve((req, res) => {
      if (req.url === '/a') {
        before = res;
        return;
      }
      const { socket } = req;
      res.end('b'.repeat(14_000));
      before.end(Buffer.alloc(14_000, 'a'));
      asked++;
      res.on('finish', () => finished.push([finished.length + 1, res.writableLength]));
      setImmediate(() => {
        if (socket.writableLength === 0 && !stuck) return void client.send(ask('/a') + ask('/b'));
        if (!stuck) full();
        stuck = true;
      });
      assert.ok(asked < 3000, 'the kernel takes everything');
    });
    const client = await t.connect(server);
    client.socket.pause();
    client.send(ask('/a') + ask('/b'));
    await becameFull;
    for (let i = 0; i < 5; i++) await turn();
    assert.ok(finished.length < asked);
    client.socket.resume();
    for (let i = 0; i < asked; i++) {
      await client.expect(ok('a'.repeat(14_000)), `first of ${i}`);
      await client.expect(ok('b'.repeat(14_000)), `second of ${i}`);
    }
    assert.deepStrictEqual(
      finished,
      finished.map((_, i) => [i + 1, 0]),
    );
    await client.finish();
  },
};

/** What Node throws when the turn of an answer comes whose bytes are gone. */
const gone = {
  name: 'waits, and its bytes are taken away',
  path: 'any',
  async run(t) {
    let before;
    const server = await t.serve((req, res) => {
      if (req.url === '/a') {
        before = res;
        return;
      }
      const bytes = new Uint8Array(20);
      res.end(bytes);
      structuredClone(bytes, { transfer: [bytes.buffer] });
      before.end('first');
      thrown.then((errors) => {
        t.log('uncaught', errors, look(res), res.outputSize, req.socket.bytesWritten);
        req.socket.destroy();
      });
    });
    const thrown = t.uncaught();
    const client = await t.connect(server);
    client.send(ask('/a') + ask('/b'));
    t.log(await client.closed());
  },
};

const table = (kinds, path) =>
  Object.entries(kinds).map(([what, answer]) => second({ name: `waits: ${what}`, path, answer }));

module.exports = [
  ...table(answers, 'fast'),
  ...table(pieces, 'waiting'),
  ...table(large, 'large'),
  ...Object.entries(REQUESTS).map(([what, request]) =>
    second({ name: `waits: answers ${what}`, path: 'any', request }),
  ),
  ...Object.entries(meddlings).map(([what, { answer, meddle }]) =>
    second({ name: `waits: ${what}`, path: 'any', answer, meddle }),
  ),
  full,
  gone,
];
