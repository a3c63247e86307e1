'use strict';
// Bodies that are large, clients that are slow, and kernels that take only a part.

const assert = require('node:assert');
const { getDefaultHighWaterMark } = require('node:stream');
const { look } = require('../scenario');
const { DATE, GET, GET_CLOSE, KEEP, head, mask, ok, okClose } = require('../text');

const HIGH_WATER = getDefaultHighWaterMark(false);
const KB = 1024;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A text in which every part is different, so that a piece lost, doubled or moved shows. */
function text(length) {
  let result = '';
  for (let i = 0; result.length < length; i++) result += `${i.toString(36)},`;
  return result.slice(0, length);
}

const TEXTS = new Map([20 * KB, 70 * KB, KB * KB].map((size) => [size, text(size)]));

function framed(kind, body) {
  if (kind === 'chunked') {
    return (
      head('HTTP/1.1 200 OK', DATE, KEEP, 'Transfer-Encoding: chunked') +
      `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    );
  }
  if (kind === 'explicit length')
    return head('HTTP/1.1 200 OK', `Content-Length: ${body.length}`, DATE, KEEP) + body;
  return ok(body);
}

function respond(kind, res, body) {
  if (kind === 'chunked') res.writeHead(200);
  if (kind === 'explicit length') res.writeHead(200, { 'Content-Length': body.length });
  return res.end(body);
}

/** Sizes at which the kernel takes all at once on any machine are looked at in full; larger ones by what is certain. */
function sized(size, type, kind) {
  const body = TEXTS.get(size);
  const value = type === 'text' ? body : Buffer.from(body, 'latin1');
  return {
    name: `a ${type} of ${size / KB} KB, ${kind}, towards a client that reads`,
    path: size >= HIGH_WATER ? 'large' : 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        const { socket } = req;
        const onDrain = () => t.log('socket drain');
        socket.on('drain', onDrain);
        res.on('drain', () => t.log('res drain'));
        res.on('finish', () =>
          t.log('finish', socket.bytesWritten, res.writableLength, socket.writableNeedDrain),
        );
        res.on('close', () => {
          t.log('close', socket.bytesWritten);
          socket.removeListener('drain', onDrain);
        });
        respond(kind, res, value);
        t.log(
          'ended',
          socket.bytesWritten,
          res.writableEnded,
          socket.writableNeedDrain,
          mask(res._header),
        );
      });
      const client = await t.connect(server);
      const reply = framed(kind, body);
      for (let i = 0; i < 2; i++) {
        client.send(GET);
        await client.expect(reply);
      }
      await client.finish();
    },
  };
}

/** Answers of ordinary size to a client that does not read, one after the other, until the kernel takes no more. */
function untilFull(name, makeServer, kind, type) {
  return {
    name,
    path: 'short',
    async run(t) {
      const body = text(14_000);
      const value = type === 'text' ? body : Buffer.from(body);
      let answers = 0;
      let stuck = null;
      let finished = false;
      let full;
      const becameFull = new Promise((resolve) => {
        full = resolve;
      });
      let over;
      const closed = new Promise((resolve) => {
        over = resolve;
      });
      const server = await makeServer(t, (req, res) => {
        const { socket } = req;
        if (stuck) {
          res.end('after');
          return;
        }
        answers++;
        respond(kind, res, value);
        assert.ok(answers < 3000, 'the kernel takes everything');
        if (socket.writableLength > 0) {
          stuck = res;
          res.on('finish', () => {
            finished = true;
            t.log('finish', socket.bytesWritten === answers * framed(kind, body).length);
          });
          res.on('close', over);
          t.log(
            'stuck',
            res.writableEnded,
            res.writableFinished,
            socket.bytesWritten === answers * framed(kind, body).length,
            socket.writableNeedDrain,
          );
          full();
        } else {
          res.on('close', () => client.send(GET));
        }
      });
      const client = await t.connect(server, { record: false });
      client.socket.pause();
      client.send(GET);
      await becameFull;
      for (let i = 0; i < 5; i++) await turn();
      t.log('not finished while the client does not read', finished);
      assert.strictEqual(finished, false);
      client.socket.resume();
      for (let i = 0; i < answers; i++)
        await client.expect(framed(kind, body), `answer ${i} of ${answers}`);
      await closed;
      client.send(GET_CLOSE);
      await client.expect(okClose('after'));
      await client.expectClose();
    },
  };
}

/** One answer, larger than the kernel's buffers, to a client that does not read at first. */
function slow(name, kind, type, act = () => {}) {
  return {
    name,
    path: 'large',
    async run(t) {
      const body = TEXTS.get(KB * KB);
      const value = type === 'text' ? body : Buffer.from(body);
      let finished = false;
      let ended;
      const begun = new Promise((resolve) => {
        ended = resolve;
      });
      let over;
      const closed = new Promise((resolve) => {
        over = resolve;
      });
      const server = await t.serveUnix((req, res) => {
        const { socket } = req;
        socket.once('drain', () => t.log('socket drain'));
        res.on('drain', () => t.log('res drain'));
        res.on('finish', () => {
          finished = true;
          t.log('finish', look(res));
        });
        res.on('close', () => {
          t.log('close', res.writableFinished);
          over();
        });
        respond(kind, res, value);
        t.log('ended', look(res));
        act(res, t);
        ended();
      });
      const client = await t.connect(server);
      client.socket.pause();
      client.send(GET);
      await begun;
      for (let i = 0; i < 5; i++) await turn();
      t.log('finished while the client does not read', finished);
      assert.strictEqual(finished, false);
      client.socket.resume();
      await client.expect(framed(kind, body));
      await closed;
      await client.finish();
    },
  };
}

module.exports = [
  ...[...TEXTS.keys()].flatMap((size) =>
    ['text', 'Buffer'].flatMap((type) =>
      ['implicit length', 'explicit length', 'chunked'].map((kind) => sized(size, type, kind)),
    ),
  ),
  {
    name: 'messages around the high water mark of the socket: the state after end() is that of one write of that size',
    path: 'any',
    async run(t) {
      const server = await t.serve(
        (req, res) => {
          const { socket } = req;
          const onDrain = () => t.log('socket drain');
          socket.on('drain', onDrain);
          res.on('finish', () => t.log('finish', look(res)));
          res.on('close', () => socket.removeListener('drain', onDrain));
          const body = 'x'.repeat(Number(req.url.slice(1)));
          res.sendDate = false;
          res.end(req.headers.buffer ? Buffer.from(body) : body);
          t.log('ended', look(res));
        },
        { highWaterMark: 2000 },
      );
      const client = await t.connect(server);
      const empty = head('HTTP/1.1 200 OK', KEEP, 'Content-Length: 1900').length;
      for (const buffer of ['', 'Buffer: 1\r\n']) {
        for (const size of [2000 - empty - 1, 2000 - empty, 2000 - empty + 1, 1999, 2000, 2001]) {
          client.send(`GET /${size} HTTP/1.1\r\nHost: a\r\n${buffer}\r\n`);
          await client.expect(
            head('HTTP/1.1 200 OK', KEEP, `Content-Length: ${size}`) + 'x'.repeat(size),
          );
        }
      }
      await client.finish();
    },
  },
  ...['HEAD', 'GET'].map((method) => ({
    name: `a ${method} of a large body on a closing connection`,
    path: 'any',
    async run(t) {
      const body = TEXTS.get(70 * KB);
      const server = await t.serve((req, res) => {
        res.on('finish', () => t.log('finish'));
        res.end(body);
      });
      const client = await t.connect(server);
      client.send(`${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      await client.expect(
        method === 'HEAD' ? head('HTTP/1.1 200 OK', DATE, 'Connection: close') : okClose(body),
      );
      await client.expectClose();
    },
  })),
  {
    name: 'a large answer on a closing connection towards a slow client arrives whole before the close',
    path: 'large',
    async run(t) {
      const body = TEXTS.get(KB * KB);
      const server = await t.serveUnix((req, res) => {
        res.end(body);
      });
      const client = await t.connect(server);
      client.socket.pause();
      client.send(GET_CLOSE);
      for (let i = 0; i < 10; i++) await turn();
      client.socket.resume();
      await client.expect(okClose(body));
      await client.expectClose();
    },
  },

  slow(
    'a text of 1 MB towards a client that does not read: no finish until it does',
    'implicit length',
    'text',
  ),
  slow(
    'a Buffer of 1 MB towards a client that does not read: no finish until it does',
    'implicit length',
    'Buffer',
  ),
  slow('a chunked text of 1 MB towards a client that does not read', 'chunked', 'text'),
  slow(
    'a Buffer of 1 MB of explicit length towards a client that does not read',
    'explicit length',
    'Buffer',
  ),
  slow(
    'writes after the end of an answer that is still queued',
    'implicit length',
    'text',
    (res, t) => {
      res.on('error', (error) => t.log('error', error));
      t.attempt('write', () => res.write('more', () => t.log('write callback')));
      t.attempt('end', () => res.end());
    },
  ),

  untilFull(
    'answers over TCP to a client that does not read: whole and in order once it does (texts)',
    (t, listener) => t.serve(listener),
    'implicit length',
    'text',
  ),
  untilFull(
    'answers over TCP to a client that does not read: whole and in order once it does (Buffers)',
    (t, listener) => t.serve(listener),
    'implicit length',
    'Buffer',
  ),
  untilFull(
    'answers over a Unix-domain socket to a client that does not read (texts)',
    (t, listener) => t.serveUnix(listener),
    'implicit length',
    'text',
  ),
  untilFull(
    'answers over a Unix-domain socket to a client that does not read (Buffers)',
    (t, listener) => t.serveUnix(listener),
    'implicit length',
    'Buffer',
  ),
  untilFull(
    'answers over a Unix-domain socket to a client that does not read (chunked)',
    (t, listener) => t.serveUnix(listener),
    'chunked',
    'text',
  ),

  {
    name: 'a client that resets the connection in the middle of a large answer: close, no finish, no error event',
    path: 'large',
    async run(t) {
      let over;
      const closed = new Promise((resolve) => {
        over = resolve;
      });
      let ended;
      const begun = new Promise((resolve) => {
        ended = resolve;
      });
      const server = await t.serveUnix((req, res) => {
        res.on('finish', () => t.log('finish'));
        res.on('error', (error) => t.log('error', error));
        res.on('close', () => {
          t.log('close', res.writableFinished, res.writableEnded);
          over();
        });
        res.end(TEXTS.get(KB * KB), (error) =>
          t.log('end callback', error === undefined || error === null),
        );
        ended();
      });
      const client = await t.connect(server, { record: false });
      client.socket.pause();
      client.send(GET);
      await begun;
      client.socket.destroy();
      await closed;
      await turn();
    },
  },
  {
    name: 'res.destroy() while a large answer is queued cuts it off',
    path: 'large',
    async run(t) {
      let over;
      const closed = new Promise((resolve) => {
        over = resolve;
      });
      const server = await t.serveUnix(async (req, res) => {
        res.on('finish', () => t.log('finish'));
        res.on('close', () => {
          t.log('close', look(res));
          over();
        });
        res.end(Buffer.alloc(KB * KB), (error) => t.log('end callback', error ?? null));
        await turn();
        res.destroy();
      });
      const client = await t.connect(server, { record: false });
      client.socket.pause();
      client.send(GET);
      await closed;
    },
  },
  {
    name: 'large and small answers of every kind alternate on one connection',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        const [, kind, type, size] = decodeURIComponent(req.url).split('/');
        const body = text(Number(size));
        respond(kind, res, type === 'text' ? body : Buffer.from(body));
      });
      const client = await t.connect(server);
      for (const size of [1, 70_000, 3, 20_000, 0, 200_000, 65_535, 65_536, 16_383, 16_384]) {
        for (const kind of ['implicit length', 'explicit length', 'chunked']) {
          for (const type of ['text', 'Buffer']) {
            client.send(
              `GET /${encodeURIComponent(kind)}/${type}/${size} HTTP/1.1\r\nHost: a\r\n\r\n`,
            );
            await client.expect(
              size === 0 && kind === 'chunked'
                ? head('HTTP/1.1 200 OK', DATE, KEEP, 'Transfer-Encoding: chunked') + '0\r\n\r\n'
                : framed(kind, text(size)),
            );
          }
        }
      }
      await client.finish();
    },
  },
  {
    name: 'write() returning false, drain and end(): the usual loop of a producer',
    path: 'started',
    async run(t) {
      const part = text(30_000);
      const server = await t.serveUnix(async (req, res) => {
        res.writeHead(200, { 'Content-Length': 20 * part.length });
        for (let i = 0; i < 20; i++) {
          if (!res.write(part)) {
            await new Promise((resolve) => res.once('drain', resolve));
            assert.strictEqual(res.writableLength, 0);
          }
        }
        res.end(() => t.log('end callback'));
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(
        head('HTTP/1.1 200 OK', `Content-Length: ${20 * part.length}`, DATE, KEEP) +
          part.repeat(20),
      );
      await client.finish();
    },
  },
];
