'use strict';
// The order of events and callbacks around end(), and which async context they run in.

const assert = require('node:assert');
const hooks = require('node:async_hooks');
const events = require('node:events');
const stream = require('node:stream');
const { DATE, GET, GET_CLOSE, KEEP, chunked, head, major, ok, okClose } = require('../text');

/** One exchange per way to end, each with the given listeners; the log is the order. */
function order(name, act, options = {}) {
  const { path = 'fast', request = GET, ways = Object.keys(WAYS), entries } = options;
  return {
    name,
    path,
    async run(t) {
      let closed;
      const server = await t.serve((req, res) => {
        const way = req.url.slice(1);
        closed = new Promise((resolve) => {
          res.on('close', resolve);
        });
        t.log(`--- ${way}`);
        act({
          req,
          res,
          t,
          end: (...args) => WAYS[way](res, ...args),
          note: (text) => () => t.log(text),
        });
      });
      for (const way of ways) {
        const client = await t.connect(server);
        client.send(request.replace('/', `/${way}`));
        await client.until(
          () =>
            client.rest.endsWith('hello') ||
            client.rest.endsWith('0\r\n\r\n') ||
            client.rest.includes('h: 0\r\n\r\n'),
        );
        await closed;
        await new Promise((resolve) => setImmediate(resolve));
        client.socket.destroy();
      }
      entries?.(t.transcript.log);
    },
  };
}

const WAYS = {
  text: (res, ...more) => res.end('hello', ...more),
  buffer: (res, ...more) => res.end(Buffer.from('hello'), ...more),
  empty: (res, ...more) => res.end(...more),
  chunked: (res, ...more) => res.writeHead(200).end('hello', ...more),
  length: (res, ...more) => res.writeHead(200, { 'Content-Length': 5 }).end('hello', ...more),
};

function timers({ note }, label) {
  process.nextTick(note(`tick queued ${label}`));
  Promise.resolve().then(note(`promise queued ${label}`));
  queueMicrotask(note(`microtask queued ${label}`));
  setImmediate(note(`immediate queued ${label}`));
}

