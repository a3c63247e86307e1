'use strict';
// The end of requests that nobody reads, where a program or Node stands in its way.

const assert = require('node:assert');
const { GET, ok } = require('../text');

const immediate = () => new Promise((resolve) => setImmediate(resolve));

module.exports = [
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
