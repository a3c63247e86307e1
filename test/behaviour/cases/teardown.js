'use strict';
// The end of requests that nobody reads, where a program or Node stands in its way.

const assert = require('node:assert');
const { GET, ok } = require('../text');

const immediate = () => new Promise((resolve) => setImmediate(resolve));

module.exports = [
  ...[0, 1].map((apart) => ({
    name: `two requests of a pipeline, the second answered first${apart ? ', sent apart' : ''}`,
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        const { url } = req;
        req.on('close', () => t.log(`req close ${url}`));
        res.on('close', () => t.log(`res close ${url}`));
        const answer = () => res.end('hello', () => t.log(`end callback ${url}`));
        if (url === '/1') setTimeout(answer, 20);
        else answer();
      });
      for (let i = 0; i < 2; i++) {
        const client = await t.connect(server);
        const requests = ['/1', '/2'].map((url) => GET.replace(' / ', ` ${url} `));
        if (apart) for (const request of requests) client.send(request);
        else client.send(requests.join(''));
        await client.expect(ok('hello') + ok('hello'));
        await immediate();
        await client.finish();
      }
    },
  })),
  {
    name: "a finish listener of the program around Node's",
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        const [finish] = res.listeners('finish');
        res.removeListener('finish', finish);
        res.on('finish', function wrapper() {
          finish.call(this);
          req.on('end', () => t.log('req end', res.closed));
          res.on('close', () => process.nextTick(() => t.log('tick of res close')));
          req.on('close', () => t.log('req close'));
        });
        res.end('hello');
      });
      const client = await t.connect(server);
      for (let i = 0; i < 2; i++) {
        client.send(GET);
        await client.expect(ok('hello'));
        await immediate();
      }
      await client.finish();
    },
  },
  {
    name: 'setTimeout() of a connection that schedules a tick',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        req.on('close', () => t.log('req close'));
        res.end('hello');
      });
      server.on('connection', (socket) => {
        const { setTimeout } = socket;
        socket.setTimeout = function (...args) {
          process.nextTick(() => t.log('tick', args[0]));
          return setTimeout.apply(this, args);
        };
      });
      const client = await t.connect(server);
      for (let i = 0; i < 3; i++) {
        client.send(GET);
        await client.expect(ok('hello'));
        await immediate();
      }
      await client.finish();
    },
  },
  {
    name: 'a request that refuses listeners when its response has finished',
    path: 'fast',
    async run(t) {
      let count = 0;
      const server = await t.serve((req, res) => {
        req.on('close', () => t.log('req close', req.readableEnded, req.destroyed));
        if (count++ === 0) {
          req.on = () => {
            throw new Error('no more');
          };
        }
        res.end('hello');
      });
      const refused = t.uncaught();
      const first = await t.connect(server);
      first.send(GET);
      await first.expect(ok('hello'));
      t.log((await refused)[0]);
      for (let i = 0; i < 2; i++) {
        const client = await t.connect(server);
        client.send(GET);
        await client.expect(ok('hello'));
        await immediate();
        await client.finish();
      }
    },
  },
  {
    name: 'a response that cannot be taken off its connection: the request ends, and so do others',
    path: 'fast',
    async run(t) {
      let count = 0;
      const server = await t.serve((req, res) => {
        const number = ++count;
        for (const event of ['end', 'close']) {
          setImmediate(() => req.on(event, () => t.log(`req ${event} ${number}, late`)));
        }
        if (number === 1) {
          req.on('close', () => t.log(`req close ${number}`));
          res.detachSocket = () => {
            throw new Error('stays');
          };
        } else {
          req.on('close', () => t.log(`req close ${number}`, req.readableEnded, req.destroyed));
        }
        res.end('hello');
      });
      const stays = t.uncaught();
      const first = await t.connect(server);
      first.send(GET);
      await first.expect(ok('hello'));
      const [error] = await stays;
      assert.strictEqual(error.message, 'stays');
      for (let i = 0; i < 3; i++) {
        const client = await t.connect(server);
        client.send(GET);
        await client.expect(ok('hello'));
        await immediate();
        await client.finish();
      }
    },
  },
  {
    name: 'a listener that throws, of the close of a request or of its response',
    path: 'fast',
    async run(t) {
      let count = 0;
      const server = await t.serve((req, res) => {
        const [what, event] = [
          [req, 'close'],
          [res, 'close'],
          [res, 'finish'],
        ][count++];
        what.on(event, () => {
          t.log(event, req.readableEnded, req.destroyed, res.closed);
          throw new Error(`in ${event}`);
        });
        req.on('close', () => t.log('req close', res.closed));
        res.end('hello');
      });
      const client = await t.connect(server);
      for (let i = 0; i < 3; i++) {
        const thrown = t.uncaught();
        client.send(GET);
        await client.expect(ok('hello'));
        const [error] = await thrown;
        t.log(error);
        await immediate();
      }
      await client.finish();
    },
  },
];
