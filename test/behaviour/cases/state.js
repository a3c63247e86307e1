'use strict';
// What a program can read of a response at each moment: _header, headersSent, counters, Date.

const assert = require('node:assert');
const { look } = require('../scenario');
const { DATE, GET, GET_CLOSE, KEEP, MASKED, chunked, head, mask, ok, okClose } = require('../text');
const { wire } = require('../wire');

const headOf = (bytes) => bytes.slice(0, bytes.indexOf('\r\n\r\n') + 4);

/** Answers once and looks at the response at every moment there is. */
function everyMoment(name, path, reply, ...steps) {
  return {
    name,
    path,
    async run(t) {
      let closed;
      const server = await t.serve((req, res) => {
        const socket = req.socket;
        t.log('at first', look(res));
        assert.strictEqual(res._header, null);
        closed = new Promise((resolve) => {
          res.on('close', resolve);
        });
        res.on(
          'finish',
          t.guard(() => {
            t.log('finish', look(res), socket.bytesWritten);
            assert.strictEqual(mask(res._header), headOf(reply));
            process.nextTick(() => t.log('tick after finish', look(res)));
          }),
        );
        res.on('close', () => t.log('close', look(res), socket.bytesWritten));
        for (const step of steps) {
          step(res);
          t.log(`after ${step.name || step}`, look(res), socket.bytesWritten);
          if (res.headersSent) assert.strictEqual(mask(res._header), headOf(reply));
        }
        assert.strictEqual(socket.bytesWritten, reply.length);
        process.nextTick(() => t.log('tick after end', look(res)));
        Promise.resolve().then(() => t.log('promise after end', look(res)));
        setImmediate(() => t.log('immediate after end', look(res)));
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

const setHeader = (res) => {
  res.setHeader('X-A', '1');
};
const writeHead = (res) => {
  res.writeHead(200, { 'X-B': '2' });
};
const writeHeadWithLength = (res) => {
  res.writeHead(200, { 'Content-Length': 5 });
};
const end = (res) => {
  res.end();
};
const endText = (res) => {
  res.end('hello');
};
const endBuffer = (res) => {
  res.end(Buffer.from('hello'));
};
const endWide = (res) => {
  res.end('h\u00e9llo');
};

module.exports = [
  everyMoment(
    '_header is null until end(text) makes the head, and is the head that went out from then on',
    'fast',
    ok('hello'),
    endText,
  ),
  everyMoment(
    '_header and counters around setHeader() and end(buffer)',
    'fast',
    ok('hello', 'X-A: 1'),
    setHeader,
    endBuffer,
  ),
  everyMoment(
    '_header and counters around setHeader() and an empty end()',
    'fast',
    ok('', 'X-A: 1'),
    setHeader,
    end,
  ),
  everyMoment(
    '_header is the head that goes out as soon as writeHead() returned',
    'fast',
    chunked(['hello'], 'X-B: 2'),
    writeHead,
    endText,
  ),
  everyMoment(
    '_header and counters around setHeader(), writeHead() and end(text)',
    'fast',
    chunked(['hello'], 'X-A: 1', 'X-B: 2'),
    setHeader,
    writeHead,
    endText,
  ),
  everyMoment(
    '_header and counters around writeHead() with a length and end(buffer)',
    'fast',
    head('HTTP/1.1 200 OK', 'Content-Length: 5', DATE, KEEP) + 'hello',
    writeHeadWithLength,
    endBuffer,
  ),
  everyMoment(
    '_header and counters around writeHead() and an empty end()',
    'fast',
    chunked([], 'X-B: 2'),
    writeHead,
    end,
  ),
  everyMoment('bytesWritten counts bytes, not characters', 'fast', ok('h\u00c3\u00a9llo'), endWide),

  {
    name: '_header read between writeHead() and end(), or never, makes no difference to the bytes',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.writeHead(200, { 'X-Url': req.url, 'Content-Length': 1 });
        if (req.url !== '/never')
          assert.ok(res._header.startsWith(`HTTP/1.1 200 OK\r\nX-Url: ${req.url}\r\n`));
        if (req.url === '/twice') assert.strictEqual(res._header, res._header);
        res.end('x');
      });
      const client = await t.connect(server);
      for (const url of ['/never', '/once', '/twice']) {
        client.send(GET.replace('/', url));
        await client.expect(
          head('HTTP/1.1 200 OK', `X-Url: ${url}`, 'Content-Length: 1', DATE, KEEP) + 'x',
        );
      }
      await client.finish();
    },
  },
  {
    name: "_header's Date is the Date on the wire, whenever it is read",
    path: 'fast',
    async run(t) {
      const seen = [];
      const server = await t.serve((req, res) => {
        res.on('close', () => seen.push(res._header));
        if (req.url === '/early') {
          res.writeHead(200);
          seen.push(res._header);
        }
        res.end('x');
        seen.push(res._header);
      });
      for (const url of ['/early', '/late']) {
        seen.length = 0;
        const client = await t.connect(server);
        client.send(GET_CLOSE.replace('/', url));
        await client.until(() => client.isClosed);
        const [date] = /Date: .*/.exec(client.text);
        assert.strictEqual(seen.length, url === '/early' ? 3 : 2);
        for (const text of seen) assert.strictEqual(/Date: .*/.exec(text)[0], date);
        const age = Date.now() - Date.parse(date.slice(6));
        assert.ok(age > -2000 && age < 5000, `the Date is ${age} ms old`);
      }
    },
  },
  {
    name: 'the Date moves on with the clock',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.end('x');
      });
      // How many answers it takes depends on the clock.
      const client = await t.connect(server, { record: false });
      const dates = new Set();
      const start = Date.now();
      while (dates.size < 2 && Date.now() - start < 3000) {
        client.send(GET);
        const from = client.text.length;
        await client.expect(ok('x'));
        dates.add(/Date: .*/.exec(client.text.slice(from))[0]);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.strictEqual(dates.size, 2);
      const [first, second] = [...dates].map((line) => Date.parse(line.slice(6)));
      assert.strictEqual(second - first, 1000);
      await client.finish();
    },
  },
  {
    name: 'a Date that writeHead() made is sent a second later as it was',
    path: 'fast',
    async run(t) {
      let date;
      const server = await t.serve(async (req, res) => {
        res.writeHead(200, { 'Content-Length': 1 });
        await new Promise((resolve) => setTimeout(resolve, 1050));
        res.end('x');
        date = /Date: .*/.exec(res._header)[0];
      });
      const client = await t.connect(server);
      client.send(GET);
      const start = Date.now();
      await client.expect(head('HTTP/1.1 200 OK', 'Content-Length: 1', DATE, KEEP) + 'x');
      const sent = /Date: .*/.exec(client.text)[0];
      assert.strictEqual(sent, date);
      assert.ok(Date.parse(sent.slice(6)) <= start + 5);
      await client.finish();
    },
  },
  wire({
    name: 'sendDate = false sends no Date',
    path: 'fast',
    handler: (req, res) => {
      res.sendDate = false;
      res.end('x');
    },
    reply: head('HTTP/1.1 200 OK', KEEP, 'Content-Length: 1') + 'x',
  }),
  wire({
    name: 'sendDate = false before writeHead() sends no Date, after it a Date is in the head already',
    path: 'fast',
    handler: (req, res) => {
      res.sendDate = false;
      res.writeHead(200);
      res.sendDate = true;
      res.end('x');
    },
    reply: head('HTTP/1.1 200 OK', KEEP, 'Transfer-Encoding: chunked') + '1\r\nx\r\n0\r\n\r\n',
  }),
  ...['Date', 'date', 'DATE'].map((name) =>
    wire({
      name: `an own ${name} field is sent in its place, and no other`,
      path: 'fast',
      handler: (req, res) => {
        res.setHeader(name, 'some day');
        res.setHeader('X-A', '1');
        res.end('x');
      },
      reply:
        head('HTTP/1.1 200 OK', `${name}: some day`, 'X-A: 1', KEEP, 'Content-Length: 1') + 'x',
    }),
  ),
  wire({
    name: 'an own Date in writeHead()',
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200, { Date: MASKED, 'Content-Length': 1 }).end('x');
    },
    reply: head('HTTP/1.1 200 OK', DATE, 'Content-Length: 1', KEEP) + 'x',
  }),
  {
    name: 'a program may assign _header, also before anything was set: headersSent follows',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res._header = 'HTTP/1.1 200 Own\r\nContent-Length: 1\r\n\r\n';
        t.log(res.headersSent, look(res));
        res.end('x');
        t.log(look(res));
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect('HTTP/1.1 200 Own\r\nContent-Length: 1\r\n\r\nx');
      await client.finish();
    },
  },
  {
    name: 'a program may change _header between writeHead() and end(): what it put there is sent',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.writeHead(200, { 'Content-Length': 1 });
        res._header = res._header.replace('\r\n', '\r\nX-Added: 1\r\n');
        res.end('x');
        t.log(look(res));
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(
        head('HTTP/1.1 200 OK', 'X-Added: 1', 'Content-Length: 1', DATE, KEEP) + 'x',
      );
      await client.finish();
    },
  },
  {
    name: 'a program may take the head back with _header = null and make another',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.writeHead(500, { 'X-Wrong': '1', 'Content-Length': 9 });
        res._header = null;
        t.log(res.headersSent, res.writableEnded);
        res.statusMessage = undefined;
        res.writeHead(200, { 'Content-Length': 1 });
        res.end('x');
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(head('HTTP/1.1 200 OK', 'Content-Length: 1', DATE, KEEP) + 'x');
      await client.finish();
    },
  },
  {
    name: 'changing statusCode, statusMessage, shouldKeepAlive or the store after writeHead() changes no byte',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        const list = ['a'];
        res.setHeader('X-V', list);
        res.writeHead(200, { 'Content-Length': 1 });
        res.statusCode = 404;
        res.statusMessage = 'changed';
        res.shouldKeepAlive = false;
        list.push('b');
        res.end('x');
        t.log(look(res));
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(head('HTTP/1.1 200 OK', 'X-V: a', 'Content-Length: 1', DATE, KEEP) + 'x');
      await client.finish();
    },
  },
  {
    name: 'getHeaders(), getHeaderNames(), getRawHeaderNames() and hasHeader() are the same before and after end()',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.setHeader('X-A', ['1', '2']);
        res.setHeader('x-B', 3);
        const all = () =>
          t.log(
            res.getHeaders(),
            res.getHeaderNames(),
            res.getRawHeaderNames(),
            res.hasHeader('X-b'),
            res.getHeader('x-a'),
            res.getHeader('date'),
            res.hasHeader('content-length'),
          );
        all();
        res.on('finish', all);
        res.on('close', all);
        res.end('x');
        all();
      });
      const client = await t.connect(server);
      client.send(GET_CLOSE);
      await client.expect(okClose('x', 'X-A: 1', 'X-A: 2', 'x-B: 3'));
      await client.expectClose();
    },
  },
  {
    name: 'JSON, util.inspect and Object.keys work on an answered response',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.end('x');
        assert.match(require('node:util').inspect(res), /^<ref \*\d> ServerResponse \{/);
        t.log(
          '_header' in res,
          '_contentLength' in res,
          'writableEnded' in res,
          Object.hasOwn(res, 'statusCode'),
        );
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(ok('x'));
      await client.finish();
    },
  },
];
