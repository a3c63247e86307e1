'use strict';
// Connections that are no plain TCP connection, and options of the server that concern its sockets.

const http2 = require('node:http2');
const https = require('node:https');
const certificate = require('../certificate');
const { look } = require('../scenario');
const { GET, GET_CLOSE, chunked, ok, okClose, utf8 } = require('../text');

const answer = (req, res) => {
  res.end('hello');
};

const tlsCases = [
  ['a text', (res) => res.end('hello'), ok('hello')],
  ['a Buffer', (res) => res.end(Buffer.from('hello')), ok('hello')],
  ['a wide text', (res) => res.end('\u2603'), ok(utf8('\u2603'))],
  [
    'a chunked text',
    (res) => res.writeHead(200, { 'X-A': '1' }).end('hello'),
    chunked(['hello'], 'X-A: 1'),
  ],
  ['nothing', (res) => res.end(), ok('')],
].map(([what, act, reply]) => ({
  name: `HTTPS: ${what} goes through the TLS stream, several times on one connection`,
  path: 'socket',
  async run(t) {
    const server = await t.listen(
      https.createServer(
        certificate,
        t.guard((req, res) => {
          t.watch(res);
          act(res);
        }),
      ),
    );
    const client = await t.connect(server, { tls: true });
    for (let i = 0; i < 3; i++) {
      client.send(GET);
      await client.expect(reply);
    }
    await client.finish();
  },
}));

module.exports = [
  ...tlsCases,
  {
    name: 'HTTPS on a connection that the client wants closed',
    path: 'socket',
    async run(t) {
      const server = await t.listen(https.createServer(certificate, t.guard(answer)));
      const client = await t.connect(server, { tls: true });
      client.send(GET_CLOSE);
      await client.expect(okClose('hello'));
      await client.expectClose();
    },
  },
  {
    name: 'a client of a Unix-domain socket is answered like one of TCP',
    path: 'fast',
    async run(t) {
      const server = await t.serveUnix((req, res) => {
        t.watch(res);
        if (req.url === '/head') res.writeHead(200, { 'X-A': '1' });
        res.end('hello');
      });
      const client = await t.connect(server);
      for (let i = 0; i < 2; i++) {
        client.send(GET);
        await client.expect(ok('hello'));
        client.send(GET.replace('/', '/head'));
        await client.expect(chunked(['hello'], 'X-A: 1'));
      }
      client.send(GET_CLOSE);
      await client.expect(okClose('hello'));
      await client.expectClose();
    },
  },
  {
    name: 'noDelay off and highWaterMark options of the server make no difference to the bytes',
    path: 'fast',
    async run(t) {
      for (const options of [
        { noDelay: false },
        { highWaterMark: 1024 },
        { keepAlive: true },
        { highWaterMark: 1 << 20 },
      ]) {
        const server = await t.serve((req, res) => {
          t.log(res.writableHighWaterMark, req.socket.writableHighWaterMark);
          res.end('hello');
        }, options);
        const client = await t.connect(server);
        client.send(GET);
        await client.expect(ok('hello'));
        await client.finish();
      }
    },
  },

  {
    name: 'HTTPS: a large body arrives whole',
    path: 'any',
    async run(t) {
      const body = 'secret '.repeat(30_000);
      const server = await t.listen(
        https.createServer(
          certificate,
          t.guard((req, res) => {
            res.on('finish', () => t.log('finish', res.writableFinished));
            res.end(req.url === '/buffer' ? Buffer.from(body) : body);
          }),
        ),
      );
      const client = await t.connect(server, { tls: true });
      for (const url of ['/text', '/buffer']) {
        client.send(GET.replace('/', url));
        await client.expect(ok(body));
      }
      await client.finish();
    },
  },
  {
    name: 'an HTTP/2 server that allows HTTP/1 answers such a client as ever',
    path: 'socket',
    async run(t) {
      const server = await t.listen(
        http2.createSecureServer({ ...certificate, allowHTTP1: true }, t.guard(answer)),
      );
      const client = await t.connect(server, { tls: true });
      for (let i = 0; i < 2; i++) {
        client.send(GET);
        await client.takeThrough('hello');
      }
      await client.finish();
    },
  },
  {
    name: 'insecureHTTPParser lets values through that the strict rules refuse, where the version has it so',
    path: 'any',
    async run(t) {
      const server = await t.serve(
        (req, res) => {
          t.attempt('setHeader', () => res.setHeader('X-V', 'a\x01b'));
          t.attempt('setHeader NUL', () => res.setHeader('X-W', 'a\0b'));
          t.attempt('end', () => res.end('hello'));
        },
        { insecureHTTPParser: true },
      );
      const client = await t.connect(server);
      client.send(GET);
      await client.takeThrough('hello');
      await client.finish();
    },
  },
  {
    name: 'rejectNonStandardBodyWrites: a body for HEAD, 204 and 304 throws, and nothing else is changed',
    path: 'any',
    async run(t) {
      const server = await t.serve(
        (req, res) => {
          if (req.url === '/204') res.statusCode = 204;
          t.attempt('end', () => res.end('hello'));
          t.log(
            res.headersSent,
            res.writableEnded,
            req.socket.bytesWritten,
            req.socket.writableCorked,
          );
          if (!res.writableEnded) res.end();
        },
        { rejectNonStandardBodyWrites: true },
      );
      for (const request of [GET, GET.replace('GET', 'HEAD'), GET.replace('/', '/204')]) {
        const client = await t.connect(server);
        client.send(request);
        await client.takeThrough(request === GET ? 'hello' : '\r\n\r\n');
        await client.finish();
      }
    },
  },
  {
    name: 'a head alone that reaches the high water mark needs no drain',
    path: 'large',
    async run(t) {
      const server = await t.serve(
        (req, res) => {
          req.socket.on('drain', () => t.log('drain'));
          res.writeHead(304);
          res.end();
          t.log(look(res), req.socket.writableNeedDrain);
        },
        { highWaterMark: 50 },
      );
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(
        ok('').replace('200 OK', '304 Not Modified').replace('Content-Length: 0\r\n', ''),
      );
      await client.finish();
    },
  },
  {
    name: 'a socket that takes text as latin1 gets it so',
    path: 'socket',
    async run(t) {
      const server = await t.serve((req, res) => {
        req.socket.setDefaultEncoding('latin1');
        res.end('caf\u00e9');
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(ok('12345').replace('12345', 'caf\u00e9'));
      await client.finish();
    },
  },
];
