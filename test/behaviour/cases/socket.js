'use strict';
// What a program does to the socket of a response: corks, writes of its own, replaced methods.

const assert = require('node:assert');
const net = require('node:net');
const { Duplex, Writable } = require('node:stream');
const { DATE, GET, KEEP, chunked, head, ok } = require('../text');
const { wire } = require('../wire');

module.exports = [
  wire({
    name: 'socket.cork() by the handler before end(text), and uncork() after it',
    path: 'socket',
    handler: (req, res, t) => {
      req.socket.cork();
      res.end('hello');
      t.log(
        'corked',
        req.socket.writableCorked,
        req.socket.bytesWritten,
        req.socket.writableLength,
      );
      req.socket.uncork();
    },
    reply: ok('hello'),
  }),
  wire({
    name: 'socket.cork() by the handler before end(text), never uncorked by it',
    path: 'socket',
    handler: (req, res) => {
      req.socket.cork();
      req.socket.cork();
      res.end('hello');
    },
    reply: ok('hello'),
  }),
  wire({
    name: 'socket.cork() before end(buffer) of a chunked body',
    path: 'socket',
    handler: (req, res) => {
      req.socket.cork();
      res.writeHead(200).end(Buffer.from('hello'));
    },
    reply: chunked(['hello']),
  }),
  wire({
    name: 'the handler writes to the socket itself before end(text): its bytes come first',
    path: 'any',
    handler: (req, res) => {
      req.socket.write('HTTP/1.1 102 Processing\r\n\r\n');
      res.end('hello');
    },
    reply: 'HTTP/1.1 102 Processing\r\n\r\n' + ok('hello'),
  }),
  wire({
    name: 'the handler writes to the socket itself after writeHead() and before end(text)',
    path: 'any',
    handler: (req, res) => {
      res.writeHead(200, { 'Content-Length': 5 });
      req.socket.write('HTTP/1.1 102 Processing\r\n\r\n');
      res.end('hello');
    },
    reply:
      'HTTP/1.1 102 Processing\r\n\r\n' +
      head('HTTP/1.1 200 OK', 'Content-Length: 5', DATE, KEEP) +
      'hello',
  }),
  ...[false, true].map((patient) => ({
    name: `the handler writes more to the socket than the kernel takes before end(text)${patient ? ', below the high water mark' : ''}: the answer comes after it`,
    path: 'socket',
    async run(t) {
      const FILL = 16 * 1024 * 1024;
      let resolveClosed;
      const closed = new Promise((resolve) => {
        resolveClosed = resolve;
      });
      const server = await t.serve(
        (req, res) => {
          req.socket.write(Buffer.alloc(FILL, 'f'));
          t.log('queued', req.socket.writableLength > 0, req.socket.writableNeedDrain);
          res.on('finish', () => t.log('finish', req.socket.bytesWritten));
          res.on('close', resolveClosed);
          res.end('hello');
          t.log('ended', res.writableEnded, res.writableFinished);
        },
        patient ? { highWaterMark: 4 * FILL } : {},
      );
      const client = await t.connect(server, { record: false });
      client.socket.pause();
      client.send(GET);
      setImmediate(() => setImmediate(() => client.socket.resume()));
      assert.strictEqual((await client.take(FILL)).length, FILL);
      await client.expect(ok('hello'));
      await closed;
      await client.finish();
    },
  })),
  wire({
    name: 'socket.write replaced on the instance sees the bytes, and what it passes on is sent',
    path: 'socket',
    handler: (req, res, t) => {
      const { socket } = req;
      if (!Object.hasOwn(socket, 'write')) {
        const original = socket.write;
        socket.write = function patched(data, ...more) {
          t.log(
            'socket.write',
            Buffer.isBuffer(data) ? data : String(data),
            more.filter((item) => typeof item !== 'function'),
          );
          return Reflect.apply(original, this, [data, ...more]);
        };
      }
      res.end('hello');
    },
    reply: ok('hello'),
  }),
  wire({
    name: 'socket.write replaced on the instance, a Buffer body and a chunked one',
    path: 'socket',
    handler: (req, res, t) => {
      const { socket } = req;
      if (!Object.hasOwn(socket, 'write')) {
        const original = socket.write;
        socket.write = function patched(data, ...more) {
          t.log('socket.write', Buffer.isBuffer(data) ? data : String(data));
          return Reflect.apply(original, this, [data, ...more]);
        };
      }
      res.writeHead(200).end(Buffer.from('hello'));
    },
    reply: chunked(['hello']),
  }),
  ...['_write', '_writev', '_writeGeneric', '_final', 'end', 'cork', 'uncork', 'destroySoon'].map(
    (method) =>
      wire({
        name: `socket.${method} replaced on the instance is called as on stock Node`,
        path: 'any',
        handler: (req, res, t) => {
          const { socket } = req;
          if (!Object.hasOwn(socket, method)) {
            const original = socket[method];
            socket[method] = function patched(...args) {
              t.log(`socket.${method}`);
              return Reflect.apply(original, this, args);
            };
          }
          res.end('hello');
        },
        reply: ok('hello'),
      }),
  ),
  ...['write', '_writeGeneric', '_write', '_writev'].map((method) => ({
    name: `net.Socket.prototype.${method} replaced by the program is called as on stock Node`,
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.end('hello');
      });
      const client = await t.connect(server);
      const port = server.address().port;
      let calls = 0;
      t.replace(
        net.Socket.prototype,
        method,
        (original) =>
          function patched(...args) {
            if (this.localPort === port) calls++;
            return Reflect.apply(original, this, args);
          },
      );
      client.send(GET);
      await client.expect(ok('hello'));
      client.send(GET);
      await client.expect(ok('hello'));
      t.log(method, calls);
      await client.finish();
    },
  })),
  {
    name: 'Writable.prototype.write replaced by the program is called as on stock Node',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.end('hello');
      });
      const client = await t.connect(server);
      const port = server.address().port;
      const counts = new Map([
        [Writable.prototype, 0],
        [Duplex.prototype, 0],
      ]);
      for (const prototype of counts.keys()) {
        t.replace(
          prototype,
          'write',
          (original) =>
            function patched(...args) {
              if (this.localPort === port) counts.set(prototype, counts.get(prototype) + 1);
              return Reflect.apply(original, this, args);
            },
        );
      }
      client.send(GET);
      await client.expect(ok('hello'));
      t.log([...counts.values()]);
      await client.finish();
    },
  },
  {
    name: 'a socket handle whose write methods are replaced by the program is called as on stock Node',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.end(req.url === '/text' ? 'hello' : Buffer.from('hello'));
      });
      server.on('connection', (socket) => {
        for (const method of ['writeLatin1String', 'writeUtf8String', 'writeBuffer', 'writev']) {
          const original = socket._handle[method];
          socket._handle[method] = function patched(...args) {
            t.log(method);
            return Reflect.apply(original, this, args);
          };
        }
      });
      const client = await t.connect(server);
      for (const url of ['/text', '/buffer']) {
        client.send(GET.replace('/', url));
        await client.expect(ok('hello'));
      }
      await client.finish();
    },
  },
  wire({
    name: 'a writeHead() on the instance that writes to the socket: its bytes come before the implicit head',
    path: 'any',
    handler: (req, res) => {
      const { writeHead } = res;
      res.writeHead = function writing(...args) {
        req.socket.write('HTTP/1.1 102 Processing\r\n\r\n');
        return Reflect.apply(writeHead, this, args);
      };
      res.end('hello');
    },
    reply: `HTTP/1.1 102 Processing\r\n\r\n${ok('hello')}`,
  }),
  ...[0, 1].map((uncorks) =>
    wire({
      name: `a writeHead() on the instance that ${uncorks ? 'uncorks' : 'corks'} the socket`,
      path: 'any',
      handler: (req, res, t) => {
        const { writeHead } = res;
        res.writeHead = function corking(...args) {
          if (uncorks) req.socket.uncork();
          else req.socket.cork();
          return Reflect.apply(writeHead, this, args);
        };
        res.end('hello');
        t.log(req.socket.writableCorked, req.socket.bytesWritten);
      },
      reply: ok('hello'),
    }),
  ),
  {
    name: 'a prefinish listener that writes to the socket: its bytes follow the answer',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.on('prefinish', () => {
          t.log('prefinish', req.socket.bytesWritten, req.socket.writableLength);
          req.socket.write('after');
        });
        res.end('hello');
        t.log('ended', req.socket.bytesWritten);
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(`${ok('hello')}after`);
    },
  },
  {
    name: 'a pause() of the socket by the handler does not hold the answer back',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        req.socket.pause();
        res.end('hello');
        res.on('close', () => req.socket.resume());
      });
      const client = await t.connect(server);
      for (let i = 0; i < 2; i++) {
        client.send(GET);
        await client.expect(ok('hello'));
      }
      await client.finish();
    },
  },
  {
    name: 'a finish listener that writes to the socket: its bytes follow the answer',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.on('finish', () => req.socket.write('after'));
        res.end('hello');
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(ok('hello') + 'after');
      client.send(GET);
      await client.expect(ok('hello') + 'after');
    },
  },
  {
    name: 'a handler that writes to the socket just after end(): its bytes follow the answer',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        const { socket } = req;
        res.end('hello');
        socket.write('after');
        t.log(socket.bytesWritten);
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(ok('hello') + 'after');
    },
  },
];
