'use strict';
// What looks on from outside: diagnostics channels, performance entries, trace events, timers, processes and threads.

const assert = require('node:assert');
const { spawn } = require('node:child_process');
const channels = require('node:diagnostics_channel');
const events = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { PerformanceObserver } = require('node:perf_hooks');
const { Worker } = require('node:worker_threads');
const { DATE, GET, GET_CLOSE, head, ok, okClose } = require('../text');
const { wire } = require('../wire');

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function runProgram(program, args = []) {
  const child = spawn(process.execPath, [...process.execArgv, ...args, '-e', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (data) => {
    text += data;
  });
  child.stderr.setEncoding('utf8').on('data', (data) => {
    text += data;
  });
  const [code, signal] = await events.once(child, 'close');
  return { code, signal, text };
}

const SELF_SERVING = `
  const http = require('node:http');
  const net = require('node:net');
  const server = http.createServer((req, res) => { res.setHeader('X-A', '1'); res.end('hello'); });
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1');
    let text = '';
    client.setEncoding('latin1').on('data', (data) => { text += data; });
    client.on('end', () => { console.log(JSON.stringify(text.replace(/Date: .*/, ''))); server.close(); });
    client.write('GET / HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n');
  });
`;

module.exports = [
  {
    name: 'the diagnostics channels of a server are published in their order, with request, response, socket and server',
    path: 'any',
    async run(t) {
      const names = [
        'http.server.request.start',
        'http.server.response.created',
        'http.server.response.finish',
      ];
      for (const name of names) {
        const listener = (message) => {
          const shown = Object.keys(message).sort();
          t.log(
            name,
            shown,
            message.response?.writableEnded,
            message.response?.headersSent,
            message.socket === message.request.socket,
          );
        };
        channels.subscribe(name, listener);
        t.cleanup(() => channels.unsubscribe(name, listener));
      }
      const server = await t.serve((req, res) => {
        t.log('handler');
        res.on('finish', () => t.log('finish'));
        res.on('close', () => t.log('close'));
        res.end('hello');
      });
      const client = await t.connect(server);
      for (let i = 0; i < 2; i++) {
        client.send(GET);
        await client.expect(ok('hello'));
      }
      await client.finish();
    },
  },
  {
    name: 'a PerformanceObserver gets one http entry for each response, with its status, message and fields',
    path: 'any',
    async run(t) {
      const entries = [];
      let enough;
      const complete = new Promise((resolve) => {
        enough = resolve;
      });
      const observer = new PerformanceObserver((list) => {
        entries.push(...list.getEntries());
        if (entries.length >= 2) enough();
      });
      observer.observe({ entryTypes: ['http'] });
      t.cleanup(() => observer.disconnect());
      const server = await t.serve((req, res) => {
        res.setHeader('X-A', '1');
        if (req.url === '/head') res.writeHead(404, { 'X-B': '2' });
        res.end('hello');
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.takeThrough('hello');
      client.send(GET.replace('/', '/head'));
      await client.takeThrough('0\r\n\r\n');
      await complete;
      for (const { name, entryType, detail, duration } of entries) {
        assert.ok(duration >= 0);
        t.log(
          name,
          entryType,
          detail.req.method,
          detail.req.url,
          { ...detail.req.headers },
          detail.res.statusCode,
          detail.res.statusMessage,
          { ...detail.res.headers },
        );
      }
      await client.finish();
    },
  },
  {
    name: 'trace events of the category node.http mark begin and end of each request',
    path: 'any',
    async run(t) {
      const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'behaviour-'));
      t.cleanup(() => fs.rmSync(directory, { recursive: true, force: true }));
      const file = path.join(directory, 'trace.log');
      const { code, text } = await runProgram(SELF_SERVING, [
        '--trace-event-categories',
        'node.http',
        '--trace-event-file-pattern',
        file,
      ]);
      t.log(code, text);
      const { traceEvents } = JSON.parse(fs.readFileSync(file, 'utf8'));
      const seen = traceEvents
        .filter(({ cat }) => cat.includes('http'))
        .map(({ args, cat, name, ph }) => [ph, cat, name, args]);
      t.log(seen);
      assert.ok(seen.length >= 2);
    },
  },
  {
    name: 'an answer restarts the inactivity timer of its socket',
    path: 'any',
    async run(t) {
      let start;
      let timedOut;
      const timeout = new Promise((resolve) => {
        timedOut = resolve;
      });
      const server = await t.serve(async (req, res) => {
        start = performance.now();
        await sleep(120);
        res.end('hello');
      });
      server.keepAliveTimeout = 0;
      server.setTimeout(180, (socket) => {
        timedOut(performance.now() - start);
        socket.destroy();
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(
        head('HTTP/1.1 200 OK', DATE, 'Connection: keep-alive', 'Content-Length: 5') + 'hello',
      );
      const elapsed = await timeout;
      // Without the restart it would run out 180 ms after the request.
      assert.ok(elapsed >= 280, `timed out ${elapsed} ms after the request`);
    },
  },
  {
    name: 'res.setTimeout() fires when no answer comes, and the handler can still answer then',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        const start = performance.now();
        res.setTimeout(
          50,
          t.guard((socket) => {
            assert.ok(performance.now() - start >= 45);
            t.log('timeout', socket === req.socket, req.socket.timeout);
            res.statusCode = 503;
            res.end('late');
          }),
        );
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(ok('late').replace('200 OK', '503 Service Unavailable'));
      await client.finish();
    },
  },
  {
    name: 'the timeout of the socket is the keep-alive timeout after an answer, and the one of the server during a request',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        const { socket } = req;
        t.log('handler', socket.timeout);
        res.end('hello');
        t.log('ended', socket.timeout);
        res.on('finish', () => t.log('finish', socket.timeout));
        res.on('close', () => t.log('close', socket.timeout));
      });
      server.timeout = 30_000;
      const client = await t.connect(server);
      for (let i = 0; i < 2; i++) {
        client.send(GET);
        await client.expect(ok('hello'));
      }
      await client.finish();
    },
  },
  {
    name: 'the listeners that Node keeps on a socket do not pile up over many answers',
    path: 'fast',
    async run(t) {
      let socket;
      const counts = () =>
        Object.fromEntries(
          socket.eventNames().map((name) => [String(name), socket.listenerCount(name)]),
        );
      const server = await t.serve((req, res) => {
        socket = req.socket;
        res.end('hello');
      });
      const client = await t.connect(server);
      const seen = [];
      for (let i = 0; i < 20; i++) {
        client.send(GET);
        await client.expect(ok('hello'));
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(counts());
      }
      assert.deepStrictEqual(seen[19], seen[1]);
      t.log(seen[1]);
      await client.finish();
    },
  },
  {
    name: 'the listeners on a response and its socket around end() are those of stock Node',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        const all = (label) =>
          t.log(
            label,
            ...[req, res, req.socket].map((emitter) =>
              Object.fromEntries(
                emitter
                  .eventNames()
                  .map((name) => [
                    String(name),
                    emitter.listeners(name).map((listener) => listener.name),
                  ]),
              ),
            ),
          );
        all('handler');
        res.end('hello');
        all('ended');
        res.on('finish', () => all('finish'));
        res.on('close', () => all('close'));
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(ok('hello'));
      await client.finish();
    },
  },
  {
    name: 'forty connections at a time, each with its own answers: none gets those of another',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        const body = `${req.url} `.repeat(Number(req.headers.times));
        switch (req.headers.kind) {
          case '0':
            res.end(body);
            break;
          case '1':
            res.end(Buffer.from(body));
            break;
          case '2':
            setImmediate(() => res.end(body));
            break;
          default:
            process.nextTick(() => {
              res.setHeader('X-Url', req.url);
              res.end(body);
            });
        }
      });
      const clients = await Promise.all(Array.from({ length: 40 }, () => t.connect(server)));
      await Promise.all(
        clients.map(async (client, index) => {
          for (let i = 0; i < 12; i++) {
            const url = `/${index}/${i}`;
            const times = 1 + ((index * 7 + i * 13) % 90);
            const kind = (index + i) % 4;
            client.send(
              `GET ${url} HTTP/1.1\r\nHost: a\r\nTimes: ${times}\r\nKind: ${kind}\r\n\r\n`,
            );
            await client.expect(
              ok(`${url} `.repeat(times), ...(kind === 3 ? [`X-Url: ${url}`] : [])),
            );
          }
          await client.finish();
        }),
      );
    },
  },
  {
    name: 'server.close() during an answer waits for it, and calls back when the connections are gone',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        server.close((error) => t.log('closed', error ?? null));
        setImmediate(() => res.end('hello'));
        res.on('finish', () => t.log('finish'));
      });
      const client = await t.connect(server);
      client.send(GET_CLOSE);
      await client.expect(okClose('hello'));
      await client.expectClose();
    },
  },
  {
    name: 'closeIdleConnections() in a close listener ends the connection that was just answered',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.end('hello');
        res.on('close', () => setImmediate(() => server.closeIdleConnections()));
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(ok('hello'));
      await client.expectClose();
    },
  },
  {
    name: 'a process whose server was closed after an answer ends by itself',
    path: 'any',
    async run(t) {
      const { code, signal, text } = await runProgram(SELF_SERVING);
      t.log(code, signal, text);
      assert.strictEqual(code, 0);
      assert.match(text, /hello/);
    },
  },
  {
    name: 'process.exit() right after end() in the handler: the answer is out',
    path: 'any',
    async run(t) {
      const program = `
        const server = require('node:http').createServer((req, res) => { res.end('last words'); process.exit(7); });
        server.listen(0, '127.0.0.1', () => console.log(server.address().port));
      `;
      const child = spawn(process.execPath, [...process.execArgv, '-e', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exited = events.once(child, 'exit');
      const [port] = await events.once(child.stdout.setEncoding('utf8'), 'data');
      const client = await t.connect({ address: () => ({ port: Number(port) }) });
      client.send(GET);
      await client.expect(ok('last words'));
      t.log(await exited);
    },
  },
  {
    name: 'a server in a worker thread answers, and the worker can be terminated between and during answers',
    path: 'any',
    async run(t) {
      const program = `
        const { parentPort } = require('node:worker_threads');
        const server = require('node:http').createServer((req, res) => {
          if (req.url === '/late') setTimeout(() => res.end('late'), 60_000);
          else res.end('from a worker');
        });
        server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
      `;
      const worker = new Worker(program, { eval: true });
      t.cleanup(() => worker.terminate());
      const [port] = await events.once(worker, 'message');
      const client = await t.connect({ address: () => ({ port }) });
      for (let i = 0; i < 3; i++) {
        client.send(GET);
        await client.expect(ok('from a worker'));
      }
      client.send(GET.replace('/', '/late'));
      t.log('terminated', await worker.terminate());
      await client.expectClose();
    },
  },
  {
    name: 'the main thread goes on answering after a worker with a server was terminated',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.end('hello');
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(ok('hello'));
      const worker = new Worker(
        `
        const server = require('node:http').createServer((req, res) => res.end('x'));
        server.listen(0, () => require('node:worker_threads').parentPort.postMessage('up'));
      `,
        { eval: true },
      );
      await events.once(worker, 'message');
      await worker.terminate();
      client.send(GET);
      await client.expect(ok('hello'));
      await client.finish();
    },
  },
  wire({
    name: 'garbage collection between writeHead() and end() takes nothing away',
    path: 'fast',
    handler: async (req, res) => {
      const body = Buffer.from(`body of ${req.url}`);
      res.writeHead(200, { 'Content-Length': body.length });
      for (let i = 0; i < 20; i++) Buffer.alloc(256 * 1024);
      await new Promise((resolve) => setImmediate(resolve));
      res.end(body);
    },
    reply:
      head(
        'HTTP/1.1 200 OK',
        'Content-Length: 9',
        DATE,
        'Connection: keep-alive',
        'Keep-Alive: timeout=5',
      ) + 'body of /',
  }),
];
