'use strict';
// Responses that are made, given a socket, or detached from it by hand.

const assert = require('node:assert');
const http = require('node:http');
const net = require('node:net');
const { Duplex, PassThrough, Writable } = require('node:stream');
const { look } = require('../scenario');
const { DATE, GET, head, mask, ok } = require('../text');

/** The answer of a response that has no Keep-Alive timeout, as one without a server. */
const bare = (body) =>
  head('HTTP/1.1 200 OK', DATE, 'Connection: keep-alive', `Content-Length: ${body.length}`) + body;

/** A plain server that calls `answer` with each socket when its first data has come. */
const onFirstData = (t, answer) =>
  t.listen(
    net.createServer(
      t.guard((socket) =>
        socket.once(
          'data',
          t.guard(() => answer(socket)),
        ),
      ),
    ),
  );

module.exports = [
  {
    name: 'a response made by hand and given a real socket with assignSocket() answers on it',
    path: 'any',
    async run(t) {
      const server = await onFirstData(t, (socket) => {
        const res = new http.ServerResponse({
          method: 'GET',
          httpVersionMajor: 1,
          httpVersionMinor: 1,
          headers: {},
        });
        t.log('before', res.socket, look(res));
        res.on('socket', (given) => t.log('socket event', given === socket));
        res.assignSocket(socket);
        assert.throws(() => new http.ServerResponse({ method: 'GET' }).assignSocket(socket), {
          code: 'ERR_HTTP_SOCKET_ASSIGNED',
        });
        res.on(
          'finish',
          t.guard(() => {
            t.log('finish', look(res));
            res.detachSocket(socket);
            t.log('detached', res.socket, socket._httpMessage);
            socket.end();
          }),
        );
        res.end('hello');
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(bare('hello'));
      await client.expectClose();
    },
  },
  {
    name: 'two responses made by hand, one after the other on one socket',
    path: 'any',
    async run(t) {
      const server = await onFirstData(t, (socket) => {
        const next = (bodies) => {
          if (bodies.length === 0) {
            socket.end();
            return;
          }
          const res = new http.ServerResponse({
            method: 'GET',
            httpVersionMajor: 1,
            httpVersionMinor: 1,
          });
          res.assignSocket(socket);
          res.end(
            bodies[0],
            t.guard(() => {
              res.detachSocket(socket);
              next(bodies.slice(1));
            }),
          );
        };
        next(['one', Buffer.from('two'), 'three']);
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(bare('one') + bare('two') + bare('three'));
      await client.expectClose();
    },
  },
  {
    name: 'a response ended before it gets its socket sends its bytes when it is assigned',
    path: 'no-socket',
    async run(t) {
      const server = await onFirstData(t, (socket) => {
        const res = new http.ServerResponse({
          method: 'GET',
          httpVersionMajor: 1,
          httpVersionMinor: 1,
        });
        res.setHeader('X-A', '1');
        res.on('finish', () => {
          t.log('finish');
          socket.end();
        });
        res.end('hello');
        t.log('ended', look(res));
        res.assignSocket(socket);
        t.log('assigned', look(res));
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(bare('hello').replace('Date', 'X-A: 1\r\nDate'));
      await client.expectClose();
    },
  },
  {
    name: 'a response detached from its socket before end() sends nothing',
    path: 'no-socket',
    async run(t) {
      const server = await t.serve((req, res) => {
        const { socket } = req;
        res.detachSocket(socket);
        res.end('never');
        t.log(look(res), socket.bytesWritten);
        socket.end('own');
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect('own');
      await client.expectClose();
    },
  },
  {
    name: 'a response whose socket belongs to another message sends nothing on it',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        const { socket } = req;
        const other = new http.ServerResponse(req);
        socket._httpMessage = other;
        res.end('never');
        t.log(look(res), socket.bytesWritten);
        socket._httpMessage = res;
        socket.end('own');
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect('own');
    },
  },
  {
    name: 'a stand-alone response with a PassThrough as its socket',
    path: 'any',
    async run(t) {
      const stream = new PassThrough();
      const res = new http.ServerResponse({
        method: 'GET',
        httpVersionMajor: 1,
        httpVersionMinor: 1,
      });
      const parts = [];
      stream.on('data', (data) => parts.push(data));
      res.assignSocket(stream);
      t.watch(res);
      await new Promise((resolve) => res.end('hello', resolve));
      await new Promise((resolve) => setImmediate(resolve));
      assert.strictEqual(mask(Buffer.concat(parts).toString('latin1')), bare('hello'));
    },
  },
  {
    name: 'a stand-alone response that never gets a socket keeps its bytes',
    path: 'no-socket',
    async run(t) {
      const res = new http.ServerResponse({ method: 'GET' });
      res.setHeader('X-A', '1');
      res.on('finish', () => t.log('finish: never'));
      res.end('hello', () => t.log('end callback: never'));
      t.log(
        look(res),
        res.outputData.map(({ data, encoding }) => [data, encoding]),
      );
      await new Promise((resolve) => setImmediate(resolve));
      t.log(look(res));
    },
  },
  {
    name: 'a connection that the program injects with server.emit(connection) over a stream of its own',
    path: 'any',
    async run(t) {
      const server = http.createServer(
        t.guard((req, res) => {
          t.watch(res);
          res.end('hello');
        }),
      );
      const sent = [];
      let done;
      const complete = new Promise((resolve) => {
        done = resolve;
      });
      const stream = new Duplex({
        read() {},
        write(data, _encoding, callback) {
          sent.push(data);
          if (Buffer.concat(sent).toString('latin1').endsWith('hello')) done();
          callback();
        },
      });
      server.emit('connection', stream);
      stream.push(GET);
      await complete;
      assert.strictEqual(mask(Buffer.concat(sent).toString('latin1')), ok('hello'));
      await new Promise((resolve) => setImmediate(resolve));
      stream.destroy();
    },
  },
  {
    name: 'a test double that inherits from ServerResponse and collects what is written to it',
    path: 'any',
    async run(t) {
      function Double(req) {
        Reflect.apply(http.ServerResponse, this, [req]);
        this.parts = [];
        this.assignSocket(
          new Writable({
            write(_chunk, _encoding, callback) {
              setImmediate(callback);
            },
          }),
        );
      }
      Object.setPrototypeOf(Double.prototype, http.ServerResponse.prototype);
      Object.setPrototypeOf(Double, http.ServerResponse);
      Double.prototype.writeHead = function writeHead(...args) {
        t.log('writeHead', args);
        return Reflect.apply(http.ServerResponse.prototype.writeHead, this, args);
      };
      Double.prototype.write = function write(chunk, encoding, callback) {
        this.parts.push(Buffer.from(chunk, encoding));
        return http.ServerResponse.prototype.write.call(this, chunk, encoding, callback);
      };
      Double.prototype.end = function end(chunk, encoding, callback) {
        if (chunk) this.write(chunk, encoding);
        return http.ServerResponse.prototype.end.call(this, callback);
      };
      const res = new Double({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 });
      res.setHeader('X-A', '1');
      const finished = new Promise((resolve) => res.on('finish', resolve));
      res.end('hello');
      await finished;
      t.log(res.statusCode, res.getHeaders(), Buffer.concat(res.parts), look(res));
    },
  },
  {
    name: 'an OutgoingMessage of its own, with a head that the program makes',
    path: 'any',
    async run(t) {
      const message = new http.OutgoingMessage();
      message._implicitHeader = function implicit() {
        this._storeHeader('OWN 1\r\n', { 'X-A': '1' });
      };
      message.on('prefinish', () => t.log('prefinish'));
      message.on('finish', () => t.log('finish'));
      const parts = [];
      const socket = new PassThrough();
      socket.on('data', (data) => parts.push(data));
      message.end('hello');
      t.log(
        look(message),
        message.outputData.map(({ data }) => data),
      );
      socket._httpMessage = message;
      message.socket = socket;
      message._flush();
      await new Promise((resolve) => setImmediate(resolve));
      t.log(Buffer.concat(parts));
    },
  },
];
