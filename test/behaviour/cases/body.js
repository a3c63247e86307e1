'use strict';
// What may be a body, and what its bytes are.

const { DATE, KEEP, chunked, head, ok, utf8 } = require('../text');
const { wire } = require('../wire');

const WIDE = 'snow \u2603 and \u{1F600}';
const LATIN1 = 'caf\u00e9 \u00ff';
const ROPE = ('0123456789'.repeat(8).slice(3, 60) + LATIN1).slice(1);
const wideBytes = new TextEncoder().encode(WIDE);

const withLength = (body, length = body.length) =>
  head('HTTP/1.1 200 OK', `Content-Length: ${length}`, DATE, KEEP) + body;

/** Bodies by name: what is given to end(), and the bytes that go out. */
const BODIES = [
  ['an ASCII text', 'plain', 'plain'],
  ['a text of latin1 characters, sent as UTF-8', LATIN1, utf8(LATIN1)],
  ['a text with characters beyond the basic plane, sent as UTF-8', WIDE, utf8(WIDE)],
  [
    'a text with lone surrogates, sent as replacement characters',
    'a\ud800b\udc00',
    utf8('a\ufffdb\ufffd'),
  ],
  ['a text with NUL, CR and LF', 'a\0b\r\nc', 'a\0b\r\nc'],
  ['a text that looks like a last chunk', '0\r\n\r\n', '0\r\n\r\n'],
  ['a sliced and concatenated text', ROPE, utf8(ROPE)],
  ['a Buffer', Buffer.from('bytes'), 'bytes'],
  [
    'a Buffer of every byte value',
    Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
    String.fromCharCode(...Array(256).keys()),
  ],
  ['a Uint8Array', wideBytes, utf8(WIDE)],
  ['a view into a larger buffer', Buffer.from('--inside--').subarray(2, 8), 'inside'],
  [
    'a Uint8Array at an offset of its ArrayBuffer',
    new Uint8Array(Uint8Array.from([1, 2, 65, 66, 67, 3]).buffer, 2, 3),
    'ABC',
  ],
  ['bytes on a SharedArrayBuffer', new Uint8Array(new SharedArrayBuffer(3)).fill(66), 'BBB'],
];

const bodies = BODIES.flatMap(([name, body, bytes]) => [
  wire({
    name: `${name} is a body of implicit length`,
    path: 'fast',
    handler: (req, res) => {
      res.end(body);
    },
    reply: ok(bytes),
  }),
  wire({
    name: `${name} is a body of explicit length`,
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200, { 'Content-Length': bytes.length }).end(body);
    },
    reply: withLength(bytes),
  }),
  wire({
    name: `${name} is the one chunk of a chunked body`,
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200).end(body);
    },
    reply: chunked([bytes]),
  }),
]);

module.exports = [
  ...bodies,

  wire({
    name: 'an empty text is a body of length 0',
    path: 'fast',
    handler: (req, res) => {
      res.end('');
    },
    reply: ok(''),
  }),
  wire({
    name: 'an empty Buffer is a body of length 0',
    path: 'fast',
    handler: (req, res) => {
      res.end(Buffer.alloc(0));
    },
    reply: ok(''),
  }),
  wire({
    name: 'an empty Buffer in a chunked body adds no chunk',
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200).end(Buffer.alloc(0));
    },
    reply: chunked([]),
  }),
  wire({
    name: 'an empty Buffer with an explicit length of 0',
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200, { 'Content-Length': 0 }).end(new Uint8Array(0));
    },
    reply: withLength(''),
  }),

  wire({
    name: "the encoding 'latin1' sends one byte a character, and a length that counts them",
    path: 'fast',
    handler: (req, res) => {
      res.end(LATIN1, 'latin1');
    },
    reply: ok(LATIN1),
  }),
  wire({
    name: "the encoding 'binary' is latin1",
    path: 'any',
    handler: (req, res) => {
      res.end(LATIN1, 'binary');
    },
    reply: ok(LATIN1),
  }),
  wire({
    name: "the encoding 'latin1' with an explicit length in writeHead()",
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200, { 'Content-Length': LATIN1.length }).end(LATIN1, 'latin1');
    },
    reply: withLength(LATIN1),
  }),
  wire({
    name: "the encoding 'latin1' in a chunk",
    path: 'fast',
    handler: (req, res) => {
      res.writeHead(200).end(LATIN1, 'latin1');
    },
    reply: chunked([LATIN1]),
  }),
  wire({
    name: "the encoding 'latin1' cuts wider characters to their low byte",
    path: 'any',
    handler: (req, res) => {
      res.end('\u0141\u2603', 'latin1');
    },
    reply: ok('\x41\x03'),
  }),
  wire({
    name: "the encoding 'ascii' sends an ASCII text",
    path: 'fast',
    handler: (req, res) => {
      res.end('plain', 'ascii');
    },
    reply: ok('plain'),
  }),
  wire({
    name: "the encoding 'ascii' sends other characters as latin1 does",
    path: 'any',
    handler: (req, res) => {
      res.end(LATIN1, 'ascii');
    },
    reply: ok(LATIN1),
  }),
  ...['UTF-8', 'utf-8', 'Utf8', ''].map((encoding) =>
    wire({
      name: `the encoding '${encoding}' is UTF-8 by another spelling`,
      path: 'any',
      handler: (req, res) => {
        res.end(WIDE, encoding);
      },
      reply: ok(utf8(WIDE)),
    }),
  ),
  ...[
    ['hex', '68656c6c6f', 'hello'],
    ['base64', 'aGVsbG8=', 'hello'],
    ['base64url', 'aGVsbG8', 'hello'],
    ['utf16le', 'hi\u2603', 'h\0i\0\x03\x26'],
    ['ucs2', 'hi', 'h\0i\0'],
  ].map(([encoding, text, bytes]) =>
    wire({
      name: `the encoding '${encoding}' sends the decoded bytes`,
      path: 'encoding',
      handler: (req, res) => {
        res.writeHead(200, { 'Content-Length': bytes.length }).end(text, encoding);
      },
      reply: withLength(bytes),
    }),
  ),
  wire({
    name: "the encoding 'hex' with an implicit length",
    path: 'encoding',
    handler: (req, res) => {
      res.end('68656c6c6f', 'hex');
    },
    reply: ok('hello'),
  }),
  wire({
    name: "the encoding 'base64' in a chunk",
    path: 'encoding',
    handler: (req, res) => {
      res.writeHead(200).end('aGVsbG8=', 'base64');
    },
    reply: chunked(['hello']),
  }),
  wire({
    name: 'an encoding given beside a Buffer is ignored',
    path: 'any',
    handler: (req, res) => {
      res.end(Buffer.from('abcd'), 'hex');
    },
    reply: ok('abcd'),
  }),
  wire({
    name: 'a Buffer that is changed after end() was sent as it was',
    path: 'fast',
    handler: (req, res) => {
      const body = Buffer.from('before');
      res.end(body);
      body.fill('x');
    },
    reply: ok('before'),
  }),
  wire({
    name: 'a subclass of Uint8Array is a body',
    path: 'any',
    handler: (req, res) => {
      class Bytes extends Uint8Array {}
      res.end(Bytes.from([97, 98]));
    },
    reply: ok('ab'),
  }),
  wire({
    name: 'a Buffer of another realm is a body',
    path: 'any',
    handler: (req, res) => {
      res.end(require('node:vm').runInNewContext('Uint8Array.from([97, 98])'));
    },
    reply: ok('ab'),
  }),
];
