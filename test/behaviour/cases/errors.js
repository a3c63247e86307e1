'use strict';
// Misuse of a response, and errors that a program throws around its end.

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const { inspect } = require('node:util');
const { look } = require('../scenario');
const { GET, GET_CLOSE, chunked, major, ok } = require('../text');
const { wire } = require('../wire');

/** One exchange; the handler logs, the answer is an implicit 'hello' unless told otherwise. */
function misuse(name, path, handler, reply = ok('hello')) {
  return {
    name,
    path,
    async run(t) {
      let closed;
      const server = await t.serve((req, res) => {
        res.on('error', (error) => t.log('error event', error));
        res.on('finish', () => t.log('finish'));
        closed = new Promise((resolve) => {
          res.on('close', () => {
            t.log('close');
            resolve();
          });
        });
        handler(res, t, req);
        t.log('handler returned', look(res));
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(reply);
      await closed;
      await new Promise((resolve) => setImmediate(resolve));
      await client.finish();
    },
  };
}

const call =
  (t, label) =>
  (...args) =>
    t.log(label, args);

const BAD_CHUNKS = [
  1,
  true,
  {},
  [],
  new Date(0),
  Symbol('s'),
  10n,
  new Uint16Array(2),
  new ArrayBuffer(4),
  new DataView(new ArrayBuffer(4)),
  Object('boxed'),
];

module.exports = [
  misuse('end() twice in one tick sends one answer', 'any', (res, t) => {
    res.end('hello');
    assert.strictEqual(res.end(), res);
  }),
  misuse('end(text) twice: the second reports ERR_STREAM_WRITE_AFTER_END', 'any', (res, t) => {
    res.end('hello');
    t.attempt('end', () => res.end('more'));
  }),
  misuse('end(callback) twice: each callback is called as on stock Node', 'any', (res, t) => {
    res.end('hello', call(t, 'first callback'));
    t.attempt('end', () => res.end(call(t, 'second callback')));
  }),
  misuse('end(text, callback) twice', 'any', (res, t) => {
    res.end('hello', call(t, 'first callback'));
    t.attempt('end', () => res.end('more', call(t, 'second callback')));
  }),
  misuse('end(callback) in finish reports ERR_STREAM_ALREADY_FINISHED', 'any', (res, t) => {
    res.on('finish', () => {
      t.attempt('end', () => res.end(call(t, 'callback')));
    });
    res.end('hello');
  }),
  misuse('end(text, callback) in finish', 'any', (res, t) => {
    res.on('finish', () => {
      t.attempt('end', () => res.end('more', call(t, 'callback')));
    });
    res.end('hello');
  }),
  misuse('end() in prefinish', 'any', (res, t) => {
    res.on('prefinish', () => {
      t.attempt('end', () => res.end());
    });
    res.end('hello');
  }),
  misuse('end() in a tick, a promise and an immediate after end()', 'any', (res, t) => {
    res.end('hello');
    process.nextTick(() => t.attempt('end in a tick', () => res.end(call(t, 'tick'))));
    Promise.resolve().then(() => t.attempt('end in a promise', () => res.end(call(t, 'promise'))));
    setImmediate(() => t.attempt('end in an immediate', () => res.end(call(t, 'immediate'))));
  }),
  misuse(
    'write() after end() reports ERR_STREAM_WRITE_AFTER_END to callback and error event',
    'any',
    (res, t) => {
      res.end('hello');
      t.log('write returned', res.write('more', call(t, 'write callback')));
    },
  ),
  misuse('write() in finish', 'any', (res, t) => {
    res.on('finish', () => t.log('write returned', res.write('more', call(t, 'write callback'))));
    res.end('hello');
  }),
  misuse('write() after close', 'any', (res, t) => {
    res.on('close', () => t.log('write returned', res.write('more', call(t, 'write callback'))));
    res.end('hello');
  }),
  misuse('cork() and uncork() around end(text)', 'any', (res, t) => {
    res.cork();
    t.log('corked', look(res));
    res.end('hello');
    t.log('ended', look(res));
    res.uncork();
  }),
  misuse('cork() twice and end(text) without uncork()', 'any', (res) => {
    res.cork();
    res.cork();
    res.end('hello');
  }),
  misuse('flushHeaders() after end() does nothing', 'any', (res, t) => {
    res.end('hello');
    t.attempt('flushHeaders', () => res.flushHeaders());
  }),
  misuse(
    'addTrailers() after end() does nothing',
    'any',
    (res, t) => {
      res.writeHead(200).end('hello');
      t.attempt('addTrailers', () => res.addTrailers({ 'X-A': '1' }));
    },
    chunked(['hello']),
  ),
  misuse(
    'writeContinue() after writeHead()',
    'any',
    (res, t) => {
      res.writeHead(200, { 'X-A': '1' });
      t.attempt('writeEarlyHints', () => {
        if (major >= 24) res.writeEarlyHints({ link: '</a>; rel=preload' });
      });
      res.end('hello');
    },
    chunked(['hello'], 'X-A: 1'),
  ),
  misuse('res.pipe() is refused', 'any', (res, t) => {
    res.on('error', () => {});
    t.attempt('pipe', () => res.pipe(process.stdout));
    res.end('hello');
  }),

  ...BAD_CHUNKS.flatMap((chunk) =>
    ['implicit', 'explicit'].map((kind) =>
      wire({
        name: `end(${inspect(chunk, { breakLength: Infinity })}) with an ${kind} head throws ERR_INVALID_ARG_TYPE, and a good end() can follow`,
        path: 'any',
        counted: undefined,
        handler: (req, res, t) => {
          if (kind === 'explicit') res.writeHead(200, { 'X-A': '1' });
          const error = t.attempt('end', () =>
            res.end(chunk, () => t.log('callback of the bad end')),
          );
          assert.strictEqual(error.code, 'ERR_INVALID_ARG_TYPE');
          t.log(look(res));
          res.end('hello');
        },
        reply: kind === 'explicit' ? chunked(['hello'], 'X-A: 1') : ok('hello'),
      }),
    ),
  ),
  ...['no-such-encoding', 'utf9', {}, 7, true].map((encoding) => ({
    name: `end(text, ${typeof encoding === 'object' ? 'object' : JSON.stringify(encoding)}) is treated as stock Node does`,
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        if (req.url === '/chunked') res.writeHead(200);
        if (req.url === '/length') res.writeHead(200, { 'Content-Length': 5 });
        t.attempt(`end ${req.url}`, () => res.end('hello', encoding));
        t.log(look(res));
        setImmediate(() => res.destroy());
      });
      for (const url of ['/implicit', '/chunked', '/length']) {
        const client = await t.connect(server);
        client.send(GET.replace('/', url));
        t.log(await client.closed());
      }
    },
  })),
  ...['write', 'end'].map((method) => ({
    name: `a null or missing chunk for ${method}()`,
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        t.attempt(`${method}(null)`, () => res[method](null));
        if (!res.writableEnded) {
          t.attempt(`${method}(undefined)`, () => res[method](undefined));
          if (!res.writableEnded) res.end();
        }
        t.log(look(res));
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(ok(''));
      await client.finish();
    },
  })),
  ...['x', 7, {}, null].map((callback) =>
    wire({
      name: `a third argument that is no function (${JSON.stringify(callback)}) is ignored`,
      path: 'any',
      handler: (req, res) => {
        res.end('hello', 'utf8', callback);
      },
      reply: ok('hello'),
    }),
  ),

  {
    name: 'a throw in a finish listener is an uncaught exception, and the next request is served',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        if (req.url === '/throw')
          res.on('finish', () => {
            throw new RangeError('from finish');
          });
        res.end('hello');
        res.on('finish', () => t.log(`${req.url} later finish listener`));
        res.on('close', () => t.log(`${req.url} close`));
      });
      const client = await t.connect(server);
      const thrown = t.uncaught();
      client.send(GET.replace('/', '/throw'));
      await client.expect(ok('hello'));
      t.log('uncaught', await thrown);
      const next = await t.connect(server);
      next.send(GET.replace('/', '/next'));
      await next.expect(ok('hello'));
      await next.finish();
    },
  },
  {
    name: 'a throw in an end callback and in a close listener is an uncaught exception',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.on('finish', () => t.log('finish'));
        res.on('close', () => {
          throw new RangeError('from close');
        });
        res.end('hello', () => {
          throw new TypeError('from end callback');
        });
      });
      const client = await t.connect(server);
      const thrown = t.uncaught(2);
      client.send(GET_CLOSE);
      await client.until(() => client.rest.endsWith('hello'));
      client.socket.destroy();
      t.log('uncaught', await thrown);
    },
  },
  {
    name: 'a throw in a prefinish listener comes out of end()',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.on('prefinish', () => {
          throw new RangeError('from prefinish');
        });
        t.attempt('end', () => res.end('hello'));
        t.log(look(res));
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(ok('hello'));
    },
  },
  {
    name: 'a throw in the handler after end() is an uncaught exception, and the answer is out',
    path: 'any',
    async run(t) {
      const http = require('node:http');
      const server = await t.listen(
        http.createServer((req, res) => {
          res.on('finish', () => t.log('finish'));
          res.end('hello');
          if (req.url === '/throw') throw new RangeError('from the handler');
        }),
      );
      const client = await t.connect(server);
      const thrown = t.uncaught();
      client.send(GET.replace('/', '/throw'));
      t.log('uncaught', await thrown);
      await client.expect(ok('hello'));
      const next = await t.connect(server);
      next.send(GET);
      await next.expect(ok('hello'));
    },
  },
  {
    name: 'a process without a handler for it dies of a throw in a finish listener, with the usual text and status',
    path: 'any',
    async run(t) {
      const program = `
        const http = require('node:http');
        const net = require('node:net');
        const server = http.createServer((req, res) => {
          res.on('finish', () => { throw new RangeError('from finish'); });
          res.end('hello');
        });
        server.listen(0, '127.0.0.1', () => net.connect(server.address().port).end('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n').resume());
      `;
      const child = spawn(process.execPath, [...process.execArgv, '-e', program], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let text = '';
      child.stderr.setEncoding('utf8').on('data', (data) => {
        text += data;
      });
      const [code, signal] = await require('node:events').once(child, 'close');
      t.log(code, signal, /RangeError: from finish/.test(text));
      assert.deepStrictEqual(t.transcript.log, [[1, null, true]]);
    },
  },
  {
    name: 'captureRejections: a rejecting handler gets a 500 when nothing was sent',
    path: 'any',
    async run(t) {
      const events = require('node:events');
      events.captureRejections = true;
      t.cleanup(() => {
        events.captureRejections = false;
      });
      const http = require('node:http');
      const server = http.createServer(async (req, res) => {
        res.setHeader('X-Secret', '1');
        if (req.url === '/sent') res.end('hello');
        throw new Error('rejected');
      });
      events.captureRejections = false;
      await t.listen(server);
      const client = await t.connect(server);
      client.send(GET);
      await client.takeThrough('Internal Server Error');
      await client.takeThrough('Internal Server Error');
      const sent = await t.connect(server);
      sent.send(GET.replace('/', '/sent'));
      await sent.takeThrough('hello');
      await sent.finish();
    },
  },
];
