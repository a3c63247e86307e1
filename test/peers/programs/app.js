'use strict';

// What a browser visits: an Express app with static files, compression, a session, server-sent
// events, a WebSocket and uploads.
//
//   app.js [--watched]

const { createHash } = require('node:crypto');
const { once } = require('node:events');
const http = require('node:http');
const path = require('node:path');
const compression = require('compression');
const express = require('express');
const session = require('express-session');
const multer = require('multer');
const { WebSocketServer } = require('ws');

const { pattern } = require('../lib/bytes');
const journal = require('./journal');
const remote = require('./remote');

const app = express();
const upload = multer({ storage: multer.memoryStorage() });
const picture = pattern(300_000);
let sessions = 0;

/** Streams of server-sent events that are open. @type {Set<http.ServerResponse>} */
const listeners = new Set();
let lastEvent = 0;

app.use(compression({ threshold: 100 }));
app.use(
  session({
    secret: 'a secret of the tests',
    resave: false,
    saveUninitialized: true,
    genid: () => `session-${++sessions}`,
    cookie: { maxAge: null },
  }),
);
// Every version of a file gets the same tag and date, whenever it was checked out.
const fixed = (res) => res.setHeader('Last-Modified', 'Tue, 01 Dec 2026 08:00:00 GMT');
app.use(
  express.static(path.join(__dirname, 'site'), { setHeaders: fixed, etag: false, maxAge: '1h' }),
);

app.get('/picture', (req, res) => res.type('application/octet-stream').send(picture));
app.get('/visits', (req, res) => {
  req.session.visits = (req.session.visits ?? 0) + 1;
  res.json({ visits: req.session.visits, filler: 'compressible '.repeat(100) });
});
app.get('/redirect', (req, res) => res.redirect('/visits'));
app.get('/error', () => {
  throw Object.assign(new Error('as asked'), { status: 503 });
});
app.get('/parts', async (req, res) => {
  res.type('text/plain');
  for (const part of ['first,', 'second,', 'third']) {
    res.write(part);
    res.flush();
    await new Promise((resolve) => setImmediate(resolve));
  }
  res.end();
});
app.get('/begun', (req, res) => {
  res.type('text/plain').write('begun');
  res.flush();
});
app.get('/events', (req, res) => {
  res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  const from = Number(req.headers['last-event-id'] ?? 0);
  res.write(`retry: 50\nid: ${++lastEvent}\ndata: resumed after ${from}\n\n`);
  res.flush();
  listeners.add(res);
  res.on('close', () => listeners.delete(res));
});
app.post('/form', express.urlencoded({ extended: false }), (req, res) => res.json(req.body));
app.post('/upload', upload.array('files'), (req, res) => {
  const files = req.files.map(({ originalname, mimetype, size, buffer }) => ({
    originalname,
    mimetype,
    size,
    sha256: createHash('sha256').update(buffer).digest('hex'),
  }));
  res.status(201).json({ fields: req.body, files });
});
app.post('/beacon', express.text(), (req, res) => {
  journal.note(null, `beacon ${req.body}`);
  res.status(204).end();
});
app.use((error, req, res, next) => res.status(error.status).json({ error: error.message }));

const server = http.createServer(app);
server.keepAliveTimeout = 60_000;
journal.keep(server, process.argv.includes('--watched'));

const sockets = new WebSocketServer({ server, path: '/socket', perMessageDeflate: true });
sockets.on('connection', (ws, req) => {
  ws.on('message', (data, isBinary) =>
    ws.send(isBinary ? data : `echo of ${data}`, { binary: isBinary }),
  );
  ws.on('close', (code, reason) => journal.note(null, `WebSocket closed ${code} ${reason}`));
});

remote.answer({
  ...journal.commands,
  /** Sends an event to all who listen. */
  publish: (data) => {
    for (const res of listeners) {
      res.write(`event: news\nid: ${++lastEvent}\ndata: ${data}\n\n`);
      res.flush();
    }
    return listeners.size;
  },
  /** Ends the streams of events; browsers come again. */
  interrupt: () => {
    for (const res of listeners) res.end();
  },
});

server.listen(0, '127.0.0.1');
once(server, 'listening').then(() => remote.ready(server.address()));
