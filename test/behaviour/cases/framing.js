'use strict';
// Length and coding: explicit, implicit, removed, wrong, both; chunks and trailers; the strict length option.

const assert = require('node:assert');
const { CLOSE, DATE, GET, KEEP, chunked, head, ok } = require('../text');
const { wire } = require('../wire');

const TE = 'Transfer-Encoding: chunked';

module.exports = [
  wire({
    name: 'an explicit Transfer-Encoding: chunked and end(): the last chunk is still sent',
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200, { 'Transfer-Encoding': 'chunked' }).end();
    },
    reply: head('HTTP/1.1 200 OK', TE, DATE, KEEP) + '0\r\n\r\n',
  }),
  wire({
    name: 'setHeader() of Transfer-Encoding: chunked and an implicit empty end(): the last chunk is still sent',
    path: 'fast',
    handler: (req, res) => {
      res.setHeader('Transfer-Encoding', 'chunked');
      res.end();
    },
    reply: head('HTTP/1.1 200 OK', TE, DATE, KEEP) + '0\r\n\r\n',
  }),
  wire({
    name: 'an explicit Transfer-Encoding: chunked and end(text): one chunk and the last chunk',
    path: 'fast',
    handler: (req, res) => {
      res.setHeader('Transfer-Encoding', 'chunked');
      res.end('hello');
    },
    reply: head('HTTP/1.1 200 OK', TE, DATE, KEEP) + '5\r\nhello\r\n0\r\n\r\n',
  }),
  ...['chunked;foo=bar', 'CHUNKED', 'gzip, chunked', 'chunked, gzip'].map((value) =>
    wire({
      name: `Transfer-Encoding: ${value} is recognised as chunked`,
      path: 'fast',
      handler: (req, res) => {
        res.writeHead(200, { 'Transfer-Encoding': value }).end('hello');
      },
      reply:
        head('HTTP/1.1 200 OK', `Transfer-Encoding: ${value}`, DATE, KEEP) +
        '5\r\nhello\r\n0\r\n\r\n',
    }),
  ),
  ...['identity', 'gzip', 'xchunkedx'].map((value) =>
    wire({
      name: `Transfer-Encoding: ${value} is no chunked coding: the body is sent bare`,
      path: 'any',
      handler: (req, res) => {
        res.writeHead(200, { 'Transfer-Encoding': value, 'X-A': '1' }).end('hello');
      },
      reply: head('HTTP/1.1 200 OK', `Transfer-Encoding: ${value}`, 'X-A: 1', DATE, KEEP) + 'hello',
    }),
  ),
  wire({
    name: 'Trailer in writeHead() keeps the chunked framing',
    path: 'any',
    handler: (req, res) => {
      res.writeHead(200, { Trailer: 'X-Sum' }).end('hello');
    },
    reply: chunked(['hello'], 'Trailer: X-Sum'),
  }),
  wire({
    name: 'Trailer set with setHeader() makes the implicit framing chunked',
    path: 'head',
    handler: (req, res) => {
      res.setHeader('Trailer', 'X-Sum');
      res.end('hello');
    },
    reply: chunked(['hello'], 'Trailer: X-Sum'),
  }),
  wire({
    name: 'Trailer beside an explicit length is refused before any byte',
    path: 'any',
    counted: undefined,
    handler: (req, res, t) => {
      res.setHeader('Trailer', 'X-Sum');
      res.setHeader('Content-Length', 5);
      const error = t.attempt('end', () => res.end('hello'));
      assert.strictEqual(error.code, 'ERR_HTTP_TRAILER_INVALID');
      res.removeHeader('Trailer');
      t.attempt('end again', () => res.end('hello'));
    },
    reply: head('HTTP/1.1 200 OK', 'Content-Length: 5', DATE, KEEP) + 'hello',
  }),
  wire({
    name: 'addTrailers() before end(text) in a chunked body: the trailers follow the last chunk',
    path: 'any',
    handler: (req, res) => {
      res.writeHead(200, { Trailer: 'X-Sum' });
      res.addTrailers({ 'X-Sum': '5' });
      res.end('hello');
    },
    reply:
      head('HTTP/1.1 200 OK', 'Trailer: X-Sum', DATE, KEEP, TE) +
      '5\r\nhello\r\n0\r\nX-Sum: 5\r\n\r\n',
  }),
  wire({
    name: 'addTrailers() with an array and several values, and an empty body',
    path: 'trailers',
    handler: (req, res) => {
      res.writeHead(200);
      res.addTrailers([
        ['X-A', '1'],
        ['X-B', ['2', '3']],
      ]);
      res.end();
    },
    reply: head('HTTP/1.1 200 OK', DATE, KEEP, TE) + '0\r\nX-A: 1\r\nX-B: 2\r\nX-B: 3\r\n\r\n',
  }),
  wire({
    name: 'addTrailers() on a body with a length sends no stray byte',
    path: 'any',
    handler: (req, res) => {
      res.addTrailers({ 'X-Sum': '5' });
      res.end('hello');
    },
    reply: ok('hello'),
  }),
  wire({
    name: 'addTrailers() with nothing in it changes nothing',
    path: 'any',
    handler: (req, res) => {
      res.writeHead(200);
      res.addTrailers({});
      res.end('hello');
    },
    reply: chunked(['hello']),
  }),
  wire({
    name: 'addTrailers() after write() and before end()',
    path: 'any',
    handler: (req, res) => {
      res.write('hello');
      res.addTrailers({ 'X-Sum': '5' });
      res.end();
    },
    reply: head('HTTP/1.1 200 OK', DATE, KEEP, TE) + '5\r\nhello\r\n0\r\nX-Sum: 5\r\n\r\n',
  }),

  {
    name: 'a Content-Length of 4294967296 is kept exactly, on the wire and in _contentLength',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        t.watch(res);
        res.writeHead(200, { 'Content-Length': 4294967296 });
        t.log('after writeHead', res._contentLength, res._header);
        assert.strictEqual(res._contentLength, 4294967296);
        res.end('x');
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(head('HTTP/1.1 200 OK', 'Content-Length: 4294967296', DATE, KEEP) + 'x');
    },
  },
  ...['18446744073709551616', '007', '5, 5', '1e1', '-1', 'x', '', ' 5', 5.5].map((value) => ({
    name: `the explicit length ${JSON.stringify(value)} is sent as it was given`,
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        t.watch(res);
        res.setHeader('Content-Length', value);
        res.end('hello');
        t.log('_contentLength', String(res._contentLength));
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(
        head('HTTP/1.1 200 OK', `Content-Length: ${value}`, DATE, KEEP) + 'hello',
      );
      await client.finish();
    },
  })),
  ...[
    ['too long', 3],
    ['too short', 9],
  ].map(([what, length]) => ({
    name: `a body that is ${what} for the explicit length is sent without complaint`,
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        t.watch(res);
        res.writeHead(200, { 'Content-Length': length }).end('hello');
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(
        head('HTTP/1.1 200 OK', `Content-Length: ${length}`, DATE, KEEP) + 'hello',
      );
      await client.finish();
    },
  })),
  wire({
    name: 'an explicit length and an empty end(): the head promises what does not come',
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200, { 'Content-Length': 3 }).end();
    },
    reply: head('HTTP/1.1 200 OK', 'Content-Length: 3', DATE, KEEP),
  }),
  wire({
    name: 'an explicit length given twice in an array: both lines are sent',
    path: 'any',
    handler: (req, res) => {
      res.writeHead(200, ['Content-Length', '5', 'content-length', '5']).end('hello');
    },
    reply: head('HTTP/1.1 200 OK', 'Content-Length: 5', 'content-length: 5', DATE, KEEP) + 'hello',
  }),
  wire({
    name: 'both an explicit length and Transfer-Encoding: chunked are sent, and the body is chunked',
    path: 'any',
    handler: (req, res) => {
      res.writeHead(200, { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }).end('hello');
    },
    reply: head('HTTP/1.1 200 OK', 'Content-Length: 5', TE, DATE, KEEP) + '5\r\nhello\r\n0\r\n\r\n',
  }),
  wire({
    name: 'both the other way round',
    path: 'any',
    handler: (req, res) => {
      res.setHeader('Transfer-Encoding', 'chunked');
      res.setHeader('Content-Length', '5');
      res.end('hello');
    },
    reply: head('HTTP/1.1 200 OK', TE, 'Content-Length: 5', DATE, KEEP) + '5\r\nhello\r\n0\r\n\r\n',
  }),

  wire({
    name: "removeHeader('Date') leaves no Date",
    path: 'fast',
    handler: (req, res) => {
      res.removeHeader('Date');
      res.end('x');
    },
    reply: head('HTTP/1.1 200 OK', KEEP, 'Content-Length: 1') + 'x',
  }),
  wire({
    name: "removeHeader('Connection') leaves neither Connection nor Keep-Alive, and keeps the connection",
    path: 'fast',
    handler: (req, res) => {
      res.removeHeader('connection');
      res.end('x');
    },
    reply: head('HTTP/1.1 200 OK', DATE, 'Content-Length: 1') + 'x',
  }),
  wire({
    name: "removeHeader('Connection') towards a client that asks for close: closed without saying so",
    path: 'fast',
    request: 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    closes: true,
    handler: (req, res) => {
      res.removeHeader('Connection');
      res.end('x');
    },
    reply: head('HTTP/1.1 200 OK', DATE, 'Content-Length: 1') + 'x',
  }),
  wire({
    name: "removeHeader('Content-Length') makes the body chunked",
    path: 'fast',
    handler: (req, res) => {
      res.removeHeader('Content-Length');
      res.end('hello');
    },
    reply: chunked(['hello']),
  }),
  wire({
    name: "removeHeader('Content-Length') takes back an explicit one for good",
    path: 'fast',
    handler: (req, res) => {
      res.setHeader('Content-Length', 99);
      res.removeHeader('content-length');
      res.end('hello');
    },
    reply: chunked(['hello']),
  }),
  wire({
    name: "removeHeader('Transfer-Encoding') alone changes nothing for an implicit length",
    path: 'fast',
    handler: (req, res) => {
      res.removeHeader('Transfer-Encoding');
      res.end('hello');
    },
    reply: ok('hello'),
  }),
  wire({
    name: "removeHeader('Transfer-Encoding') and writeHead(): a body that the close ends, though the head says keep-alive",
    path: 'any',
    closes: true,
    handler: (req, res) => {
      res.removeHeader('Transfer-Encoding');
      res.writeHead(200).end('hello');
    },
    reply: head('HTTP/1.1 200 OK', DATE, KEEP) + 'hello',
  }),
  wire({
    name: 'removing length and coding: a body that the close ends, though the head says keep-alive',
    path: 'any',
    closes: true,
    handler: (req, res) => {
      res.removeHeader('Content-Length');
      res.removeHeader('Transfer-Encoding');
      res.end('hello');
    },
    reply: head('HTTP/1.1 200 OK', DATE, KEEP) + 'hello',
  }),
  wire({
    name: 'removing everything that Node would add leaves the bare status line',
    path: 'any',
    closes: true,
    handler: (req, res) => {
      for (const name of ['Date', 'Connection', 'Content-Length', 'Transfer-Encoding'])
        res.removeHeader(name);
      res.end('hello');
    },
    reply: head('HTTP/1.1 200 OK') + 'hello',
  }),
  wire({
    name: 'a header that was set and removed is not sent',
    path: 'fast',
    handler: (req, res) => {
      res.setHeader('X-A', '1');
      res.setHeader('X-B', '2');
      res.removeHeader('x-a');
      res.end('x');
    },
    reply: ok('x', 'X-B: 2'),
  }),
  wire({
    name: 'useChunkedEncodingByDefault = false and writeHead(): a body that the close ends',
    path: 'any',
    closes: true,
    handler: (req, res) => {
      res.useChunkedEncodingByDefault = false;
      res.writeHead(200).end('hello');
    },
    reply: head('HTTP/1.1 200 OK', DATE, CLOSE) + 'hello',
  }),

  wire({
    name: 'strictContentLength lets the right length pass, in writeHead() and implicit',
    path: 'any',
    handler: (req, res) => {
      res.strictContentLength = true;
      res.writeHead(200, { 'Content-Length': 5 }).end('hello');
    },
    reply: head('HTTP/1.1 200 OK', 'Content-Length: 5', DATE, KEEP) + 'hello',
  }),
  wire({
    name: 'strictContentLength with an implicit length',
    path: 'any',
    handler: (req, res) => {
      res.strictContentLength = true;
      res.end('hello');
    },
    reply: ok('hello'),
  }),
  wire({
    name: 'strictContentLength does not concern a chunked body',
    path: 'any',
    handler: (req, res) => {
      res.strictContentLength = true;
      res.writeHead(200).end('hello');
    },
    reply: chunked(['hello']),
  }),
  ...[
    ['text', 'hello'],
    ['Buffer', Buffer.from('hello')],
  ].flatMap(([kind, body]) =>
    [
      ['long', 4],
      ['short', 6],
    ].map(([what, length]) => ({
      name: `strictContentLength: the single end(${kind}) that is too ${what} throws, and not a byte is sent`,
      path: 'any',
      async run(t) {
        const server = await t.serve((req, res) => {
          t.watch(res);
          res.strictContentLength = true;
          res.writeHead(200, { 'Content-Length': length });
          const error = t.attempt('end', () => res.end(body));
          assert.strictEqual(error.code, 'ERR_HTTP_CONTENT_LENGTH_MISMATCH');
          t.log(
            res.headersSent,
            res._headerSent,
            res.writableEnded,
            res.socket.bytesWritten,
            res.socket.writableCorked,
          );
          assert.strictEqual(res.socket.bytesWritten, 0);
          res.destroy();
        });
        const client = await t.connect(server);
        client.send(GET);
        await client.expectClose();
      },
    })),
  ),
  ...[
    ['empty end()', undefined],
    ['end(callback)', () => {}],
  ].map(([what, argument]) => ({
    name: `strictContentLength: an ${what} that leaves a promised body out throws`,
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.strictContentLength = true;
        res.writeHead(200, { 'Content-Length': 5 });
        const error = t.attempt('end', () => res.end(argument));
        assert.strictEqual(error.code, 'ERR_HTTP_CONTENT_LENGTH_MISMATCH');
        t.log(res.writableEnded, res.socket.bytesWritten);
        res.destroy();
      });
      const client = await t.connect(server);
      client.send(GET);
      t.log(await client.closed());
    },
  })),
  {
    name: 'strictContentLength set with setHeader(): the first end(text) decides',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.strictContentLength = true;
        res.setHeader('Content-Length', 3);
        t.attempt('end', () => res.end('hello'));
        t.log(res.headersSent, res.writableEnded, res._contentLength);
        if (!res.writableEnded) res.destroy();
      });
      const client = await t.connect(server);
      client.send(GET);
      await Promise.race([
        client.until(() => client.isClosed),
        client.until(() => client.rest.endsWith('hello')),
      ]);
    },
  },
];
