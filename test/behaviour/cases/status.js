'use strict';
// Statuses and methods that change the framing, status messages, and what goes before the final head.

const assert = require('node:assert');
const { CLOSE, DATE, GET, KEEP, head, ok, utf8 } = require('../text');
const { wire } = require('../wire');

const HEAD = 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n';
const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';

module.exports = [
  wire({
    name: 'HEAD and end(text): neither the body nor its length',
    path: 'fast',
    request: HEAD,
    handler: (req, res) => {
      res.end('hello');
    },
    reply: head('HTTP/1.1 200 OK', DATE, KEEP),
  }),
  wire({
    name: 'HEAD and end(buffer, callback): the callback still runs',
    path: 'fast',
    request: HEAD,
    handler: (req, res, t) => {
      res.end(Buffer.from('hello'), (...args) => t.log('callback', args));
    },
    reply: head('HTTP/1.1 200 OK', DATE, KEEP),
  }),
  wire({
    name: 'HEAD and end(): no length, no coding',
    path: 'fast',
    request: HEAD,
    handler: (req, res) => {
      res.end();
    },
    reply: head('HTTP/1.1 200 OK', DATE, KEEP),
  }),
  wire({
    name: 'HEAD and writeHead() without a length',
    path: 'fast',
    request: HEAD,
    handler: (req, res) => {
      res.writeHead(200).end('hello');
    },
    reply: head('HTTP/1.1 200 OK', DATE, KEEP),
  }),
  wire({
    name: 'HEAD with the length of the absent body',
    path: 'fast',
    request: HEAD,
    handler: (req, res) => {
      res.writeHead(200, { 'Content-Length': 4096 }).end();
    },
    reply: head('HTTP/1.1 200 OK', 'Content-Length: 4096', DATE, KEEP),
  }),
  wire({
    name: 'HEAD with Transfer-Encoding: chunked has no last chunk',
    path: 'fast',
    request: HEAD,
    handler: (req, res) => {
      res.writeHead(200, { 'Transfer-Encoding': 'chunked' }).end('hello');
    },
    reply: head('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', DATE, KEEP),
  }),
  wire({
    name: 'HEAD and a closing connection',
    path: 'fast',
    request: 'HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    handler: (req, res) => {
      res.end('hello');
    },
    reply: head('HTTP/1.1 200 OK', DATE, CLOSE),
  }),

  ...[
    [204, 'No Content'],
    [304, 'Not Modified'],
  ].flatMap(([status, message]) => [
    wire({
      name: `${status} and end(): no length, no coding`,
      path: 'fast',
      handler: (req, res) => {
        res.statusCode = status;
        res.end();
      },
      reply: head(`HTTP/1.1 ${status} ${message}`, DATE, KEEP),
    }),
    wire({
      name: `${status} drops the body`,
      path: 'fast',
      handler: (req, res) => {
        res.writeHead(status, { ETag: '"a"' }).end('dropped');
      },
      reply: head(`HTTP/1.1 ${status} ${message}`, 'ETag: "a"', DATE, KEEP),
    }),
    wire({
      name: `${status} with an implicit head drops the body`,
      path: 'fast',
      handler: (req, res) => {
        res.statusCode = status;
        res.end(Buffer.from('dropped'));
      },
      reply: head(`HTTP/1.1 ${status} ${message}`, DATE, KEEP),
    }),
    wire({
      name: `${status} keeps an explicit length`,
      path: 'fast',
      handler: (req, res) => {
        res.writeHead(status, { 'Content-Length': '10' }).end();
      },
      reply: head(`HTTP/1.1 ${status} ${message}`, 'Content-Length: 10', DATE, KEEP),
    }),
    wire({
      name: `${status} with Transfer-Encoding: chunked keeps the field, has no chunks and closes`,
      path: 'any',
      closes: true,
      handler: (req, res) => {
        res.writeHead(status, { 'Transfer-Encoding': 'chunked' }).end();
      },
      reply: head(`HTTP/1.1 ${status} ${message}`, 'Transfer-Encoding: chunked', DATE, CLOSE),
    }),
  ]),

  ...[
    [100, 'Continue'],
    [101, 'Switching Protocols'],
    [102, 'Processing'],
    [199, 'unknown'],
  ].map(([status, message]) =>
    wire({
      name: `a final status of ${status} has no body`,
      path: 'any',
      handler: (req, res) => {
        res.writeHead(status, { 'X-A': '1' }).end('dropped');
      },
      reply: head(`HTTP/1.1 ${status} ${message}`, 'X-A: 1', DATE, KEEP),
    }),
  ),
  ...[
    [200, 'OK'],
    [205, 'Reset Content'],
    [206, 'Partial Content'],
    [299, 'unknown'],
    [418, "I'm a Teapot"],
    [500, 'Internal Server Error'],
    [600, 'unknown'],
    [999, 'unknown'],
  ].map(([status, message]) =>
    wire({
      name: `${status} has the message ${message} and a body`,
      path: 'fast',
      handler: (req, res) => {
        res.statusCode = status;
        res.end('x');
      },
      reply: head(`HTTP/1.1 ${status} ${message}`, DATE, KEEP, 'Content-Length: 1') + 'x',
    }),
  ),

  wire({
    name: 'statusMessage is sent',
    path: 'fast',
    handler: (req, res) => {
      res.statusMessage = 'As wished';
      res.end('x');
    },
    reply: head('HTTP/1.1 200 As wished', DATE, KEEP, 'Content-Length: 1') + 'x',
  }),
  wire({
    name: 'an empty statusMessage means the default one, an empty message in writeHead() is sent empty',
    path: 'fast',
    handler: (req, res) => {
      res.statusMessage = '';
      res.end('x');
    },
    reply: ok('x'),
  }),
  wire({
    name: "writeHead(200, '') sends an empty message",
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200, '', { 'Content-Length': 1 }).end('x');
    },
    reply: head('HTTP/1.1 200 ', 'Content-Length: 1', DATE, KEEP) + 'x',
  }),
  wire({
    name: 'a statusMessage with tabs and punctuation is sent as it is',
    path: 'fast',
    handler: (req, res) => {
      res.statusMessage = 'it\'s\t(quite) OK: "yes"';
      res.end('x');
    },
    reply: head('HTTP/1.1 200 it\'s\t(quite) OK: "yes"', DATE, KEEP, 'Content-Length: 1') + 'x',
  }),
  wire({
    name: 'a latin1 statusMessage and a text body: both leave as UTF-8',
    path: 'head',
    handler: (req, res) => {
      res.statusMessage = 'caf\u00e9';
      res.end('x');
    },
    reply: head(`HTTP/1.1 200 ${utf8('caf\u00e9')}`, DATE, KEEP, 'Content-Length: 1') + 'x',
  }),
  wire({
    name: 'a latin1 statusMessage and a Buffer body: the head leaves as latin1',
    path: 'head',
    handler: (req, res) => {
      res.statusMessage = 'caf\u00e9';
      res.end(Buffer.from('x'));
    },
    reply: head('HTTP/1.1 200 caf\u00e9', DATE, KEEP, 'Content-Length: 1') + 'x',
  }),
  wire({
    name: 'a statusMessage that is a number is sent as its text',
    path: 'any',
    handler: (req, res) => {
      res.statusMessage = 42;
      res.end('x');
    },
    reply: head('HTTP/1.1 200 42', DATE, KEEP, 'Content-Length: 1') + 'x',
  }),
  ...['a\r\nX-Evil: 1', 'a\nb', 'a\0b', 'a\u010ab', 'a\u0141'].map((message) =>
    wire({
      name: `the statusMessage ${JSON.stringify(message)} is refused before any byte, and another can follow`,
      path: 'any',
      counted: undefined,
      handler: (req, res, t) => {
        res.statusMessage = message;
        assert.throws(() => res.end('x'), { code: 'ERR_INVALID_CHAR' });
        t.log(res.headersSent, res._header, res.writableEnded, res.socket.bytesWritten > 200);
        res.statusMessage = undefined;
        res.end('x');
      },
      reply: ok('x'),
    }),
  ),
  ...[99, 1000, 0, -200, NaN, 'x', undefined, null, {}].map((status) =>
    wire({
      name: `the status ${String(status)} is refused before any byte, and another can follow`,
      path: 'any',
      counted: undefined,
      handler: (req, res, t) => {
        const error = t.attempt('writeHead', () => res.writeHead(status));
        assert.strictEqual(error.code, 'ERR_HTTP_INVALID_STATUS_CODE');
        res.statusCode = status;
        assert.throws(() => res.end('x'), { code: 'ERR_HTTP_INVALID_STATUS_CODE' });
        t.log(res.headersSent, res.writableEnded, res.statusMessage);
        res.statusCode = 200;
        res.end('x');
      },
      reply: ok('x'),
    }),
  ),

  wire({
    name: 'writeContinue() before end(text) sends the 100 head first',
    path: 'any',
    handler: (req, res, t) => {
      res.writeContinue();
      t.log(res.headersSent, res._sent100, res.socket.bytesWritten > 0);
      res.end('x');
    },
    reply: 'HTTP/1.1 100 Continue\r\n\r\n' + ok('x'),
  }),
  wire({
    name: 'writeProcessing() and writeEarlyHints() before end(text) go out in order',
    path: 'any',
    handler: (req, res) => {
      res.writeProcessing();
      res.writeEarlyHints({ link: '</a.css>; rel=preload' });
      res.end('x');
    },
    reply: 'HTTP/1.1 102 Processing\r\n\r\n' + early + ok('x'),
  }),
  wire({
    name: 'writeEarlyHints() with further fields and a callback, and writeHead() after it',
    path: 'any',
    handler: (req, res, t) => {
      res.writeEarlyHints({ link: '</a.css>; rel=preload', 'x-a': '1' }, () => t.log('hints sent'));
      res.writeHead(200, { 'Content-Length': 1 }).end('x');
    },
    reply:
      early.replace('\r\n\r\n', '\r\nx-a: 1\r\n\r\n') +
      head('HTTP/1.1 200 OK', 'Content-Length: 1', DATE, KEEP) +
      'x',
  }),
  {
    name: 'Expect: 100-continue without a listener is answered with 100 and then by the handler',
    path: 'any',
    async run(t) {
      const server = await t.serve(async (req, res) => {
        let text = '';
        for await (const part of req) text += part;
        res.end(text);
      });
      const client = await t.connect(server);
      client.send(
        'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n',
      );
      await client.expect('HTTP/1.1 100 Continue\r\n\r\n');
      client.send('abc');
      await client.expect(ok('abc'));
      client.send(GET);
      await client.expect(ok(''));
      await client.finish();
    },
  },
  {
    name: 'a checkContinue listener can refuse with an answer of its own',
    path: 'fast',
    async run(t) {
      const server = await t.serve(() => assert.fail('the request must not arrive'));
      server.on('checkContinue', (req, res) => {
        res.writeHead(417, { 'Content-Length': 2 }).end('no');
      });
      const client = await t.connect(server);
      client.send(
        'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n',
      );
      await client.expect(
        head('HTTP/1.1 417 Expectation Failed', 'Content-Length: 2', DATE, CLOSE) + 'no',
      );
    },
  },
  {
    name: 'an Expect that nobody knows is answered with 417 by Node itself',
    path: 'any',
    async run(t) {
      const server = await t.serve(() => assert.fail('the request must not arrive'));
      const client = await t.connect(server);
      client.send('GET / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n');
      await client.expect(
        head('HTTP/1.1 417 Expectation Failed', DATE, KEEP, 'Transfer-Encoding: chunked') +
          '0\r\n\r\n',
      );
      await client.finish();
    },
  },
];
