'use strict';
// The forms in which end() is called, and the ways in which the head was set before.

const assert = require('node:assert');
const { CLOSE, DATE, KEEP, atLeast, chunked, head, major, ok } = require('../text');
const { wire } = require('../wire');

module.exports = [
  wire({
    name: 'end(text) sends head and body with the length of the text',
    path: 'fast',
    handler: (req, res) => {
      res.end('hello');
    },
    reply: ok('hello'),
  }),
  wire({
    name: "end(text, 'utf8') is end(text)",
    path: 'fast',
    handler: (req, res) => {
      res.end('hello', 'utf8');
    },
    reply: ok('hello'),
  }),
  wire({
    name: 'end(text, null, callback) sends the text and calls back once',
    path: 'fast',
    handler: (req, res, t) => {
      res.end('hello', null, (...args) => t.log('callback', args));
    },
    reply: ok('hello'),
  }),
  wire({
    name: 'end(text, callback) sends the text and calls back once',
    path: 'fast',
    handler: (req, res, t) => {
      res.end('hello', (...args) => t.log('callback', args));
    },
    reply: ok('hello'),
  }),
  wire({
    name: "end(text, 'utf8', callback) sends the text and calls back once",
    path: 'fast',
    handler: (req, res, t) => {
      res.end('hello', 'utf8', (...args) => t.log('callback', args));
    },
    reply: ok('hello'),
  }),
  wire({
    name: 'end(buffer, callback) sends the bytes and calls back once',
    path: 'fast',
    handler: (req, res, t) => {
      res.end(Buffer.from('hello'), (...args) => t.log('callback', args));
    },
    reply: ok('hello'),
  }),
  wire({
    name: 'end(callback) sends an empty body of length 0 and calls back once',
    path: 'fast',
    handler: (req, res, t) => {
      res.end((...args) => t.log('callback', args));
    },
    reply: ok(''),
  }),
  wire({
    name: 'end() sends an empty body of length 0',
    path: 'fast',
    handler: (req, res) => {
      res.end();
    },
    reply: ok(''),
  }),
  wire({
    name: 'end(null, null, null) is end()',
    path: 'fast',
    handler: (req, res) => {
      res.end(null, null, null);
    },
    reply: ok(''),
  }),
  ...[undefined, 0, false, NaN].map((chunk) =>
    wire({
      name: `end(${chunk}) is end()`,
      path: 'any',
      handler: (req, res) => {
        res.end(chunk);
      },
      reply: ok(''),
    }),
  ),
  wire({
    name: 'end() after setHeader() sends the fields in the order and casing they were set',
    path: 'fast',
    handler: (req, res) => {
      res.setHeader('x-Second', '2');
      res.setHeader('A-First', '1');
      res.end();
    },
    reply: ok('', 'x-Second: 2', 'A-First: 1'),
  }),
  wire({
    name: 'end(text) after setHeader() and statusCode',
    path: 'fast',
    handler: (req, res) => {
      res.statusCode = 404;
      res.setHeader('Content-Type', 'text/plain');
      res.end('no such page\n');
    },
    reply:
      head('HTTP/1.1 404 Not Found', 'Content-Type: text/plain', DATE, KEEP, 'Content-Length: 13') +
      'no such page\n',
  }),
  wire({
    name: 'end() returns the response, also with a chunk',
    path: 'fast',
    handler: (req, res) => {
      assert.strictEqual(res.end('x'), res);
    },
    reply: ok('x'),
  }),
  wire({
    name: 'end() runs with any this-less arguments object, such as Reflect.apply gives',
    path: 'fast',
    handler: (req, res) => {
      Reflect.apply(res.end, res, ['x', 'latin1', undefined]);
    },
    reply: ok('x'),
  }),
  wire({
    name: 'an end() that comes a tick, a promise and an immediate later sends the same',
    path: 'fast',
    handler: async (req, res) => {
      await new Promise((resolve) => process.nextTick(resolve));
      await null;
      await new Promise((resolve) => setImmediate(resolve));
      res.end('later');
    },
    reply: ok('later'),
  }),

  wire({
    name: 'writeHead(status, object) and end(text): chunked, because the length was unknown when the head was made',
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/plain', 'X-Number': 7 });
      res.end('hello');
    },
    reply: chunked(['hello'], 'Content-Type: text/plain', 'X-Number: 7'),
  }),
  wire({
    name: 'writeHead(status, object) with Content-Length and end(text)',
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 5 }).end('hello');
    },
    reply:
      head('HTTP/1.1 200 OK', 'Content-Type: text/plain', 'Content-Length: 5', DATE, KEEP) +
      'hello',
  }),
  wire({
    name: 'writeHead(status, flat array) keeps order, casing and repeats',
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200, ['B', '1', 'a', '2', 'b', '3', 'content-LENGTH', '2']);
      res.end('ab');
    },
    reply: head('HTTP/1.1 200 OK', 'B: 1', 'a: 2', 'b: 3', 'content-LENGTH: 2', DATE, KEEP) + 'ab',
  }),
  wire({
    name: 'writeHead(status, array of pairs) keeps order, casing and repeats',
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200, [
        ['B', '1'],
        ['a', '2'],
        ['b', ['3', '4']],
        ['Content-Length', '2'],
      ]);
      res.end('ab');
    },
    reply:
      head('HTTP/1.1 200 OK', 'B: 1', 'a: 2', 'b: 3', 'b: 4', 'Content-Length: 2', DATE, KEEP) +
      'ab',
  }),
  wire({
    name: 'writeHead(status, message) sends the message',
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200, 'Fine, thanks').end('x');
    },
    reply:
      head('HTTP/1.1 200 Fine, thanks', DATE, KEEP, 'Transfer-Encoding: chunked') +
      '1\r\nx\r\n0\r\n\r\n',
  }),
  wire({
    name: 'writeHead(status, message, object) sends both',
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(299, 'Odd', { 'Content-Length': '1' }).end('x');
    },
    reply: head('HTTP/1.1 299 Odd', 'Content-Length: 1', DATE, KEEP) + 'x',
  }),
  wire({
    name: 'writeHead(status, undefined, object) sends the object',
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200, undefined, { 'Content-Length': '1' }).end('x');
    },
    reply: head('HTTP/1.1 200 OK', 'Content-Length: 1', DATE, KEEP) + 'x',
  }),
  wire({
    name: 'writeHead(status) and end(): an empty chunked body',
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200).end();
    },
    reply: chunked([]),
  }),
  wire({
    name: 'writeHead(status) and end(empty text): an empty chunked body',
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200).end('');
    },
    reply: chunked([]),
  }),
  wire({
    name: 'writeHead(object) after setHeader() replaces what it names and adds the rest',
    path: 'fast',
    handler: (req, res) => {
      res.setHeader('X-A', 'old');
      res.setHeader('X-B', 'kept');
      res.writeHead(200, { 'x-a': 'new', 'X-C': 'added' });
      assert.strictEqual(res.getHeader('x-a'), 'new');
      res.end('x');
    },
    reply: chunked(['x'], 'x-a: new', 'X-B: kept', 'X-C: added'),
  }),
  wire({
    name: 'writeHead(array) after setHeader() replaces what it names, and keeps its repeats from Node 22 on',
    path: 'fast',
    handler: (req, res) => {
      res.setHeader('X-A', 'old');
      res.setHeader('X-B', 'kept');
      res.writeHead(200, ['x-a', 'new', 'X-A', 'newer']);
      res.end('x');
    },
    reply:
      major === 20
        ? chunked(['x'], 'X-A: newer', 'X-B: kept')
        : chunked(['x'], 'X-B: kept', 'x-a: new', 'x-a: newer'),
  }),
  wire({
    name: 'writeHead() without fields after setHeader() sends what was set',
    path: 'fast',
    handler: (req, res) => {
      res.setHeader('Content-Length', 1);
      res.writeHead(201);
      res.end('x');
    },
    reply: head('HTTP/1.1 201 Created', 'Content-Length: 1', DATE, KEEP) + 'x',
  }),
  wire({
    name: 'writeHead() returns the response and takes strings and fractions as the status',
    path: 'fast',
    handler: (req, res) => {
      assert.strictEqual(res.writeHead('202.9', { 'Content-Length': 1 }), res);
      assert.strictEqual(res.statusCode, 202);
      res.end('x');
    },
    reply: head('HTTP/1.1 202 Accepted', 'Content-Length: 1', DATE, KEEP) + 'x',
  }),
  wire({
    name: 'appendHeader() makes one line for each value',
    path: 'fast',
    handler: (req, res) => {
      res.setHeader('Vary', 'a');
      res.appendHeader('vary', 'b').appendHeader('VARY', ['c', 'd']);
      res.appendHeader('X-New', '1');
      assert.deepStrictEqual(res.getHeader('vary'), ['a', 'b', 'c', 'd']);
      res.end('x');
    },
    reply: ok('x', 'Vary: a', 'Vary: b', 'Vary: c', 'Vary: d', 'X-New: 1'),
  }),
  wire({
    name: 'setHeaders(Map) sets each entry',
    path: 'fast',
    handler: (req, res) => {
      res.setHeaders(
        new Map([
          ['X-A', '1'],
          ['X-B', '2'],
        ]),
      );
      res.end('x');
    },
    reply: ok('x', 'X-A: 1', 'X-B: 2'),
  }),
  wire({
    name: 'setHeaders(Headers) sets each entry and keeps every set-cookie',
    path: 'fast',
    handler: (req, res) => {
      const headers = new Headers({ 'x-a': '1' });
      headers.append('set-cookie', 'a=1');
      headers.append('set-cookie', 'b=2');
      res.setHeaders(headers);
      res.end('x');
    },
    reply: ok('x', 'x-a: 1', 'set-cookie: a=1', 'set-cookie: b=2'),
  }),
  wire({
    name: 'flushHeaders() before end(text): the head goes first and the body is chunked',
    path: 'started',
    handler: (req, res, t) => {
      res.setHeader('X-A', '1');
      res.flushHeaders();
      t.log('flushed', res.headersSent, res._headerSent, res.socket.bytesWritten);
      res.end('hello');
    },
    reply: chunked(['hello'], 'X-A: 1'),
  }),
  wire({
    name: 'flushHeaders() before an empty end() with a length',
    path: 'started',
    handler: (req, res) => {
      res.setHeader('Content-Length', 0);
      res.flushHeaders();
      res.end();
    },
    reply: head('HTTP/1.1 200 OK', 'Content-Length: 0', DATE, KEEP),
  }),
  wire({
    name: 'write(text) before end(text) of one tick: two chunks, or one where Node merges them',
    path: 'started',
    handler: (req, res) => {
      res.write('one,');
      res.end('two');
    },
    reply: atLeast(24, 22) ? chunked(['one,two']) : chunked(['one,', 'two']),
  }),
  wire({
    name: 'write() and end() with a length send the body as it is',
    path: 'started',
    handler: (req, res) => {
      res.setHeader('Content-Length', 7);
      res.write('one,');
      res.end(Buffer.from('two'));
    },
    reply: head('HTTP/1.1 200 OK', 'Content-Length: 7', DATE, KEEP) + 'one,two',
  }),
  wire({
    name: 'write(empty text) before end(text) makes the body chunked',
    path: 'started',
    handler: (req, res) => {
      res.write('');
      res.end('x');
    },
    reply: chunked(['x']),
  }),
  wire({
    name: 'write() in one tick and end(text) in a later one: a chunk each',
    path: 'started',
    handler: async (req, res) => {
      res.write('one');
      await new Promise((resolve) => setImmediate(resolve));
      res.end('two');
    },
    reply: chunked(['one', 'two']),
  }),
  wire({
    name: 'an explicit Connection: close in writeHead() is sent once and closes',
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200, { Connection: 'close', 'Content-Length': 1 }).end('x');
    },
    reply: head('HTTP/1.1 200 OK', CLOSE, 'Content-Length: 1', DATE) + 'x',
  }),
];
