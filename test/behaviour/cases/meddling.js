'use strict';
// Code of the program that runs in the middle of end(), and stand-ins for the response itself.

const { GET, ok } = require('../text');
const { wire } = require('../wire');

module.exports = [
  {
    name: 'a writeHead() on the instance that never makes a head',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.writeHead = () => res;
        t.attempt('end', () => res.end('hello'));
        t.log(res._header, res.headersSent, res.writableEnded);
        setImmediate(() => req.socket.destroy());
      });
      const client = await t.connect(server);
      client.send(GET);
      t.log(await client.closed());
    },
  },
  {
    name: 'a writeHead() on the instance that ends the response itself',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        const { writeHead } = res;
        // Node 20 stumbles over the second finish that this brings.
        t.uncaught().then((errors) => t.log('uncaught', errors));
        res.on('error', (error) => t.log('error', error));
        res.writeHead = function nested() {
          res.writeHead = writeHead;
          res.end('inner');
          return res;
        };
        t.attempt('end', () => res.end('outer'));
        setImmediate(() => req.socket.end());
      });
      const client = await t.connect(server);
      client.send(GET);
      t.log(await client.closed());
    },
  },
  {
    name: 'a writeHead() on the instance that throws: the error comes out of end(), and a good end() can follow',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.writeHead = () => {
          throw new RangeError('no head today');
        };
        t.attempt('end', () => res.end('hello'));
        t.log(
          res._header,
          res.headersSent,
          res.writableEnded,
          res.writableCorked,
          res.socket.writableCorked,
        );
        delete res.writeHead;
        res.end('hello');
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(ok('hello'));
      await client.finish();
    },
  },
  ...Object.entries({
    'flushes the head': (res) => res.flushHeaders(),
    'writes a part': (res) => res.write('part'),
    'writes an empty part': (res) => res.write(''),
    'reads _header and headersSent': (res, t) => t.log(res._header, res.headersSent),
    'corks the response': (res) => res.cork(),
    'announces trailers': (res) => res.addTrailers({ 'X-T': '1' }),
    'replaces _finish() by one that passes on': (res) => {
      const finish = res._finish;
      res._finish = function passing() {
        return Reflect.apply(finish, this, []);
      };
    },
    'replaces _finish() by one that does nothing': (res) => {
      res._finish = () => {};
    },
    'replaces _send() by one that passes on': (res) => {
      const send = res._send;
      res._send = function passing(...args) {
        return Reflect.apply(send, this, args);
      };
    },
    'replaces _writeRaw() by one that passes on': (res) => {
      const writeRaw = res._writeRaw;
      res._writeRaw = function passing(...args) {
        return Reflect.apply(writeRaw, this, args);
      };
    },
    'replaces socket.write() by one that passes on': (res) => {
      const { write } = res.socket;
      res.socket.write = function passing(...args) {
        return Reflect.apply(write, this, args);
      };
    },
    'sets strictContentLength': (res) => {
      res.strictContentLength = true;
    },
    'changes chunkedEncoding': (res) => {
      res.chunkedEncoding = !res.chunkedEncoding;
    },
    'sets _hasBody to false': (res) => {
      res._hasBody = false;
    },
    'sets _last': (res) => {
      res._last = true;
    },
    'listens to finish': (res, t) => res.on('finish', () => t.log('finish')),
  }).map(([what, act]) => ({
    name: `a writeHead() on the instance that ${what} after the implicit head was made`,
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        const { writeHead } = res;
        res.removeHeader('Content-Length');
        res.writeHead = function meddling(...args) {
          Reflect.apply(writeHead, this, args);
          act(res, t);
          return this;
        };
        t.attempt('end', () => res.end(req.url === '/buffer' ? Buffer.from('hello') : 'hello'));
        t.log(res._header, res.writableEnded, req.socket.bytesWritten);
        setImmediate(() => req.socket.end());
      });
      for (const url of ['/text', '/buffer']) {
        const client = await t.connect(server);
        client.send(GET.replace('/', url));
        t.log(await client.closed());
      }
    },
  })),
  {
    name: 'an object that inherits from the response is not the message of the socket: its bytes stay queued',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        const derived = Object.create(res);
        derived.setHeader('X-A', '1');
        t.attempt('end', () => derived.end('hello'));
        t.log(res.outputData.length, derived.outputSize, derived._header, derived.headersSent);
        t.log(res.headersSent, res.writableEnded, req.socket.bytesWritten);
        setImmediate(() => req.socket.end());
      });
      const client = await t.connect(server);
      client.send(GET);
      t.log(await client.closed());
    },
  },
  {
    name: 'a copy of the response with all its properties and its prototype',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        const copy = Object.assign(Object.create(Object.getPrototypeOf(res)), res);
        req.socket._httpMessage = copy;
        // Where finish comes while the socket has its own message again, Node asserts.
        t.uncaught().then((errors) => t.log('uncaught', errors));
        t.attempt('end', () => copy.end('hello'));
        t.log(
          copy._header,
          copy.headersSent,
          res._header,
          res.headersSent,
          req.socket.bytesWritten,
        );
        req.socket._httpMessage = res;
        setImmediate(() => req.socket.end());
      });
      const client = await t.connect(server);
      client.send(GET);
      t.log(await client.closed());
    },
  },
  wire({
    name: 'an own _header property that the program defines over the one of Node',
    path: 'any',
    handler: (req, res, t) => {
      Object.defineProperty(res, '_header', {
        value: null,
        writable: true,
        enumerable: true,
        configurable: true,
      });
      res.end('hello');
      t.log(res._header, res.headersSent);
    },
    reply: ok('hello'),
  }),
  {
    name: 'a writeHead() on the instance that ends the response of another connection: each gets its own answer',
    path: 'any',
    async run(t) {
      let held;
      const server = await t.serve((req, res) => {
        if (req.url === '/held') {
          held = res;
          res.setHeader('X-Held', '1');
          return;
        }
        const { writeHead } = res;
        res.writeHead = function nested(...args) {
          held.end('held');
          return Reflect.apply(writeHead, this, args);
        };
        res.end('hello');
        t.log(held._header, res._header, held.writableEnded);
      });
      const first = await t.connect(server);
      first.send(GET.replace('/', '/held'));
      while (!held) await new Promise((resolve) => setImmediate(resolve));
      const second = await t.connect(server);
      second.send(GET);
      await second.expect(ok('hello'));
      await first.expect(ok('held', 'X-Held: 1'));
      await first.finish();
      await second.finish();
    },
  },
  {
    name: 'a prefinish listener that ends the response of another connection',
    path: 'any',
    async run(t) {
      let held;
      const server = await t.serve((req, res) => {
        if (req.url === '/held') {
          held = res;
          return;
        }
        res.on('prefinish', () => held.end('held'));
        res.end('hello');
      });
      const first = await t.connect(server);
      first.send(GET.replace('/', '/held'));
      while (!held) await new Promise((resolve) => setImmediate(resolve));
      const second = await t.connect(server);
      second.send(GET);
      await second.expect(ok('hello'));
      await first.expect(ok('held'));
      await first.finish();
      await second.finish();
    },
  },
  {
    name: 'a writeHead() on the instance that takes the response off its socket: nothing is sent on it',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        const { socket } = req;
        const { writeHead } = res;
        res.writeHead = function detaching(...args) {
          Reflect.apply(writeHead, this, args);
          res.detachSocket(socket);
          return this;
        };
        t.attempt('end', () => res.end('never'));
        t.log(
          res.outputData.map(({ data }) => data),
          res.writableEnded,
          socket.bytesWritten,
        );
        socket.destroy();
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expectClose();
    },
  },
  wire({
    name: 'a newListener listener looks at the response in the middle of end(callback)',
    path: 'any',
    handler: (req, res, t) => {
      res.on('newListener', (name) => {
        t.log(
          'newListener',
          name,
          res._header,
          res.headersSent,
          res._headerSent,
          req.socket.bytesWritten,
        );
      });
      res.end('hello', () => t.log('callback'));
    },
    reply: ok('hello'),
  }),
];
