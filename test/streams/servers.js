'use strict';

// The servers that the streams are sent to, by name: options of createServer(), properties, and listeners besides
// that of 'request'.

const http = require('node:http');

/** A listener for each event in which Node gives the connection away. */
const givenAway = (event) => (record, req, socket, head) => {
  record.request(event, req);
  record.note(`${event} head`, head.toString('latin1'));
  socket.write(`HTTP/1.1 ${event === 'connect' ? 200 : 101} Own\r\n\r\n`);
  socket.on('data', (data) => record.note('raw', data.toString('latin1')));
  socket.on('end', () => socket.end());
};

/** @type {Record<string, { options?: object, properties?: object, listeners?: object }>} */
const SERVERS = {
  plain: {},
  hearing: {
    listeners: {
      clientError(record, error, socket) {
        record.note('clientError', `${error.code} ${error.bytesParsed} ${error.rawPacket?.length}`);
        if (socket.writable) socket.end('HTTP/1.1 400 Own\r\n\r\n');
      },
    },
  },
  upgrading: { listeners: { upgrade: givenAway('upgrade'), connect: givenAway('connect') } },
  expecting: {
    listeners: {
      checkContinue(record, req, res) {
        const { name } = record.request('checkContinue', req);
        res.writeContinue();
        record.listen(req, `${name} req`, ['end', 'close']);
        req.resume().on('end', () => res.end('continued'));
      },
      checkExpectation(record, req, res) {
        record.request('checkExpectation', req);
        res.statusCode = 417;
        res.end('refused');
      },
    },
  },
  'half-open': { properties: { httpAllowHalfOpen: true } },
  'two headers': { properties: { maxHeadersCount: 2 } },
  'any number of headers': { properties: { maxHeadersCount: 0 } },
  'small heads': { options: { maxHeaderSize: 256 } },
  'heads of 600': { options: { maxHeaderSize: 600 } },
  joining: { options: { joinDuplicateHeaders: true } },
  'any host': { options: { requireHostHeader: false } },
  lenient: { options: { insecureHTTPParser: true } },
  'two requests a socket': { properties: { maxRequestsPerSocket: 2 } },
  'no keep-alive timeout': { options: { keepAliveTimeout: 0 } },
  'own classes': {
    options: {
      IncomingMessage: class extends http.IncomingMessage {},
      ServerResponse: class extends http.ServerResponse {},
    },
  },
};

/**
 * @param {string} name
 * @param {(socket: object) => object} recordOf the record of a connection
 * @param {(record: object, req: object, res: object) => void} serve
 */
function createServer(name, recordOf, serve) {
  const { options = {}, properties = {}, listeners = {} } = SERVERS[name];
  // A machine that stands still for some seconds must not look like a slow client.
  const server = http.createServer({ keepAliveTimeout: 600_000, ...options }, (req, res) =>
    serve(recordOf(req.socket), req, res),
  );
  Object.assign(server, properties);
  for (const [event, listener] of Object.entries(listeners)) {
    server.on(event, (...args) => {
      const socket = event === 'clientError' ? args[1] : args[0].socket;
      listener(recordOf(socket), ...args);
    });
  }
  server.on('dropRequest', (req, socket) => recordOf(socket).note('dropRequest', req.url));
  return server;
}

module.exports = { SERVERS, createServer };
