'use strict';

// What a server lived through, connection by connection: between connections the order is the
// kernel's, within one it must be Node's.

const { PATIENCE, within } = require('../lib/within');

/**
 * `exact` as long as the bytes on the connection are not a matter of time: where it was not cut,
 * and where no chunks came, which proxies make as they please.
 * @type {{ events: string[], exact: boolean, closed: boolean }[]}
 */
const connections = [];
const besides = [];
const waiting = new Set();

/** @type {WeakMap<import('node:net').Socket, typeof connections[number]>} */
const bySocket = new WeakMap();

function wake() {
  for (const look of [...waiting]) look();
}

/**
 * @param {import('node:net').Socket | null} socket
 * @param {string} event
 */
function note(socket, event) {
  (bySocket.get(socket)?.events ?? besides).push(event);
  wake();
}

/** Notes the events of an exchange, which changes what the fast path may leave out. */
function watchExchange(req, res) {
  const { socket } = req;
  const name = `${req.method} ${req.url}`;
  if ('transfer-encoding' in req.headers) bySocket.get(socket).exact = false;
  for (const event of ['end', 'aborted', 'close']) {
    req.on(event, () => {
      if (event === 'aborted') bySocket.get(socket).exact = false;
      note(socket, `${name}: request ${event}`);
    });
  }
  req.on('error', ({ code }) => note(socket, `${name}: request error ${code}`));
  for (const event of ['finish', 'close']) {
    res.on(event, () => {
      if (event === 'close' && !res.writableFinished) bySocket.get(socket).exact = false;
      const whole = res.writableFinished ? '' : ', unfinished';
      note(socket, `${name}: response ${event}${whole}`);
    });
  }
}

function watchSocket(socket, connection, watched) {
  if (watched) socket.on('error', ({ code }) => note(socket, `error ${code}`));
  socket.on('close', (hadError) => {
    connection.closed = true;
    const bytes =
      watched && connection.exact && !hadError
        ? `, ${socket.bytesRead} bytes in, ${socket.bytesWritten} out`
        : '';
    note(socket, `close${hadError ? ' with an error' : ''}${bytes}`);
  });
}

/**
 * Keeps the journal of a server.
 * @param {import('node:http').Server} server
 * @param {boolean} watched whether each event of exchanges and sockets is noted; else requests alone
 */
function keep(server, watched) {
  server.on('connection', (socket) => {
    const connection = { events: [], exact: true, closed: false };
    connections.push(connection);
    bySocket.set(socket, connection);
    watchSocket(socket, connection, watched);
  });
  server.prependListener('request', (req, res) => {
    note(req.socket, `${req.method} ${req.url} HTTP/${req.httpVersion}`);
    if (watched) watchExchange(req, res);
  });
  server.on('close', () => note(null, 'server close'));
  process.on('warning', ({ name, code, message }) =>
    note(null, `warning ${name} ${code} ${message}`),
  );
}

/**
 * Resolves once it holds; asked again with each event.
 * @param {() => boolean} holds
 */
function until(holds) {
  return new Promise((resolve) => {
    const look = () => {
      if (!holds()) return;
      waiting.delete(look);
      resolve(undefined);
    };
    waiting.add(look);
    look();
  });
}

const has = (text) => (connection) => connection.events.some((event) => event.startsWith(text));

/** What the suite may ask of a journal. */
const commands = {
  /** Resolves once there is such an event. @param {string} text its beginning */
  noted: (text) => until(() => [{ events: besides }, ...connections].some(has(text))),
  /** Resolves once all connections with such an event are closed, and there are any. */
  closed: (text) =>
    until(() => {
      const concerned = connections.filter(has(text));
      return concerned.length > 0 && concerned.every(({ closed }) => closed);
    }),
  /** Resolves once so many connections were closed. */
  repeated: (count) => until(() => connections.filter(({ closed }) => closed).length >= count),
  /** How often each event came since it was asked last, and on how many connections. */
  counts: () => {
    const events = {};
    const all = connections.splice(0);
    for (const event of all.flatMap((connection) => connection.events)) {
      events[event] = (events[event] ?? 0) + 1;
    }
    return { connections: all.length, events, besides: besides.splice(0) };
  },
  /** Everything, once all connections are closed. */
  journal: async () => {
    const open = () => connections.filter(({ closed }) => !closed);
    const story = () => `connections to close: ${JSON.stringify(open())}`;
    await within(
      until(() => open().length === 0),
      story,
      PATIENCE / 2,
    );
    return { connections: connections.map(({ events }) => events), besides };
  },
};

module.exports = { commands, keep, note };
