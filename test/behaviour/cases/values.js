'use strict';
// Header values of every kind: what their text is, which are refused, and in which encoding they leave.

const assert = require('node:assert');
const { DATE, GET, KEEP, chunked, head, ok, utf8 } = require('../text');
const { wire } = require('../wire');

/** The same value given by setHeader() with an implicit head, and by writeHead() as object, flat array and pairs. */
function everyWay({ name, path, value, lines }) {
  const expected = lines ?? [`X-V: ${value}`];
  const make = typeof value === 'function' ? value : () => value;
  return [
    wire({
      name: `${name}, set with setHeader()`,
      path,
      handler: (req, res) => {
        res.setHeader('X-V', make());
        res.end('x');
      },
      reply: ok('x', ...expected),
    }),
    wire({
      name: `${name}, in an object for writeHead()`,
      path,
      handler: (req, res) => {
        res.writeHead(200, { 'X-V': make(), 'X-W': 'w' }).end('x');
      },
      reply: chunked(['x'], ...expected, 'X-W: w'),
    }),
    wire({
      name: `${name}, in a flat array for writeHead()`,
      path,
      handler: (req, res) => {
        res.writeHead(200, ['X-U', 'u', 'X-V', make()]).end('x');
      },
      reply: chunked(['x'], 'X-U: u', ...expected),
    }),
  ];
}

const BAD = [
  'a\rb',
  'a\nb',
  'a\r\nX-Evil: 1',
  'a\0b',
  'a\x7fb',
  'a\x1fb',
  '\u010a',
  '\u010d',
  '\u0141',
  '\u{1F600}',
  'tail\u0100',
];

/** The error of each way to give a bad field; the response must be as if nothing had been tried. */
function refused(name, code, field, value, only) {
  const ways = {
    setHeader: (res) => res.setHeader(field, value),
    appendHeader: (res) => res.appendHeader(field, value),
    'writeHead(object)': (res) => res.writeHead(200, { [field]: value }),
    'writeHead(flat array)': (res) => res.writeHead(200, [field, value]),
    'writeHead(pairs)': (res) => res.writeHead(200, [[field, value]]),
    'writeHead(object) after setHeader': (res) => {
      res.setHeader('X-A', '1');
      res.writeHead(200, { [field]: value });
    },
  };
  return {
    name,
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        const way = decodeURIComponent(req.url.slice(1));
        const error = t.attempt(way, () => ways[way](res));
        assert.strictEqual(error.code, code, way);
        t.log(
          'then',
          res._header,
          res.headersSent,
          res.statusMessage,
          res.getHeaderNames(),
          res._contentLength,
          res.chunkedEncoding,
          res._last,
          res.socket.bytesWritten,
        );
        res.removeHeader('X-A');
        res.end(way);
      });
      for (const way of only ?? Object.keys(ways)) {
        const client = await t.connect(server);
        client.send(`GET /${encodeURIComponent(way)} HTTP/1.1\r\nHost: a\r\n\r\n`);
        await client.expect(ok(way));
        await client.finish();
      }
    },
  };
}

const counter = () => {
  let calls = 0;
  return {
    toString() {
      calls++;
      return `call ${calls}`;
    },
    get calls() {
      return calls;
    },
  };
};

