'use strict';

// The server that stands behind the proxies and that the command-line clients speak with: a plain
// node:http server whose paths answer in the ways that programs answer.
//
//   origin.js [--watched] [--plain] [--socket PATH]
//
// Plain, it upgrades nothing.

const { createHash } = require('node:crypto');
const { once } = require('node:events');
const http = require('node:http');
const { Readable, pipeline } = require('node:stream');
const { parseArgs } = require('node:util');
const { WebSocketServer } = require('ws');

const { pattern } = require('../lib/bytes');
const journal = require('./journal');
const remote = require('./remote');

const { values } = parseArgs({
  options: {
    watched: { type: 'boolean', default: false },
    plain: { type: 'boolean', default: false },
    socket: { type: 'string' },
  },
});

const MIB = 1024 * 1024;
const BYTES = pattern(8 * MIB);
const MODIFIED = 'Tue, 01 Dec 2026 08:00:00 GMT';
const FIELDS = Object.fromEntries(
  Array.from({ length: 20 }, (_, i) => [`X-Field-${i}`, `value ${i} ${'v'.repeat(i)}`]),
);

/** Answers that wait for the suite's word. @type {(() => void)[]} */
const held = [];

function* pieces(size) {
  for (let at = 0; at < size; at += 65_000) yield BYTES.subarray(at, Math.min(size, at + 65_000));
}

/** Sends so many bytes piece by piece, as fast as they are taken. */
function stream(res, size) {
  // What becomes of the connection is in the journal.
  pipeline(Readable.from(pieces(size)), res, () => {});
}

async function hashOf(req) {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of req) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

function json(res, value) {
  const body = JSON.stringify(value);
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
}

/** @type {Record<string, (req: http.IncomingMessage, res: http.ServerResponse, url: URL) => any>} */
const PATHS = {
  '/hello': (req, res) => res.writeHead(200, { 'Content-Type': 'text/plain' }).end('hello world'),
  '/json': (req, res) => json(res, { message: 'hello', list: [1, 2, 3], word: '\u4e16\u754c' }),
  '/fields': (req, res) => {
    res.writeHead(200, { ...FIELDS, 'Set-Cookie': ['a=1; Path=/', 'b=2; HttpOnly'] });
    res.end('twenty fields');
  },
  '/seen': (req, res) =>
    json(res, { method: req.method, version: req.httpVersion, fields: req.rawHeaders }),
  '/implicit': (req, res) => res.end('no fields at all'),
  '/empty': (req, res) => res.end(),
  '/status': (req, res, url) => {
    res.statusCode = Number(url.searchParams.get('code'));
    res.end(`status ${res.statusCode}`);
  },
  '/phrase': (req, res) => res.writeHead(299, 'Quite Fine', { 'X-A': 'b' }).end('fine'),
  '/redirect': (req, res) => res.writeHead(302, { Location: '/hello' }).end(),
  '/latin1': (req, res) => res.setHeader('X-Name', 'caf\u00e9').end('latin1 field'),
  '/tagged': (req, res) => {
    res.setHeader('ETag', '"tag"');
    res.setHeader('Last-Modified', MODIFIED);
    if (req.headers['if-none-match'] === '"tag"') return res.writeHead(304).end();
    return res.end('tagged');
  },
  '/range': (req, res) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? [];
    if (from === undefined) return res.end(BYTES.subarray(0, 1000));
    const part = BYTES.subarray(Number(from), Number(to) + 1);
    return res.writeHead(206, { 'Content-Range': `bytes ${from}-${to}/1000` }).end(part);
  },
  '/cookie': (req, res) => {
    const count = Number(/count=(\d+)/.exec(req.headers.cookie ?? '')?.[1] ?? 0) + 1;
    res.setHeader('Set-Cookie', `count=${count}`);
    res.end(`visit ${count}`);
  },
  '/chunked': (req, res) => {
    for (const piece of ['first,', 'second,', 'third']) res.write(piece);
    res.end();
  },
  '/chunked-later': async (req, res) => {
    for (const piece of ['first,', 'second,', 'third']) {
      res.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    res.end('!');
  },
  '/trailers': (req, res) => {
    res.writeHead(200, { Trailer: 'X-Sum' }).write('with trailers');
    res.addTrailers({ 'X-Sum': '12' });
    res.end();
  },
  '/hints': (req, res) => {
    res.writeEarlyHints({ link: '</style.css>; rel=preload' });
    res.end('after hints');
  },
  '/large': (req, res) => {
    res.setHeader('Content-Length', BYTES.length);
    if (req.method === 'HEAD') return res.end();
    return stream(res, BYTES.length);
  },
  '/large-chunked': (req, res) => stream(res, BYTES.length),
  '/large-end': (req, res) => res.end(BYTES.subarray(0, MIB)),
  '/hash': async (req, res) => json(res, await hashOf(req)),
  '/length': async (req, res) => json(res, (await hashOf(req)).bytes),
  '/unread': (req, res) => res.end('not read'),
  '/refuse': (req, res) => res.writeHead(413, { Connection: 'close' }).end('too large'),
  '/echo': (req, res) => {
    res.setHeader('Content-Type', req.headers['content-type'] ?? 'application/octet-stream');
    pipeline(req, res, () => {});
  },
  '/close': (req, res) => res.writeHead(200, { Connection: 'close' }).end('closing'),
  '/held': (req, res) => {
    held.push(() => res.end('released'));
  },
  '/begun': (req, res) => {
    res.write('begun,');
    held.push(() => res.end('released'));
  },
  '/cut-before': (req, res) => res.socket.destroy(),
  '/cut-within': (req, res) => {
    res.writeHead(200, { 'Content-Length': 100 });
    res.write('a part', () => res.socket.destroy());
  },
};

