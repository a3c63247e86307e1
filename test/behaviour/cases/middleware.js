'use strict';
// Programs that replace methods on one response, add properties to it, or replace methods for all.

const assert = require('node:assert');
const http = require('node:http');
const zlib = require('node:zlib');
const { DATE, GET, KEEP, chunked, head, ok, utf8 } = require('../text');
const { wire } = require('../wire');

/** Runs a listener just before the head is made, as a header hook does. */
function beforeHead(res, listener) {
  const writeHead = res.writeHead;
  let done = false;
  res.writeHead = function hooked(...args) {
    if (!done) {
      done = true;
      listener.call(this);
    }
    return Reflect.apply(writeHead, this, args);
  };
}

/** Sends the body gzipped, as a compressing middleware does: write() and end() go through a stream. */
function compress(res) {
  const { end, write } = res;
  let gzip = null;
  const start = () => {
    res.removeHeader('Content-Length');
    res.setHeader('Content-Encoding', 'gzip');
    gzip = zlib.createGzip();
    gzip.on('data', (data) => Reflect.apply(write, res, [data]));
    gzip.on('end', () => Reflect.apply(end, res, []));
  };
  res.write = (chunk, encoding) => {
    if (!gzip) start();
    return gzip.write(chunk, encoding);
  };
  res.end = (chunk, encoding) => {
    if (!gzip) start();
    gzip.end(chunk, encoding);
    return res;
  };
}

/** Delays end() until something was saved, as a session middleware does. */
function saveFirst(res, save) {
  const end = res.end;
  res.end = function ended(...args) {
    res.end = end;
    save(() => Reflect.apply(end, res, args));
    return res;
  };
}

/** Counts the calls of methods that are replaced on the instance and pass on. */
function spy(res, ...methods) {
  const calls = [];
  for (const method of methods) {
    const original = res[method];
    res[method] = function spied(...args) {
      calls.push(`${method}(${args.length})`);
      return Reflect.apply(original, this, args);
    };
  }
  return calls;
}