module.exports = [
  ...everyWay({ name: 'an integer is its decimal text', path: 'fast', value: 1234567 }),
  ...everyWay({
    name: 'a fraction, a negative and a large number are their texts',
    path: 'fast',
    value: [1.5, -0, -7, 1e21, 4294967296],
    lines: ['X-V: 1.5', 'X-V: 0', 'X-V: -7', 'X-V: 1e+21', 'X-V: 4294967296'],
  }),
  ...everyWay({
    name: 'NaN and Infinity are their texts',
    path: 'any',
    value: [NaN, Infinity],
    lines: ['X-V: NaN', 'X-V: Infinity'],
  }),
  ...everyWay({
    name: 'an empty text is a field without a value',
    path: 'fast',
    value: '',
    lines: ['X-V: '],
  }),
  ...everyWay({
    name: 'a value with spaces at its ends and tabs inside is sent untouched',
    path: 'fast',
    value: ' a\tb  ',
  }),
  ...everyWay({
    name: 'a value full of punctuation is sent untouched',
    path: 'fast',
    value: '\x20!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
  }),
  ...everyWay({ name: 'a long value is sent whole', path: 'fast', value: 'v'.repeat(6000) }),
  ...everyWay({
    name: 'an array gives one line for each element',
    path: 'fast',
    value: ['a', 'b', 'c'],
    lines: ['X-V: a', 'X-V: b', 'X-V: c'],
  }),
  ...everyWay({
    name: 'an array of one element gives one line',
    path: 'fast',
    value: ['a'],
    lines: ['X-V: a'],
  }),
  ...everyWay({
    name: 'an array of texts and numbers mixes',
    path: 'fast',
    value: ['a', 1, '', 2],
    lines: ['X-V: a', 'X-V: 1', 'X-V: ', 'X-V: 2'],
  }),
  ...everyWay({ name: 'an empty array', path: 'any', value: [], lines: [] }),
  ...everyWay({ name: 'a boolean is its text', path: 'any', value: true }),
  ...everyWay({ name: 'null is its text', path: 'any', value: null }),
  ...everyWay({ name: 'a bigint is its text', path: 'any', value: 12345678901234567890n }),
  ...everyWay({
    name: 'a plain object is its text',
    path: 'any',
    value: {},
    lines: ['X-V: [object Object]'],
  }),
  ...everyWay({ name: 'a String object is its text', path: 'any', value: Object('boxed') }),
  ...everyWay({ name: 'a Date object is its text', path: 'any', value: new Date(0) }),
  ...everyWay({
    name: 'an array with objects in it',
    path: 'any',
    value: [{ toString: () => 'o' }, null, true, ['n', 'm']],
    lines: ['X-V: o', 'X-V: null', 'X-V: true', 'X-V: n,m'],
  }),
  ...everyWay({
    name: 'a latin1 value and a text body: head and body leave as UTF-8',
    path: 'head',
    value: 'caf\u00e9 \u00ff\u0080',
    lines: [`X-V: ${utf8('caf\u00e9 \u00ff\u0080')}`],
  }).slice(0, 1),

  ...[
    ['a text body', 'x', utf8],
    ['a Buffer body', Buffer.from('x'), String],
    ['no body', undefined, utf8],
  ].flatMap(([what, body, sent]) => [
    wire({
      name: `a latin1 value and ${what} of implicit length`,
      path: 'head',
      handler: (req, res) => {
        res.setHeader('X-V', '\u00e9\u00ff');
        res.end(body);
      },
      reply: ok(
        body === undefined ? '' : 'x',
        `X-V: ${(body === undefined ? String : sent)('\u00e9\u00ff')}`,
      ),
    }),
    wire({
      name: `a latin1 value and ${what} in a chunked body`,
      path: 'head',
      handler: (req, res) => {
        res.writeHead(200, { 'X-V': '\u00e9\u00ff' }).end(body);
      },
      reply: chunked(body === undefined ? [] : ['x'], 'X-V: \u00e9\u00ff'),
    }),
    wire({
      name: `a latin1 value and ${what} of explicit length`,
      path: 'head',
      handler: (req, res) => {
        res.writeHead(200, { 'Content-Length': 1, 'X-V': '\u00e9\u00ff' }).end(body);
      },
      reply:
        head(
          'HTTP/1.1 200 OK',
          'Content-Length: 1',
          `X-V: ${(body === undefined ? String : sent)('\u00e9\u00ff')}`,
          DATE,
          KEEP,
        ) + (body === undefined ? '' : 'x'),
    }),
  ]),
  wire({
    name: "a latin1 value and a text body in 'latin1': both leave as latin1",
    path: 'head',
    handler: (req, res) => {
      res.setHeader('X-V', '\u00e9');
      res.end('\u00ff', 'latin1');
    },
    reply: ok('\u00ff', 'X-V: \u00e9'),
  }),
  wire({
    name: 'a latin1 element of an array is a latin1 value',
    path: 'head',
    handler: (req, res) => {
      res.setHeader('Set-Cookie', ['a=1', 'b=\u00e9']);
      res.end('x');
    },
    reply: ok('x', 'Set-Cookie: a=1', `Set-Cookie: b=${utf8('\u00e9')}`),
  }),
  ...[
    ['text', 'x'],
    ['Buffer', Buffer.from('x')],
  ].flatMap(([kind, body]) =>
    ['implicit', 'explicit'].map((length) => ({
      name: `a latin1 Content-Disposition with an ${length} length and a ${kind} body`,
      path: 'head',
      async run(t) {
        const server = await t.serve((req, res) => {
          t.watch(res);
          if (length === 'explicit') res.setHeader('Content-Length', 1);
          res.setHeader('Content-Disposition', 'attachment; filename="caf\u00e9"');
          res.end(body);
        });
        const client = await t.connect(server);
        client.send(GET);
        await client.takeThrough('\r\n\r\nx');
        await client.finish();
      },
    })),
  ),
  wire({
    name: 'an ASCII Content-Disposition',
    path: 'any',
    handler: (req, res) => {
      res.setHeader('Content-Disposition', 'attachment; filename="a"');
      res.end('x');
    },
    reply: ok('x', 'Content-Disposition: attachment; filename="a"'),
  }),
  wire({
    name: 'Expect in a response head',
    path: 'head',
    handler: (req, res) => {
      res.setHeader('Expect', '100-continue');
      res.end('x');
    },
    reply: ok('x', 'Expect: 100-continue'),
  }),

  wire({
    name: 'set-cookie as an array gives one line for each cookie',
    path: 'fast',
    handler: (req, res) => {
      res.setHeader('Set-Cookie', ['a=1; Path=/', 'b=2; HttpOnly']);
      res.end('x');
    },
    reply: ok('x', 'Set-Cookie: a=1; Path=/', 'Set-Cookie: b=2; HttpOnly'),
  }),
  wire({
    name: 'a Cookie array is joined into one line',
    path: 'any',
    handler: (req, res) => {
      res.writeHead(200, { Cookie: ['a=1', 'b=2'], 'Content-Length': 1 }).end('x');
    },
    reply: head('HTTP/1.1 200 OK', 'Cookie: a=1; b=2', 'Content-Length: 1', DATE, KEEP) + 'x',
  }),
  wire({
    name: 'the uniqueHeaders option joins the values of its names',
    path: 'head',
    server: { uniqueHeaders: ['x-one'] },
    handler: (req, res) => {
      res.setHeader('X-One', ['a', 'b']);
      res.setHeader('X-Many', ['a', 'b']);
      res.end('x');
    },
    reply: ok('x', 'X-One: a; b', 'X-Many: a', 'X-Many: b'),
  }),
  wire({
    name: 'the uniqueHeaders option beside a head that has none of its names',
    path: 'any',
    server: { uniqueHeaders: ['x-one'] },
    handler: (req, res) => {
      res.end('x');
    },
    reply: ok('x'),
  }),
  wire({
    name: 'an array for Content-Length, Connection or Date: as stock Node sends it',
    path: 'any',
    handler: (req, res) => {
      res.setHeader('Content-Length', ['1']);
      res.setHeader('Date', ['now']);
      res.end('x');
    },
    reply: head('HTTP/1.1 200 OK', 'Content-Length: 1', 'Date: now', KEEP) + 'x',
  }),
  wire({
    name: 'an array that is changed after setHeader() is sent changed, without a check of the new values',
    path: 'any',
    handler: (req, res) => {
      const list = ['a'];
      res.setHeader('X-V', list);
      list.push('b', 'c\r\nX-Smuggled: 1');
      res.end('x');
    },
    reply: ok('x', 'X-V: a', 'X-V: b', 'X-V: c', 'X-Smuggled: 1'),
  }),
  wire({
    name: 'an array that is changed to hold characters over U+00FF after setHeader(), with a text body',
    path: 'any',
    handler: (req, res) => {
      const list = ['a'];
      res.setHeader('X-V', list);
      list[0] = '\u0141\u{1F600}';
      res.end('x');
    },
    reply: ok('x', `X-V: ${utf8('\u0141\u{1F600}')}`),
  }),
  wire({
    name: 'an array that is changed to hold characters over U+00FF after setHeader(), with a Buffer body',
    path: 'any',
    handler: (req, res) => {
      const list = ['a'];
      res.setHeader('X-V', list);
      list[0] = '\u0141';
      res.end(Buffer.from('x'));
    },
    reply: ok('x', 'X-V: \x41'),
  }),
  wire({
    name: 'an array that is emptied after setHeader() leaves no line',
    path: 'any',
    handler: (req, res) => {
      const list = ['a', 'b'];
      res.setHeader('X-V', list);
      list.length = 0;
      res.end('x');
    },
    reply: ok('x'),
  }),
  wire({
    name: 'control characters that a separator could be made of are refused as values, and sent as an object hides them',
    path: 'any',
    handler: (req, res) => {
      for (const separator of ['\x00', '\x01', '\x1e', '\x1f', '\x0b', '\x7f']) {
        assert.throws(() => res.setHeader('X-V', `a${separator}b`), { code: 'ERR_INVALID_CHAR' });
      }
      const list = ['a'];
      res.setHeader('X-V', list);
      list[0] = 'x\x00y\x01z\x1ev\x1fw\n';
      res.end('x');
    },
    reply: ok('x', 'X-V: x\x00y\x01z\x1ev\x1fw\n'),
  }),
  {
    name: 'the toString() of a value object is called as often as on stock Node, and its last text is sent',
    path: 'any',
    async run(t) {
      const values = [];
      const server = await t.serve((req, res) => {
        const value = counter();
        values.push(value);
        if (req.url === '/set') res.setHeader('X-V', value);
        else if (req.url === '/object') res.writeHead(200, { 'X-V': value });
        else res.writeHead(200, ['X-V', value]);
        t.log(req.url, 'calls before end', value.calls);
        res.end('x');
        t.log(req.url, 'calls after end', value.calls, res._header);
      });
      for (const url of ['/set', '/object', '/array']) {
        const client = await t.connect(server);
        client.send(GET.replace('/', url));
        await client.takeThrough('\r\n\r\n');
        await client.until(() => client.rest.includes('x'));
      }
      t.log(values.map((value) => value.calls));
    },
  },
  {
    name: 'a value whose toString() throws: the error comes from where stock Node calls it',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        const value = {
          toString() {
            throw new RangeError('no text');
          },
        };
        if (req.url === '/set') t.attempt('setHeader', () => res.setHeader('X-V', value));
        else t.attempt('writeHead', () => res.writeHead(200, { 'X-V': value }));
        t.log(res.headersSent, res.getHeaderNames());
        t.attempt('end', () => res.end('x'));
        t.log(res.headersSent, res.writableEnded);
        if (!res.writableEnded) res.destroy();
      });
      for (const url of ['/set', '/object']) {
        const client = await t.connect(server);
        client.send(GET.replace('/', url));
        await client.until(() => client.isClosed || client.rest.endsWith('x'));
      }
    },
  },
  {
    name: 'a value object whose text is bad only when it is asked again: what stock Node lets through is sent',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        let calls = 0;
        res.setHeader('X-V', { toString: () => (calls++ === 0 ? 'good' : 'bad\r\nX-Smuggled: 1') });
        t.attempt('end', () => res.end('x'));
        if (!res.writableEnded) res.destroy();
      });
      const client = await t.connect(server);
      client.send(GET);
      t.log(
        await Promise.race([
          client.closed(),
          client.takeThrough('\r\n\r\nx').then(() => 'answered'),
        ]),
      );
    },
  },
  {
    name: 'getters in the object for writeHead() are read as often and in the same order as on stock Node',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        if (req.url === '/slow') res.setHeader('X-Z', 'z');
        const fields = {
          get 'X-A'() {
            t.log('read X-A');
            return 'a';
          },
          get 'Content-Length'() {
            t.log('read Content-Length');
            return 1;
          },
        };
        Object.defineProperty(fields, 'X-Hidden', { value: 'h', enumerable: false });
        res.writeHead(200, Object.setPrototypeOf(fields, { 'X-Inherited': 'i' }));
        t.log('writeHead returned');
        res.end('x');
      });
      for (const url of ['/quick', '/slow']) {
        const client = await t.connect(server);
        client.send(GET.replace('/', url));
        await client.takeThrough('\r\n\r\nx');
        await client.finish();
      }
    },
  },

  ...BAD.map((value) =>
    refused(
      `the value ${JSON.stringify(value)} is refused, and nothing is left of it`,
      'ERR_INVALID_CHAR',
      'X-V',
      value,
    ),
  ),
  refused(
    'an empty name is refused, except where writeHead() skips it',
    'ERR_INVALID_HTTP_TOKEN',
    '',
    'v',
    ['setHeader', 'appendHeader', 'writeHead(object)', 'writeHead(flat array)', 'writeHead(pairs)'],
  ),
  ...['a b', 'a:b', 'a\r\nb', 'caf\u00e9', 'a\0', '(a)', '\u0141'].map((field) =>
    refused(
      `the name ${JSON.stringify(field)} is refused, and nothing is left of it`,
      'ERR_INVALID_HTTP_TOKEN',
      field,
      'v',
    ),
  ),
  refused('the value undefined is refused', 'ERR_HTTP_INVALID_HEADER_VALUE', 'X-V', undefined),
  refused('an array with a bad element is refused', 'ERR_INVALID_CHAR', 'X-V', ['good', 'bad\r\n']),
  refused('an object whose text is bad is refused', 'ERR_INVALID_CHAR', 'X-V', {
    toString: () => 'bad\n',
  }),
  {
    name: 'a symbol as value, and a flat array of odd length, are refused',
    path: 'any',
    async run(t) {
      const server = await t.serve((req, res) => {
        t.attempt('setHeader', () => res.setHeader('X-V', Symbol('s')));
        t.attempt('writeHead object', () => res.writeHead(200, { 'X-V': Symbol('s') }));
        t.log(res.headersSent);
        t.attempt('writeHead odd', () => res.writeHead(200, ['X-V', '1', 'X-W']));
        t.log(res.headersSent);
        t.attempt('setHeader name', () => res.setHeader(42, 'x'));
        t.attempt('writeHead name', () => res.writeHead(200, [42, 'x']));
        res.removeHeader('X-V');
        res.end('x');
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(ok('x'));
      await client.finish();
    },
  },
  {
    name: 'what is set after the head was made throws ERR_HTTP_HEADERS_SENT, and the answer is as it was',
    path: 'fast',
    async run(t) {
      const server = await t.serve((req, res) => {
        res.writeHead(200, { 'Content-Length': 1 });
        const later = (when) => {
          for (const [name, action] of Object.entries({
            setHeader: () => res.setHeader('X-V', '1'),
            appendHeader: () => res.appendHeader('X-V', '1'),
            removeHeader: () => res.removeHeader('X-V'),
            setHeaders: () => res.setHeaders(new Map([['X-V', '1']])),
            writeHead: () => res.writeHead(404),
          }))
            assert.strictEqual(t.attempt(`${when} ${name}`, action).code, 'ERR_HTTP_HEADERS_SENT');
        };
        later('before end');
        res.end('x');
        later('after end');
        res.on(
          'finish',
          t.guard(() => later('in finish')),
        );
      });
      const client = await t.connect(server);
      client.send(GET);
      await client.expect(head('HTTP/1.1 200 OK', 'Content-Length: 1', DATE, KEEP) + 'x');
      await client.finish();
    },
  },
];
