'use strict';

// Serves drawn exchanges, one after the other, and prints of each, as a line of JSON, what a program sees of the end of
// its request and response: which events reach listeners that were attached at which moment, in which order, what the
// states are then, and in which async context.
//
//   node [-r ../../register.js] test/property/teardown.js SEED COUNT

const { AsyncLocalStorage } = require('node:async_hooks');
const { once } = require('node:events');
const http = require('node:http');
const net = require('node:net');
const { Writable, finished, pipeline } = require('node:stream');
const { Random } = require('./random');

/** @typedef {{ do: string, to?: string, event?: string, steps?: Step[] }} Step */

const LATER = ['tick', 'microtask', 'immediate'];

/** @param {Random} random @param {number} depth of steps within steps @returns {Step[]} */
function someSteps(random, depth) {
  return random.list(random.below(depth === 0 ? 6 : 3), () => someStep(random, depth));
}

function someStep(random, depth) {
  const inner = () => (depth < 4 ? someSteps(random, depth + 1) : []);
  return random.weighted([
    [
      6,
      () => ({
        do: 'on',
        to: random.pick(['req', 'req', 'res']),
        event: random.pick(['end', 'close', 'close', 'finish', 'resume', 'readable', 'prefinish']),
        steps: inner(),
      }),
    ],
    [8, () => ({ do: random.pick(LATER), steps: inner() })],
    [3, () => ({ do: 'look' })],
    [3, () => ({ do: 'end' })],
    [1, () => ({ do: 'socket', event: random.pick(['close', 'timeout']), steps: inner() })],
    [1, () => ({ do: random.pick(['write', 'flushHeaders', 'finished', 'once', 'throw']) })],
    [
      1,
      () => ({
        do: random.pick([
          'resume',
          'pause',
          'read',
          'data',
          'pipe',
          'pipeline',
          'iterate',
          'dump',
          'unpipe',
        ]),
      }),
    ],
    [0.3, () => ({ do: random.pick(['destroyReq', 'destroyRes', 'destroySocket', 'emitClose']) })],
  ])();
}

/** A program that does little with its request, as most do, or one that does anything. */
function someProgram(random) {
  const steps = random.oneIn(3) ? [] : someSteps(random, 0);
  const end = { do: 'end' };
  const last = random.oneIn(2) ? end : { do: random.pick(LATER), steps: [end] };
  return [...steps, last, ...(random.oneIn(2) ? someSteps(random, 1) : [])];
}

