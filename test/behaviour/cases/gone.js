'use strict';
// Connections that are destroyed, ended or reset before, in and after end().

const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { look } = require('../scenario');
const { GET, mask, ok } = require('../text');

/** The client is gone, in some way, before the handler answers. */
function gone(name, act, options = {}) {
  return {
    name,
    path: options.path ?? 'any',
    async run(t) {
      let over;
      const closed = new Promise((resolve) => {
        over = resolve;
      });
      const server = await t.serve((req, res) => {
        res.on('finish', () => t.log('finish', res.writableFinished));
        res.on('error', (error) => t.log('error', error));
        res.on('close', () => {
          t.log('close', look(res));
          setImmediate(over);
        });
        return act({ req, res, socket: req.socket, client, t });
      });
      const client = await t.connect(server, { record: options.record });
      client.send(GET);
      await closed;
      client.socket.destroy();
    },
  };
}

const afterClose = (socket) =>
  new Promise((resolve) => {
    socket.on('close', () => setImmediate(resolve));
  });

module.exports = [
  gone('res.destroy() before end(): no finish, and end() is silent', ({ res, t }) => {
    res.destroy();
    t.attempt('end', () => res.end('never', () => t.log('end callback')));
    t.log(look(res));
  }),
  gone('res.destroy(error) before end()', ({ res, t }) => {
    res.destroy(new Error('own'));
    t.log(res.errored);
    t.attempt('end', () => res.end('never', (error) => t.log('end callback', error)));
  }),
  gone('res.destroy() between writeHead() and end()', ({ res, t }) => {
    res.writeHead(200, { 'Content-Length': 5 });
    res.destroy();
    t.attempt('end', () => res.end('never'));
    t.log(look(res));
  }),
  gone(
    'res.destroy() just after end(): the bytes were handed over',
    ({ res, t }) => {
      res.end('hello', (error) => t.log('end callback', error ?? null));
      res.destroy();
      t.log(look(res));
    },
    { record: false },
  ),
  gone(
    'res.destroy() in finish and in prefinish',
    ({ res, t }) => {
      res.on('finish', () => {
        res.destroy();
      });
      res.end('hello');
      t.log(look(res));
    },
    { record: false },
  ),
  gone(
    'res.destroy() in prefinish',
    ({ res, t }) => {
      res.on('prefinish', () => {
        res.destroy();
      });
      res.end('hello');
      t.log(look(res));
    },
    { record: false },
  ),
  gone('socket.destroy() before end(): no finish', ({ res, socket, t }) => {
    socket.destroy();
    t.attempt('end', () => res.end('never', () => t.log('end callback')));
    t.log(look(res));
  }),
  gone('socket.destroy(error) before end()', ({ res, socket, t }) => {
    socket.destroy(new Error('own'));
    t.attempt('end', () =>
      res.end(Buffer.from('never'), (error) => t.log('end callback', error ?? null)),
    );
  }),
  gone(
    'socket.destroy() just after end()',
    ({ res, socket, t }) => {
      res.end('hello', (error) => t.log('end callback', error ?? null));
      socket.destroy();
      t.log(look(res), socket.bytesWritten);
    },
    { record: false },
  ),
  gone(
    'socket.destroy(error) just after end()',
    ({ res, socket, t }) => {
      res.end('hello', (error) => t.log('end callback', error ?? null));
      socket.destroy(new Error('own'));
      t.log(look(res), socket.bytesWritten);
    },
    { record: false },
  ),
  gone(
    'socket.destroy() in a tick after end()',
    ({ res, socket, t }) => {
      res.end('hello', () => t.log('end callback'));
      process.nextTick(() => socket.destroy());
    },
    { record: false },
  ),
  gone(
    'socket.destroy() in a listener of prefinish',
    ({ res, socket, t }) => {
      res.on('prefinish', () => socket.destroy());
      res.end('hello', (error) => t.log('end callback', error ?? null));
      t.log(look(res));
    },
    { record: false },
  ),
  gone('a writeHead() on the instance that destroys the socket', ({ res, socket, t }) => {
    const { writeHead } = res;
    res.writeHead = function destroying(...args) {
      Reflect.apply(writeHead, this, args);
      socket.destroy();
      return this;
    };
    t.attempt('end', () => res.end('never'));
    t.log(look(res));
  }),
  gone(
    'socket.destroySoon() and socket.end() before end(): the answer cannot be written any more',
    ({ res, socket, t }) => {
      res.on('error', () => {});
      socket.on('error', (error) => t.log('socket error', error));
      socket.end();
      t.attempt('end', () => res.end('never', (error) => t.log('end callback', error ?? null)));
      t.log(look(res));
      setImmediate(() => socket.destroy());
    },
  ),
  gone('socket.resetAndDestroy() before end()', ({ res, socket, t }) => {
    socket.resetAndDestroy();
    t.attempt('end', () => res.end('never'));
    t.log(look(res));
  }),
  gone(
    'the client reset the connection before end(): close without finish, no error',
    async ({ res, socket, client, t }) => {
      client.socket.resetAndDestroy();
      await afterClose(socket);
      t.log('socket closed', look(res));
      t.attempt('end', () => res.end('never', () => t.log('end callback')));
      t.log(look(res));
    },
  ),
  gone(
    'the client ended its side before end(): the server drops the connection',
    async ({ res, socket, client, t }) => {
      client.socket.end();
      await afterClose(socket);
      t.attempt('end', () => res.end('never'));
      t.log(look(res));
    },
  ),
  {
    name: 'httpAllowHalfOpen: a client that ended its side still gets the answer',
    path: 'any',
    async run(t) {
      const server = await t.serve(async (req, res) => {
        await new Promise((resolve) => req.socket.on('end', () => setImmediate(resolve)));
        t.watch(res);
        res.end('hello');
      });
      server.httpAllowHalfOpen = true;
      const client = await t.connect(server, { allowHalfOpen: true });
      client.send(GET);
      client.socket.end();
      await client.until(() => client.ended);
      t.log(mask(client.rest));
    },
  },
  ...Object.entries({
    'a text': (res, ...more) => res.end('never', ...more),
    'a Buffer': (res, ...more) => res.end(Buffer.from('never'), ...more),
    'an empty body': (res, ...more) => res.end(...more),
    'a chunked text': (res, ...more) => res.writeHead(200).end('never', ...more),
    'a large text': (res, ...more) => res.end('never '.repeat(20_000), ...more),
  }).map(([what, act]) => ({
    name: `the client reset the connection, and the server does not know yet when it answers with ${what}`,
    path: 'any',
    async run(t) {
      let over;
      const closed = new Promise((resolve) => {
        over = resolve;
      });
      const server = await t.serve((req, res) => {
        const { socket } = req;
        socket.on('error', ({ code, syscall, message, errno }) => {
          t.log('socket error', code, syscall, message, errno);
        });
        socket.on('close', (hadError) => t.log('socket close', hadError));
        res.on('finish', () => t.log('finish'));
        res.on('error', (error) => t.log('error', error));
        res.on('close', () => {
          t.log('close', res.writableEnded, res.writableFinished, socket.destroyed);
          setImmediate(over);
        });
        // The reset is there once the client's descriptor is closed, and the kernel tells it once.
        client.socket.resetAndDestroy();
        act(res, (error) => t.log('end callback', error ?? null));
        t.log(look(res));
      });
      server.on('clientError', (error, socket) => {
        t.log('clientError', error.code);
        socket.destroy(error);
      });
      const client = await t.connect(server, { record: false });
      client.send(GET);
      await closed;
    },
  })),
  {
    name: 'a response whose socket died and whose descriptor was taken by a new connection sends nothing to the newcomer',
    path: 'any',
    async run(t) {
      const held = [];
      const sockets = [];
      const server = await t.serve((req, res) => {
        sockets.push(req.socket);
        if (req.url === '/newcomer') {
          assert.strictEqual(
            req.socket._handle.fd,
            held[0].fd,
            'the descriptor number was taken again',
          );
          for (const { res: old } of held)
            t.attempt('late end', () => old.end('for somebody else'));
          res.end('newcomer');
        } else {
          res.writeHead(200, { 'Content-Length': 17 });
          held.push({ res, fd: req.socket._handle.fd });
        }
      });
      // Every free number below is taken, so that the next ones are known.
      const fillers = Array.from({ length: 64 }, () => fs.openSync(os.devNull));
      t.cleanup(() => {
        for (const fd of fillers) fs.closeSync(fd);
      });
      const old = await t.connect(server, { allowHalfOpen: true });
      old.send(GET);
      while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
      // The client of the newcomer gets this number, and its server side the one of the dead socket.
      fs.closeSync(fillers.pop());
      sockets[0].destroy();
      const newcomer = await t.connect(server);
      newcomer.send(GET.replace('/', '/newcomer'));
      await newcomer.expect(ok('newcomer'));
      await newcomer.finish();
      await old.until(() => old.ended);
      assert.strictEqual(old.text, '');
    },
  },

  {
    name: 'a response whose descriptor number was taken by a file writes nothing into the file',
    path: 'any',
    async run(t) {
      const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'behaviour-'));
      t.cleanup(() => fs.rmSync(directory, { recursive: true, force: true }));
      const file = path.join(directory, 'file');
      const opened = [];
      t.cleanup(() => {
        for (const fd of opened) fs.closeSync(fd);
      });
      let over;
      const closed = new Promise((resolve) => {
        over = resolve;
      });
      const server = await t.serve((req, res) => {
        const { fd } = req.socket._handle;
        res.on('close', over);
        res.writeHead(200, { 'Content-Length': 5 });
        req.socket.destroy();
        while (opened.at(-1) !== fd) {
          opened.push(fs.openSync(file, 'a'));
          assert.ok(opened.length < 1000, 'the descriptor number did not come back');
        }
        t.attempt('end', () => res.end('hello'));
      });
      const client = await t.connect(server);
      client.send(GET);
      await closed;
      await client.expectClose();
      assert.strictEqual(fs.statSync(file).size, 0);
    },
  },
];