module.exports = [
  wire({
    name: 'a hook on writeHead() is called for the implicit head, and what it sets is sent',
    path: 'any',
    handler: (req, res) => {
      beforeHead(res, function hook() {
        assert.strictEqual(this.headersSent, false);
        this.setHeader('X-Hook', String(this.statusCode));
      });
      res.end('hello');
    },
    reply: ok('hello', 'X-Hook: 200'),
  }),
  wire({
    name: 'a hook on writeHead() is called for an explicit head once',
    path: 'any',
    handler: (req, res, t) => {
      let calls = 0;
      beforeHead(res, () => {
        calls++;
      });
      res.writeHead(200, { 'Content-Length': 5 });
      res.end('hello');
      t.log('calls', calls);
    },
    reply: head('HTTP/1.1 200 OK', 'Content-Length: 5', DATE, KEEP) + 'hello',
  }),
  wire({
    name: 'two hooks on writeHead(), one over the other',
    path: 'any',
    handler: (req, res) => {
      beforeHead(res, function inner() {
        this.setHeader('X-Order', `${this.getHeader('X-Order') ?? ''}inner`);
      });
      beforeHead(res, function outer() {
        this.setHeader('X-Order', 'outer,');
      });
      res.end('hello');
    },
    reply: ok('hello', 'X-Order: outer,inner'),
  }),
  wire({
    name: 'a hook on writeHead() that removes Content-Length',
    path: 'any',
    handler: (req, res) => {
      res.setHeader('Content-Length', 5);
      beforeHead(res, function hook() {
        this.removeHeader('Content-Length');
      });
      res.end('hello');
    },
    reply: chunked(['hello']),
  }),
  wire({
    name: 'a hook on writeHead() that changes the status',
    path: 'any',
    handler: (req, res) => {
      const writeHead = res.writeHead;
      res.writeHead = function hooked(status, ...more) {
        return Reflect.apply(writeHead, this, [status + 1, ...more]);
      };
      res.end('hello');
    },
    reply: head('HTTP/1.1 201 Created', DATE, KEEP, 'Content-Length: 5') + 'hello',
  }),
  wire({
    name: 'a compressing middleware: end(text) becomes chunks of gzip',
    path: 'any',
    handler: (req, res) => {
      compress(res);
      res.end('hello');
    },
    reply: (() => {
      const bytes = zlib.gzipSync('hello').toString('latin1');
      return chunked([bytes.slice(0, 10), bytes.slice(10)], 'Content-Encoding: gzip');
    })(),
  }),
  wire({
    name: 'a session middleware: end() waits for the save, then answers',
    path: 'any',
    handler: (req, res) => {
      saveFirst(res, (done) => setImmediate(done));
      res.setHeader('X-A', '1');
      res.end('hello');
    },
    reply: ok('hello', 'X-A: 1'),
  }),
  wire({
    name: 'an end() on the instance that changes the chunk and calls the one below',
    path: 'any',
    handler: (req, res) => {
      const end = res.end;
      res.end = function wrapped(chunk, ...more) {
        return Reflect.apply(end, this, [`<${chunk}>`, ...more]);
      };
      res.end('hello');
    },
    reply: ok('<hello>'),
  }),
  wire({
    name: 'an end() on the instance that writes first',
    path: 'any',
    handler: (req, res) => {
      const end = res.end;
      res.end = function wrapped(chunk) {
        res.writeHead(200, { 'Content-Length': 5 });
        res.write(chunk);
        return Reflect.apply(end, this, []);
      };
      res.end('hello');
    },
    reply: head('HTTP/1.1 200 OK', 'Content-Length: 5', DATE, KEEP) + 'hello',
  }),
  ...[
    'write',
    'end',
    'writeHead',
    'setHeader',
    'getHeader',
    '_send',
    '_storeHeader',
    '_implicitHeader',
    '_writeRaw',
    '_finish',
    '_flush',
    'cork',
    'uncork',
    'emit',
    'hasHeader',
    'removeHeader',
    'flushHeaders',
    'destroy',
    'assignSocket',
  ].map((method) =>
    wire({
      name: `a ${method}() that is replaced on the instance and passes on is called as often as on stock Node`,
      path: ['_send', '_writeRaw'].includes(method) ? 'overridden' : 'any',
      handler: (req, res, t) => {
        const calls = spy(res, method);
        res.setHeader('X-A', '1');
        res.end('hello');
        t.log('calls', calls.join());
        res.on('finish', () => t.log('calls at finish', calls.join()));
      },
      reply: ok('hello', 'X-A: 1'),
    }),
  ),
  wire({
    name: 'setHeader() replaced on the instance: the head holds what it passes on',
    path: 'any',
    handler: (req, res) => {
      const setHeader = res.setHeader;
      res.setHeader = function renamed(name, value) {
        return Reflect.apply(setHeader, this, [`X-${name}`, value]);
      };
      res.setHeader('A', '1');
      res.writeHead(200, { B: '2' });
      res.end('hello');
    },
    reply: chunked(['hello'], 'X-A: 1', 'X-B: 2'),
  }),
  ...[
    'end',
    'write',
    'writeHead',
    'setHeader',
    '_storeHeader',
    '_send',
    '_writeRaw',
    '_implicitHeader',
    '_finish',
  ].flatMap((method) =>
    [http.ServerResponse.prototype, http.OutgoingMessage.prototype]
      .filter((prototype) => method in prototype)
      .map((prototype) => ({
        name: `${prototype === http.ServerResponse.prototype ? 'ServerResponse' : 'OutgoingMessage'}.prototype.${method} replaced by the program is called as on stock Node`,
        path: 'any',
        async run(t) {
          let calls = 0;
          t.replace(
            prototype,
            method,
            (original) =>
              function replaced(...args) {
                calls++;
                return Reflect.apply(original, this, args);
              },
          );
          const server = await t.serve((req, res) => {
            if (req.url === '/head') res.writeHead(200, { 'X-A': '1' });
            res.end('hello');
          });
          const client = await t.connect(server);
          client.send(GET);
          await client.expect(ok('hello'));
          client.send(GET.replace('/', '/head'));
          await client.expect(chunked(['hello'], 'X-A: 1'));
          await client.finish();
          t.log('calls', calls);
        },
      })),
  ),
  wire({
    name: 'own properties and accessors on the response do not disturb it',
    path: 'fast',
    handler: (req, res) => {
      res.locals = { user: 'a' };
      res.req2 = req;
      Object.defineProperty(res, 'lazy', {
        get: () => 'lazy',
        configurable: true,
        enumerable: true,
      });
      res[Symbol('mark')] = true;
      res.end(res.lazy);
    },
    reply: ok('lazy'),
  }),
  wire({
    name: 'statusCode and statusMessage as own accessors: the head uses what they return',
    path: 'any',
    handler: (req, res) => {
      Object.defineProperty(res, 'statusCode', { get: () => 404, set() {}, configurable: true });
      Object.defineProperty(res, 'statusMessage', {
        get: () => 'Gone Fishing',
        set() {},
        configurable: true,
      });
      res.end('hello');
    },
    reply: head('HTTP/1.1 404 Gone Fishing', DATE, KEEP, 'Content-Length: 5') + 'hello',
  }),
  wire({
    name: 'headersSent as an own property',
    path: 'any',
    handler: (req, res) => {
      Object.defineProperty(res, 'headersSent', { value: 'own', configurable: true });
      res.end('hello');
      assert.strictEqual(res.headersSent, 'own');
    },
    reply: ok('hello'),
  }),
  wire({
    name: 'a Proxy of the response whose methods are called on the target',
    path: 'any',
    handler: (req, res) => {
      const proxy = new Proxy(res, {
        get(target, name) {
          const value = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      proxy.setHeader('X-A', '1');
      proxy.end('hello');
    },
    reply: ok('hello', 'X-A: 1'),
  }),
  {
    name: 'a Proxy of the response as the receiver itself: not the message of the socket, so its bytes stay queued',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        const proxy = new Proxy(res, {});
        proxy.setHeader('X-A', '1');
        proxy.end('hello');
        t.log(
          res.outputData.length,
          res.outputSize,
          res.headersSent,
          res.writableEnded,
          req.socket.bytesWritten,
        );
        setImmediate(() => req.socket.end());
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expectClose();
    },
  },
  wire({
    name: 'a response that the handler froze half: preventExtensions()',
    path: 'any',
    handler: (req, res) => {
      res.statusCode = 200;
      res.statusMessage = 'OK';
      Object.preventExtensions(res);
      res.end('hello');
    },
    reply: ok('hello'),
  }),
  wire({
    name: "Buffer.byteLength or other globals replaced by the program do not matter for the answer's length",
    path: 'any',
    handler: (req, res) => {
      res.end('\u2603');
    },
    reply: ok(utf8('\u2603')),
  }),
  wire({
    name: 'OutgoingMessage.prototype.end called on a ServerResponse',
    path: 'any',
    handler: (req, res) => {
      Reflect.apply(http.OutgoingMessage.prototype.end, res, ['hello']);
    },
    reply: ok('hello'),
  }),
  {
    name: 'diagnostic names: end() and writeHead() appear in stack traces of errors that they throw',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        try {
          res.end({});
        } catch (error) {
          t.log(error.name, error.code, error.message);
          assert.match(error.stack, /middleware\.js/);
        }
        res.end('hello');
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(ok('hello'));
      await client.finish();
    },
  },
];