const BODIES = {
  none: ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', ''],
  empty: ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n', ''],
  whole: ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello', ''],
  chunked: [
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    '',
  ],
  late: ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe', 'llo'],
  expected: [
    'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n',
    'hello',
  ],
  last: ['GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', ''],
  old: ['GET / HTTP/1.0\r\n\r\n', ''],
  large: [`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(100_000)}`, ''],
  largeChunked: [
    `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n${'x'.repeat(100_000)}\r\n0\r\n\r\n`,
    '',
  ],
  pipelined: ['GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3), ''],
};

/** @param {string} seed @param {number} index */
function draw(seed, index) {
  const random = new Random(`${seed} teardown ${index}`);
  const body = random.weighted([
    [8, 'none'],
    ...Object.keys(BODIES).map((name) => [name.startsWith('large') ? 0.3 : 1, name]),
  ]);
  return { body, program: someProgram(random) };
}

const storage = new AsyncLocalStorage();
let log = [];
let current = { body: 'none', program: [] };
let made = 0;

function stateOf({ req, res }) {
  const flags = {
    complete: req.complete,
    ended: req.readableEnded,
    destroyed: req.destroyed,
    closed: req.closed,
    aborted: req.aborted,
    paused: req.isPaused(),
    readable: req.readable,
    dumped: req._dumped,
    resCorked: res.writableCorked > 0,
    resEnded: res.writableEnded,
    resFinished: res.writableFinished,
    resDestroyed: res.destroyed,
    resClosed: res.closed,
    resSocket: Boolean(res.socket),
  };
  const set = Object.keys(flags).filter((name) => flags[name]);
  return `${set.join(' ')} flowing:${req.readableFlowing} length:${req.readableLength}`;
}

/** @param {{ req: http.IncomingMessage, res: http.ServerResponse, name: string }} exchange */
function note(exchange, what) {
  log.push(`${exchange.name} ${what} [${storage.getStore() ?? 'nobody'}] ${stateOf(exchange)}`);
}

const ACTIONS = {
  on(exchange, { to, event, steps }) {
    exchange[to].on(event, () => {
      note(exchange, `${to} ${event}`);
      run(exchange, steps);
    });
  },
  socket(exchange, { event, steps }) {
    exchange.req.socket.on(event, () => {
      note(exchange, `socket ${event}`);
      run(exchange, steps);
    });
  },
  tick: (exchange, { steps }) => process.nextTick(run, exchange, steps),
  microtask: (exchange, { steps }) => Promise.resolve().then(() => run(exchange, steps)),
  immediate: (exchange, { steps }) => setImmediate(run, exchange, steps),
  look: (exchange) => note(exchange, 'look'),
  end: ({ res }) => res.end('answer'),
  write: ({ res }) => res.writableEnded || res.write('piece'),
  flushHeaders: ({ res }) => res.flushHeaders(),
  finished: (exchange) => {
    const listen = (what) => {
      finished(exchange[what], (error) => note(exchange, `finished ${what} ${error?.code}`));
    };
    listen('req');
    listen('res');
  },
  once: (exchange) => {
    const said = () => note(exchange, 'events.once close');
    once(exchange.req, 'close').then(said, said);
  },
  throw() {
    throw new Error('thrown');
  },
  resume: ({ req }) => req.resume(),
  pause: ({ req }) => req.pause(),
  read: (exchange) => note(exchange, `read ${exchange.req.read()?.length}`),
  data: (exchange) => {
    exchange.req.on('data', ({ length }) => note(exchange, `data ${length}`));
  },
  pipe: (exchange) => {
    const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
    sink.on('finish', () => note(exchange, 'piped'));
    exchange.req.pipe(sink);
  },
  pipeline: (exchange) => {
    const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
    pipeline(exchange.req, sink, (error) => note(exchange, `pipeline ${error?.code}`));
  },
  unpipe: ({ req }) => req.unpipe(),
  iterate: async (exchange) => {
    try {
      for await (const chunk of exchange.req) note(exchange, `chunk ${chunk.length}`);
      note(exchange, 'iterated');
    } catch (error) {
      note(exchange, `iteration failed ${error.code}`);
    }
  },
  dump: ({ req }) => req._dump(),
  destroyReq: ({ req }) => req.destroy(),
  destroyRes: ({ res }) => res.destroy(),
  destroySocket: ({ req }) => req.socket.destroy(),
  emitClose: ({ res }) => res.emit('close'),
};

/** Steps left of a case: a listener may emit what it listens to. */
let fuse = 0;

/** @param {Step[]} steps */
function run(exchange, steps) {
  if (fuse-- <= 0) return;
  for (const step of steps) ACTIONS[step.do](exchange, step);
}

const server = http.createServer((req, res) => {
  const name = `#${made++}`;
  const exchange = { req, res, name };
  res.on('error', (error) => note(exchange, `res error ${error.code}`));
  storage.run(name, run, exchange, current.program);
});
server.keepAliveTimeout = 0;

process.on('uncaughtException', (error) => {
  log.push(`uncaught ${error.code ?? error.message} [${storage.getStore() ?? 'nobody'}]`);
  // What was not ended is not going to be.
  if (error.message === 'thrown') setImmediate(() => client?.destroy());
});

let client;

const settled = async () => {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** Waits for the first of the promises, and no longer than so many ms. */
async function within(ms, promises) {
  let timer;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([...promises, over]);
  clearTimeout(timer);
}

/** Resolves once so many bytes were read from a socket. */
async function hasRead(socket, bytes) {
  while (socket.bytesRead < bytes && !socket.destroyed) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Serves one drawn case until nothing more comes of it. */
async function serve(seed, index) {
  current = draw(seed, index);
  log = [];
  made = 0;
  fuse = 100;
  const [first, rest] = BODIES[current.body];
  client = net.connect(server.address().port, '127.0.0.1');
  client.on('error', () => {});
  const gone = new Promise((resolve) => client.on('close', resolve));
  const [accepted] = await once(server, 'connection');
  // Else Node 24 and 26 show in the callbacks of a handle, and in what follows from them, the
  // context of the microtask that happened to run last, whosever it was.
  accepted.prependListener('close', () => storage.enterWith('handle'));
  const closed = new Promise((resolve) => accepted.on('close', resolve));
  client.write(first);
  let text = '';
  const answered = new Promise((resolve) => {
    client.setEncoding('latin1').on('data', (data) => {
      text += data;
      resolve();
    });
  });
  await within(10_000, [answered, gone]);
  await settled();
  // How many turns of the loop it takes a server to see that is the kernel's and libuv's.
  if (client.destroyed) await within(200, [closed]);
  log.push('answered');
  if (rest !== '' && !client.destroyed) {
    client.write(rest);
    await within(200, [closed, hasRead(accepted, first.length + rest.length)]);
    await settled();
  }
  log.push('leaving');
  client.end();
  await within(200, [closed]);
  client.destroy();
  // A socket that is paused does not see that its client has gone.
  accepted.destroy();
  await closed;
  await settled();
  const heads = text.match(/HTTP\/1\.1 \d+/g) ?? [];
  console.log(JSON.stringify({ index, heads: heads.length, log }));
}

async function main(seed, count) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  for (let index = 0; index < Number(count); index++) await serve(seed, index);
  const installed = Object.keys(require.cache).some((file) => file.endsWith('register.js'));
  const stats = installed ? require('../..').stats() : null;
  console.log(JSON.stringify({ stats }));
  process.exit();
}

module.exports = { draw };

if (require.main === module) main(...process.argv.slice(2));
