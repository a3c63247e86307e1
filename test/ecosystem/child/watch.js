'use strict';
// Notes the events of a server's connections, requests and responses, in their order.

/**
 * @param {import('node:events').EventEmitter} emitter
 * @param {string[]} events
 * @param {(event: string, argument: unknown) => void} note
 */
function each(emitter, events, note) {
  for (const event of events) emitter.on(event, (argument) => note(event, argument));
}

/** Events of a server that change what it does once somebody listens: watched where somebody does. */
const ANSWERED = ['upgrade', 'connect', 'checkContinue', 'checkExpectation', 'clientError'];

let servers = 0;

/** @param {import('node:http').Server} server @param {import('./toolbox').Toolbox} t */
function watch(server, t) {
  const which = ++servers === 1 ? '' : `server ${servers} `;
  let connections = 0;
  let requests = 0;
  const names = new WeakMap();

  server.prependListener('connection', (socket) => {
    const name = `${which}connection ${++connections}`;
    names.set(socket, name);
    t.log(`[${name}] opens`);
    each(socket, ['timeout', 'error'], (event, error) => t.log(`[${name}] ${event}`, error?.code));
    socket.on('close', (hadError) => {
      t.log(`[${name}] close`, { hadError, read: socket.bytesRead, written: socket.bytesWritten });
    });
  });
  server.prependListener('request', (req, res) => {
    const name = `${which}request ${++requests}`;
    const { socket } = req;
    t.log(`[${name}] ${req.method} ${req.url} on ${names.get(socket)}`, req.rawHeaders.length);
    each(req, ['end', 'aborted', 'close', 'error'], (event, error) => {
      t.log(`[${name}] request ${event}`, error?.code, { complete: req.complete });
    });
    // Not 'drain': how often a large body waits is up to the pace of its source.
    const events = ['prefinish', 'finish', 'close', 'error', 'pipe', 'unpipe'];
    each(res, events, (event, other) => {
      t.log(`[${name}] response ${event}`, other?.code, {
        status: res.statusCode,
        sent: res.headersSent,
        finished: res.writableFinished,
        written: res.writableEnded && socket.bytesWritten,
      });
    });
  });
  for (const event of ANSWERED) {
    if (server.listenerCount(event) > 0) {
      server.prependListener(event, (subject) => {
        t.log(`[${which}server] ${event}`, subject?.code ?? `${subject?.method} ${subject?.url}`);
      });
    }
  }
  server.on('close', () => t.log(`[${which}server] close`));
}

module.exports = { watch };
