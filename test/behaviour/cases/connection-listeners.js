'use strict';
// What listens to a connection while responses come and go on it, and what a program can do about that.

const { GET, ok } = require('../text');

const EVENTS = ['close', 'timeout', 'data', 'error', 'end', 'drain', 'resume', 'pause'];

/** The names of all listeners of a connection. */
const listeners = (socket) =>
  Object.fromEntries(
    EVENTS.map((event) => [event, socket.rawListeners(event).map(({ name }) => name)]),
  );

const immediate = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Four exchanges on one connection, whose listeners are logged at each moment.
 *
 * @param {string} name
 * @param {(socket: import('node:net').Socket, t: object) => void} connected called when it is accepted
 * @param {(exchange: { req: object, res: object, count: number }, t: object) => void} handle before the answer
 * @param {string} [path]
 */
function observed(name, { connected = () => {}, handle = () => {}, path = 'fast' }) {
  return {
    name,
    path,
    async run(t) {
      let count = 0;
      let accepted;
      const server = await t.serve((req, res) => {
        count++;
        t.log(`request ${count}`, listeners(req.socket), req.socket === res.socket);
        res.on('finish', () => t.log('finish', listeners(req.socket), res.socket === null));
        res.on('close', () => t.log('close', listeners(req.socket)));
        handle({ req, res, count }, t);
        res.end('hello');
        t.log('ended', listeners(req.socket));
      });
      server.on('connection', (socket) => {
        accepted = socket;
        connected(socket, t);
      });
      const client = await t.connect(server);
      for (let i = 0; i < 4; i++) {
        client.send(GET);
        await client.expect(ok('hello'));
        await immediate();
        t.log('between', listeners(accepted), accepted._httpMessage === null);
      }
      const gone = new Promise((resolve) => accepted.on('close', resolve));
      await client.finish();
      await gone;
      t.log('gone', listeners(accepted));
    },
  };
}

module.exports = [
  observed('the listeners of a connection are those of stock Node at each moment', {}),
  observed("a listener of 'close' from the time that the connection is accepted", {
    connected: (socket, t) => socket.on('close', () => t.log('socket close')),
  }),
  observed("a listener of 'close' from the second request on", {
    handle: ({ req, count }, t) => {
      if (count === 2) req.socket.on('close', () => t.log('socket close'));
    },
  }),
  observed("a listener of 'close' for the time of one request", {
    handle: ({ req, res, count }, t) => {
      const note = () => t.log('socket close');
      if (count !== 2) return;
      req.socket.prependListener('close', note);
      res.on('finish', () => req.socket.removeListener('close', note));
    },
  }),
  observed("all listeners of 'close' taken away by the handler", {
    handle: ({ req, count }) => {
      if (count === 2) req.socket.removeAllListeners('close');
    },
  }),
  observed('a listener of newListener and removeListener', {
    connected: (socket, t) => {
      socket.on('newListener', (event, { name }) => t.log('new', event, name));
      socket.on('removeListener', (event, { name }) => t.log('removed', event, name));
    },
  }),
  observed('a listener of removeListener for the time of one request', {
    handle: ({ req, res, count }, t) => {
      const note = (event, { name }) => t.log('removed', event, name);
      if (count !== 2) return;
      req.socket.on('removeListener', note);
      res.on('close', () => req.socket.removeListener('removeListener', note));
    },
  }),
  observed('on() of the connection wrapped by the program', {
    connected: (socket, t) => {
      const { on } = socket;
      socket.on = function (event, listener) {
        t.log('on', event, listener.name);
        return on.call(this, event, listener);
      };
    },
  }),
  observed('on() and removeListener() wrapped by the program between two requests', {
    handle: ({ req, count }, t) => {
      if (count !== 2) return;
      for (const name of ['on', 'removeListener']) {
        const original = req.socket[name];
        req.socket[name] = function (event, listener) {
          t.log(name, event, listener.name);
          return original.call(this, event, listener);
        };
      }
    },
  }),
  observed('a number of listeners allowed that is enough', {
    connected: (socket) => socket.setMaxListeners(2),
  }),
  observed('the response taken off its connection and put back by the handler', {
    handle: ({ req, res }, t) => {
      const { socket } = req;
      res.detachSocket(socket);
      t.log('off', listeners(socket), res.socket, socket._httpMessage);
      res.assignSocket(socket);
      t.attempt('twice', () => res.assignSocket(socket));
    },
  }),
  {
    name: 'a response that closes with its connection says so once',
    path: 'fast',
    async run(t) {
      let over;
      const closed = new Promise((resolve) => {
        over = resolve;
      });
      let count = 0;
      const server = await t.serve((req, res) => {
        if (++count < 3) return res.end('hello');
        req.on('close', () => t.log('req close', req.aborted));
        res.on('close', () => {
          t.log('res close', res.writableFinished, listeners(req.socket));
          setImmediate(over);
        });
        client.socket.destroy();
      });
      const client = await t.connect(server);
      for (let i = 0; i < 2; i++) {
        client.send(GET);
        await client.expect(ok('hello'));
      }
      client.send(GET);
      await closed;
    },
  },
  {
    name: 'an upgrade after a request hands over a connection without listeners of HTTP',
    path: 'fast',
    async run(t) {
      const server = await t.serve((_req, res) => res.end('hello'));
      const upgraded = new Promise((resolve) => {
        server.on('upgrade', (_req, socket) => {
          t.log(listeners(socket));
          socket.end('bye');
          resolve();
        });
      });
      const client = await t.connect(server);
      for (let i = 0; i < 2; i++) {
        client.send(GET);
        await client.expect(ok('hello'));
      }
      client.send('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
      await upgraded;
      await client.expect('bye');
    },
  },
];
