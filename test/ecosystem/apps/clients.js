'use strict';
// The server that clients of the same process speak with.

const http = require('node:http');
const zlib = require('node:zlib');
const { LARGE } = require('../typical');
const { bareRoutes, json } = require('./bare');

/** @param {import('../child/toolbox').Toolbox} t */
function clientsServer(t) {
  const routes = {
    ...bareRoutes(t),
    'GET /gzip'(req, res) {
      res.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Type': 'text/plain' });
      res.end(zlib.gzipSync(LARGE));
    },
    'GET /status/503': (req, res) => res.writeHead(503, { 'Retry-After': '1' }).end('busy'),
    'GET /headers'({ headers: { host: _host, ...headers } }, res) {
      json(res, headers);
    },
    'GET /break': (req, res) => req.socket.destroy(),
    'GET /loop': (req, res) => res.writeHead(302, { Location: '/redirect' }).end(),
    'PUT /echo': (req, res) => req.pipe(res),
  };
  const server = http.createServer((req, res) => {
    t.log('handler', req.method, req.url);
    const method = req.method === 'HEAD' ? 'GET' : req.method;
    const route = routes[`${method} ${req.url}`];
    if (route) route(req, res);
    else res.writeHead(404).end('not here');
  });
  return server;
}

/** What a client tells of a response, without what differs from run to run. */
function told(status, headers, body) {
  const { date: _date, ...rest } = Object.fromEntries(headers);
  return { status, headers: rest, body: body.length > 1000 ? body.length : body };
}

/**
 * Runs the questions one after the other.
 * @param {Record<string, () => Promise<unknown>>} questions
 */
async function each(questions) {
  const answers = {};
  for (const [name, ask] of Object.entries(questions)) {
    answers[name] = await ask().catch((error) => ({ error: error.name, code: error.code }));
  }
  return answers;
}

/** A case in which a client of the program asks its own server. */
const clientCase = (packages, questions) => ({
  packages,
  // Both ends are in one process: in which order they hear of a message is up to the kernel.
  watchable: false,
  measured: null,
  server(t) {
    const server = clientsServer(t);
    const ask = async () => {
      const { port } = server.address();
      const { close, ...rest } = await questions(`http://127.0.0.1:${port}`, t);
      const answers = await each(rest);
      await close?.();
      return answers;
    };
    return { servers: [server], calls: { ask } };
  },
  conversation: (c) => c.call('ask'),
});

module.exports = { clientCase, told };