module.exports = [
  order(
    'prefinish comes inside end(), finish before ticks and promises queued after end(), then close',
    (c) => {
      for (const name of ['prefinish', 'finish', 'close']) c.res.on(name, c.note(name));
      c.end();
      c.note('end returned')();
      timers(c, 'after end');
    },
    {
      entries(log) {
        const text = log.slice(log.indexOf('--- text') + 1, log.indexOf('--- buffer'));
        assert.deepStrictEqual(text.slice(0, 3), ['prefinish', 'end returned', 'finish']);
        assert.ok(text.includes('close'));
      },
    },
  ),
  order('ticks and promises queued before end() run in their place', (c) => {
    timers(c, 'before end');
    for (const name of ['prefinish', 'finish', 'close']) c.res.on(name, c.note(name));
    c.end();
    timers(c, 'after end');
  }),
  order(
    'an end callback beside listeners attached before and after end()',
    (c) => {
      c.res.on('finish', c.note('finish, attached before'));
      c.end(c.note('end callback'));
      c.res.on('finish', c.note('finish, attached after'));
      c.res.on('prefinish', c.note('prefinish, attached after: never'));
      c.res.on('close', c.note('close, attached after'));
      timers(c, 'after end');
    },
    {
      entries(log) {
        const text = log.slice(log.indexOf('--- text') + 1, log.indexOf('--- buffer'));
        const of = (label) => text.indexOf(label);
        assert.ok(
          major >= 24
            ? of('end callback') < of('finish, attached before')
            : of('end callback') > of('finish, attached before'),
          text.join(),
        );
        assert.ok(
          of('end callback') !== -1 && of('finish, attached before') < of('finish, attached after'),
        );
        assert.ok(!text.includes('prefinish, attached after: never'));
      },
    },
  ),
  order(
    'listeners attached in prefinish, in a tick, a promise and an immediate after end()',
    (c) => {
      c.res.on('prefinish', () => {
        c.note('prefinish')();
        c.res.on('finish', c.note('finish, attached in prefinish'));
      });
      c.end();
      process.nextTick(() => {
        c.res.on('finish', c.note('finish, attached in a tick'));
        c.res.on('close', c.note('close, attached in a tick'));
      });
      Promise.resolve().then(() => {
        c.res.on('finish', c.note('finish, attached in a promise'));
        c.res.on('close', c.note('close, attached in a promise'));
      });
      setImmediate(() => c.res.on('close', c.note('close, attached in an immediate')));
    },
  ),
  order('listeners attached in finish do not run for that finish', (c) => {
    c.res.on('finish', () => {
      c.note('finish')();
      c.res.on('finish', c.note('finish, attached in finish'));
      c.res.on('close', c.note('close, attached in finish'));
      timers(c, 'in finish');
    });
    c.end();
  }),
  order('once, prepended and removed listeners', (c) => {
    const removed = c.note('removed');
    c.res.on('finish', c.note('second'));
    c.res.prependListener('finish', c.note('first'));
    c.res.once('finish', c.note('third, once'));
    c.res.on('finish', removed);
    c.end();
    c.res.removeListener('finish', removed);
  }),
  order(
    'the same on a closing connection',
    (c) => {
      for (const name of ['prefinish', 'finish', 'close']) c.res.on(name, c.note(name));
      c.end(c.note('end callback'));
      c.note('end returned')();
      process.nextTick(c.note('tick'));
      Promise.resolve().then(c.note('promise'));
    },
    { request: GET_CLOSE },
  ),
  order('an end() inside a tick, a promise and an immediate', async (c) => {
    for (const name of ['prefinish', 'finish', 'close']) c.res.on(name, c.note(name));
    await new Promise((resolve) => setImmediate(resolve));
    c.end(c.note('end callback'));
    timers(c, 'after end');
  }),
  order('req events beside res events when the handler never reads', (c) => {
    for (const name of ['end', 'close', 'resume']) c.req.on(name, c.note(`req ${name}`));
    for (const name of ['prefinish', 'finish', 'close']) c.res.on(name, c.note(`res ${name}`));
    c.end();
    timers(c, 'after end');
  }),
  order('this in listeners and end callbacks, and their arguments', (c) => {
    c.res.on('finish', function (...args) {
      c.t.log('finish', this === c.res, args);
    });
    c.res.on('close', function (...args) {
      c.t.log('close', this === c.res, args);
    });
    c.end(function (...args) {
      c.t.log('end callback', this === c.res, this === undefined, args);
    });
  }),
  order('an emit that the program replaced sees prefinish, finish and close', (c) => {
    const emit = c.res.emit;
    c.res.emit = function (name, ...args) {
      c.t.log('emit', name, args.length);
      return Reflect.apply(emit, this, [name, ...args]);
    };
    c.end(c.note('end callback'));
  }),
  order(
    'the store of AsyncLocalStorage is kept in finish, close, the end callback, ticks, promises and immediates',
    (c) => {
      const storage = new hooks.AsyncLocalStorage();
      const note = (label) => () => c.t.log(label, storage.getStore());
      c.res.on('finish', note('finish, attached outside'));
      storage.run('inside', () => {
        c.res.on('prefinish', note('prefinish'));
        c.res.on('finish', note('finish'));
        c.res.on('close', note('close'));
        c.end(note('end callback'));
        process.nextTick(note('tick'));
        Promise.resolve().then(note('promise'));
        setImmediate(note('immediate'));
      });
    },
  ),
  order('the async resource and its trigger in finish, close and the end callback', (c) => {
    const { socket } = c.req;
    const note = (label) => () => {
      const resource = hooks.executionAsyncResource();
      c.t.log(
        label,
        resource.constructor?.name,
        hooks.triggerAsyncId() === socket._handle?.getAsyncId?.(),
        hooks.executionAsyncId() > 0,
      );
    };
    for (const name of ['prefinish', 'finish', 'close']) c.res.on(name, note(name));
    c.end(note('end callback'));
  }),
  order('stream.finished(res) called before end() and after it', (c) => {
    stream.finished(c.res, (error) => c.t.log('finished, asked before', error ?? null));
    c.end();
    stream.finished(c.res, (error) => c.t.log('finished, asked after', error ?? null));
    c.res.on('close', () =>
      stream.finished(c.res, (error) => c.t.log('finished, asked in close', error ?? null)),
    );
  }),
  order("events.once(res, 'finish') and once(res, 'close') resolve in order", (c) => {
    events.once(c.res, 'finish').then(c.note('finish resolved'));
    events.once(c.res, 'close').then(c.note('close resolved'));
    c.end();
  }),
  order('stream.promises.finished(res) resolves', (c) => {
    stream.promises.finished(c.res).then(c.note('resolved'), (error) => c.t.log('rejected', error));
    c.end();
  }),
  {
    name: 'two pipelined requests of one packet: handlers, then ticks, then promises, then finishes',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        t.log(`${req.url} handler`);
        process.nextTick(() => t.log(`${req.url} tick`));
        Promise.resolve().then(() => t.log(`${req.url} promise`));
        res.on('finish', () => t.log(`${req.url} finish`));
        res.on('close', () => t.log(`${req.url} close`));
        res.end(req.url);
        process.nextTick(() => t.log(`${req.url} tick after end`));
      });
      const client = await t.connect(server);
      client.send(GET.replace('/', '/a') + GET.replace('/', '/b'));
      await client.expect(ok('/a') + ok('/b'));
      await client.finish();
    },
  },
  {
    name: 'the next request of the connection is not handled before the finish of the one before',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        t.log(`${req.url} handler`);
        res.on('finish', () => t.log(`${req.url} finish`));
        res.on('close', () => t.log(`${req.url} close`));
        res.end(req.url);
      });
      const client = await t.connect(server);
      for (const url of ['/a', '/b', '/c']) {
        client.send(GET.replace('/', url));
        await client.expect(ok(url));
      }
      await client.finish();
      assert.deepStrictEqual(
        t.transcript.log,
        ['/a', '/b', '/c'].flatMap((url) => [`${url} handler`, `${url} finish`, `${url} close`]),
      );
    },
  },
  {
    name: 'the store of AsyncLocalStorage does not leak between connections and requests',
    path: 'fast',
    async run(t) {
      const storage = new hooks.AsyncLocalStorage();
      const server = await t.serve((req, res) => {
        assert.strictEqual(storage.getStore(), undefined);
        storage.run(req.url, () => {
          res.on('finish', () => t.log(req.url, storage.getStore()));
          res.end(req.url);
        });
      });
      for (const url of ['/a', '/b']) {
        const client = await t.connect(server);
        for (const more of ['1', '2']) {
          client.send(GET.replace('/', url + more));
          await client.expect(ok(url + more));
        }
        await client.finish();
      }
    },
  },
  {
    name: 'pipeline(readable, res) ends the response and calls back without an error',
    path: 'any',
    async run(t) {
      const server = await t.serve(async (req, res) => {
        res.on('finish', () => t.log('finish'));
        res.on('close', () => t.log('close'));
        stream.pipeline(
          stream.Readable.from(['one,', 'two,', Buffer.from('three')]),
          res,
          (error) => t.log('pipeline', error ?? null),
        );
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.takeThrough('0\r\n\r\n');
      await client.finish();
      assert.ok(t.transcript.log.length === 3);
    },
  },
  {
    name: 'pipeline() of one chunk with a length: write() and an empty end()',
    path: 'started',
    async run(t) {
      const server = await t.serve(async (req, res) => {
        res.writeHead(200, { 'Content-Length': 5 });
        t.watch(res);
        await stream.promises.pipeline(stream.Readable.from([Buffer.from('hello')]), res);
        t.log('piped', res.writableFinished);
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(head('HTTP/1.1 200 OK', 'Content-Length: 5', DATE, KEEP) + 'hello');
      await client.finish();
    },
  },
  {
    name: 'readable.pipe(res) emits pipe and unpipe, and ends the response',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        for (const name of ['pipe', 'unpipe', 'finish', 'close']) res.on(name, () => t.log(name));
        stream.Readable.from(['x', 'y']).pipe(res);
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.takeThrough('0\r\n\r\n');
      await client.finish();
    },
  },
  {
    name: 'an empty pipe(res) is an empty end()',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        t.watch(res);
        stream.Readable.from([]).pipe(res);
      });
      const client = await t.connect(server);
      client.send(GET_CLOSE);
      await client.expect(okClose(''));
      await client.expectClose();
    },
  },
  {
    name: 'a request with a body piped into its response',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        req.pipe(res);
      });
      const client = await t.connect(server);
      client.send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello');
      await client.expect(chunked(['hello']));
      await client.finish();
    },
  },
];
