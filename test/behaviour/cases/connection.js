'use strict';
// Whether the connection is kept, and what the head says about it.

const assert = require('node:assert');
const { CLOSE, DATE, GET, GET_CLOSE, KEEP, head, ok, okClose } = require('../text');
const { wire } = require('../wire');

const answer = (req, res) => {
  res.end('hello');
};

module.exports = [
  wire({
    name: 'a client that asks for Connection: close gets it, and the end of the connection',
    path: 'fast',
    request: GET_CLOSE,
    handler: answer,
    reply: okClose('hello'),
  }),
  wire({
    name: 'an HTTP/1.0 request gets an HTTP/1.1 answer without a length, which the close ends',
    path: 'fast',
    request: 'GET / HTTP/1.0\r\n\r\n',
    handler: answer,
    reply: head('HTTP/1.1 200 OK', DATE, CLOSE) + 'hello',
  }),
  wire({
    name: 'an HTTP/1.0 request for keep-alive is closed all the same when the program gives no length',
    path: 'fast',
    request: 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
    handler: answer,
    reply: head('HTTP/1.1 200 OK', DATE, CLOSE) + 'hello',
  }),
  wire({
    name: 'an HTTP/1.0 request for keep-alive keeps the connection when the program gives the length',
    path: 'fast',
    request: 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
    handler: (req, res) => {
      res.writeHead(200, { 'Content-Length': 5 }).end('hello');
    },
    reply: head('HTTP/1.1 200 OK', 'Content-Length: 5', DATE, KEEP) + 'hello',
  }),
  wire({
    name: 'an HTTP/1.0 request and writeHead() without a length: a body that the close ends',
    path: 'fast',
    request: 'GET / HTTP/1.0\r\n\r\n',
    handler: (req, res) => {
      res.writeHead(200).end('hello');
    },
    reply: head('HTTP/1.1 200 OK', DATE, CLOSE) + 'hello',
  }),
  wire({
    name: 'an HTTP/1.0 request with TE: chunked gets a chunked body',
    path: 'fast',
    request: 'GET / HTTP/1.0\r\nTE: chunked\r\n\r\n',
    handler: (req, res) => {
      res.writeHead(200).end('hello');
    },
    reply:
      head('HTTP/1.1 200 OK', DATE, CLOSE, 'Transfer-Encoding: chunked') +
      '5\r\nhello\r\n0\r\n\r\n',
  }),
  wire({
    name: 'shouldKeepAlive = false says close and closes',
    path: 'fast',
    handler: (req, res) => {
      res.shouldKeepAlive = false;
      res.end('hello');
    },
    reply: okClose('hello'),
  }),
  ...['close', 'Close', 'x, close', 'close, x'].map((value) =>
    wire({
      name: `setHeader('Connection', '${value}') is sent as given and closes`,
      path: 'fast',
      closes: true,
      handler: (req, res) => {
        res.setHeader('Connection', value);
        res.end('hello');
      },
      reply: head('HTTP/1.1 200 OK', `Connection: ${value}`, DATE, 'Content-Length: 5') + 'hello',
    }),
  ),
  ...['keep-alive', 'Keep-Alive', 'upgrade', 'x'].map((value) =>
    wire({
      name: `setHeader('Connection', '${value}') is sent as given and keeps`,
      path: 'fast',
      handler: (req, res) => {
        res.setHeader('Connection', value);
        res.end('hello');
      },
      reply: head('HTTP/1.1 200 OK', `Connection: ${value}`, DATE, 'Content-Length: 5') + 'hello',
    }),
  ),
  wire({
    name: 'an own Keep-Alive field replaces the default one only',
    path: 'fast',
    handler: (req, res) => {
      res.setHeader('Keep-Alive', 'timeout=77');
      res.end('hello');
    },
    reply:
      head(
        'HTTP/1.1 200 OK',
        'Keep-Alive: timeout=77',
        DATE,
        'Connection: keep-alive',
        'Content-Length: 5',
      ) + 'hello',
  }),
  {
    name: 'an own Connection: keep-alive towards a client that asks for close keeps the connection',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        t.watch(res);
        res.setHeader('Connection', 'keep-alive');
        res.end('hello');
      });
      const client = await t.connect(server);
      client.send(GET_CLOSE);
      await client.expect(
        head('HTTP/1.1 200 OK', 'Connection: keep-alive', DATE, 'Content-Length: 5') + 'hello',
      );
      await client.finish();
    },
  },
  ...[
    [0, null],
    [999, 0],
    [1000, 1],
    [1999, 1],
    [65_535, 65],
    [NaN, null],
    [-1, -1],
  ].map(([timeout, seconds]) =>
    wire({
      name: `keepAliveTimeout = ${timeout} gives ${seconds === null ? 'no Keep-Alive field' : `timeout=${seconds}`}`,
      path: timeout < 0 ? 'any' : 'fast',
      setup: (server) => {
        server.keepAliveTimeout = timeout;
      },
      handler: answer,
      reply:
        head(
          'HTTP/1.1 200 OK',
          DATE,
          'Connection: keep-alive',
          ...(seconds === null ? [] : [`Keep-Alive: timeout=${seconds}`]),
          'Content-Length: 5',
        ) + 'hello',
    }),
  ),
  wire({
    name: 'servers with different keepAliveTimeout and limits do not mix their fields',
    path: 'fast',
    server: { keepAliveTimeout: 7000 },
    handler: answer,
    reply:
      head(
        'HTTP/1.1 200 OK',
        DATE,
        'Connection: keep-alive',
        'Keep-Alive: timeout=7',
        'Content-Length: 5',
      ) + 'hello',
  }),
  {
    name: 'maxRequestsPerSocket is announced, the last request is answered with close, one more of the same packet gets 503',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.end('hello');
      });
      server.maxRequestsPerSocket = 2;
      server.on('dropRequest', (req) => t.log('dropped', req.url));
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(
        head(
          'HTTP/1.1 200 OK',
          DATE,
          'Connection: keep-alive',
          'Keep-Alive: timeout=5, max=2',
          'Content-Length: 5',
        ) + 'hello',
      );
      client.send(GET);
      await client.expect(okClose('hello'));
      // Stock Node announces the close and leaves it to the client.
      await client.finish();

      const pipelining = await t.connect(server);
      pipelining.send(GET + GET + GET);
      await pipelining.takeThrough('503 Service Unavailable');
      await pipelining.takeThrough('0\r\n\r\n');
    },
  },
  {
    name: 'a server that is closing answers a kept connection as before and then closes it when it is idle',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        if (req.url === '/close') server.close(() => t.log('server closed'));
        res.end('hello');
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(ok('hello'));
      client.send(GET.replace('/', '/close'));
      await client.expect(ok('hello'));
      client.send(GET_CLOSE);
      await client.expect(okClose('hello'));
      await client.expectClose();
    },
  },
  {
    name: 'the keep-alive timeout closes a connection that stays idle after an answer, not before',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.end('hello');
      });
      server.keepAliveTimeout = 60;
      server.keepAliveTimeoutBuffer = 0;
      const client = await t.connect(server);
      // Before the timeout can have begun, however late the answer is seen.
      const start = performance.now();
      client.send(GET);
      await client.expect(
        head(
          'HTTP/1.1 200 OK',
          DATE,
          'Connection: keep-alive',
          'Keep-Alive: timeout=0',
          'Content-Length: 5',
        ) + 'hello',
      );
      await client.expectClose();
      assert.ok(performance.now() - start > 55, 'closed too early');
    },
  },
  {
    name: 'many answers on one connection stay in step, and bytesWritten counts all of them',
    path: 'fast',
    async run(t) {
      let socket;
      const server = await t.serve((req, res) => {
        socket = req.socket;
        if (req.url.length % 3 === 0) res.writeHead(200).end(req.url);
        else if (req.url.length % 3 === 1) res.end(Buffer.from(req.url));
        else res.end(req.url);
      });
      const client = await t.connect(server);
      let total = 0;
      for (let i = 0; i < 50; i++) {
        const url = '/' + 'x'.repeat(i);
        client.send(`GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`);
        const reply =
          url.length % 3 === 0
            ? head('HTTP/1.1 200 OK', DATE, KEEP, 'Transfer-Encoding: chunked') +
              `${url.length.toString(16)}\r\n${url}\r\n0\r\n\r\n`
            : ok(url);
        await client.expect(reply);
        total += reply.length;
        assert.strictEqual(socket.bytesWritten, total);
      }
      await client.finish();
    },
  },
  {
    name: 'a request body that the handler never reads does not disturb the answers',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.end(req.method);
      });
      const client = await t.connect(server);
      for (let i = 0; i < 3; i++) {
        client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789');
        await client.expect(ok('POST'));
        client.send(
          'PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
        );
        await client.expect(ok('PUT'));
      }
      await client.finish();
    },
  },
  {
    name: 'a handler that reads the whole request body and echoes it',
    path: 'fast',
    async run(t) {
      const server = await t.serve(async (req, res) => {
        let text = '';
        for await (const part of req.setEncoding('latin1')) text += part;
        res.end(text, 'latin1');
      });
      const client = await t.connect(server);
      for (const body of ['first', 'the second one']) {
        client.send(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
        await client.expect(ok(body));
      }
      await client.finish();
    },
  },
];