const server = http.createServer(async (req, res) => {
  const url = new URL(req.url, 'http://origin');
  const path = url.pathname === '/' ? '/hello' : url.pathname;
  const handler = PATHS[path];
  if (handler === undefined) {
    res.writeHead(404, { 'Content-Type': 'text/plain' }).end(`no ${req.url}`);
    return;
  }
  try {
    await handler(req, res, url);
  } catch (error) {
    journal.note(req.socket, `${req.method} ${req.url}: caught ${error.code ?? error.message}`);
    if (res.headersSent) res.destroy();
    else res.writeHead(500).end('failed');
  }
});
// Proxies keep their connections for longer than a busy machine may take between two requests.
server.keepAliveTimeout = 60_000;
journal.keep(server, values.watched);

server.on('checkContinue', (req, res) => {
  journal.note(req.socket, `${req.method} ${req.url} expects 100`);
  if (req.headers['x-want'] === 'refuse') {
    res.writeHead(417, { Connection: 'close' }).end('not wanted');
    return;
  }
  res.writeContinue();
  server.emit('request', req, res);
});

const sockets = new WebSocketServer({ noServer: true });
function upgrade(req, socket, head) {
  journal.note(socket, `upgrade ${req.headers.upgrade}`);
  if (req.headers.upgrade !== 'websocket') {
    // Without a reader nobody would hear of its end.
    socket.on('error', () => {}).resume();
    socket.end(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\nother',
    );
    return;
  }
  sockets.handleUpgrade(req, socket, head, (ws) => {
    ws.on('message', (data, isBinary) => {
      journal.note(socket, `message of ${data.length} bytes`);
      ws.send(data, { binary: isBinary });
      if (String(data) === 'close') ws.close(4001, 'as asked');
    });
    ws.on('close', (code, reason) => journal.note(socket, `socket closed ${code} ${reason}`));
  });
}
if (!values.plain) server.on('upgrade', upgrade);

async function listen(where) {
  server.listen(where);
  await once(server, 'listening');
  return server.address();
}

remote.answer({
  ...journal.commands,
  release: () => {
    for (const letGo of held.splice(0)) letGo();
  },
  /** Stops to accept, as a program does that is to end; `server close` comes when all are gone. */
  close: () => void server.close(),
  listen,
  /** After how many ms idle connections are closed. */
  keepAlive: (ms) => {
    server.keepAliveTimeout = ms;
  },
});

listen(values.socket ?? { port: 0, host: '127.0.0.1' }).then(remote.ready);
