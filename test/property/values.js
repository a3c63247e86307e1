'use strict';

// Field names, field values and bodies: those of ordinary programs, and all that one could give.

const NAMES = [
  'X-A',
  'x-b',
  'X-Request-Id',
  'Content-Type',
  'ETag',
  'Vary',
  'Cache-Control',
  'Location',
  'Set-Cookie',
];

const TEXTS = [
  'v',
  'text/plain; charset=utf-8',
  'a b\tc',
  '',
  '  padded ',
  '"!#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
];

const ODD_NAMES = [
  'set-cookie',
  'x-a',
  'Cookie',
  'Content-Disposition',
  'Content-Length',
  'content-length',
  'Transfer-Encoding',
  'transfer-encoding',
  'Connection',
  'connection',
  'Date',
  'date',
  'Keep-Alive',
  'Trailer',
  'Expect',
  'Upgrade',
  'Content-Encoding',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  '0',
  '10',
  "!#$%&'*+-.^_`|~",
  'N'.repeat(300),
];

const WRONG_NAMES = [
  '',
  'a b',
  'a:b',
  'a\r',
  'a\nb: c',
  'a\0',
  'caf\u00e9',
  'a\u010a',
  '\u0141',
  undefined,
  null,
  5,
  true,
  {},
];

const SPECIAL_VALUES = {
  'content-length': [
    0,
    3,
    '3',
    '0',
    '1e1',
    ' 5',
    '5, 5',
    '-1',
    '',
    'x',
    NaN,
    4294967296,
    '4294967296',
    ['3', '3'],
  ],
  'transfer-encoding': [
    'chunked',
    'Chunked',
    'gzip, chunked',
    'chunked;foo=bar',
    'identity',
    'xchunked',
    'chunked-x',
    'un_chunked',
    '',
    ['gzip', 'chunked'],
  ],
  connection: [
    'close',
    'keep-alive',
    'Close',
    'upgrade',
    'close, x',
    'x-close',
    'disclose',
    '',
    ['close', 'x'],
    0,
  ],
  date: ['now', '', 'Sun, 06 Nov 1994 08:49:37 GMT'],
  'keep-alive': ['timeout=5', '', 'x', 7],
  'content-disposition': [
    'attachment',
    'attachment; filename="caf\u00e9"',
    'a\u010a',
    5,
    ['a', 'b'],
  ],
  cookie: ['a=1', ['a=1', 'b=2'], 5],
};

/** A value that is no text: made anew for each use, for it may be changed. */
const MAKERS = [
  () => 0,
  () => -0,
  () => 1.5,
  () => 1e21,
  () => NaN,
  () => -Infinity,
  () => 4294967296,
  () => 123456789012n,
  () => true,
  () => false,
  () => null,
  () => undefined,
  () => [],
  () => ['a', 'b'],
  () => ['one'],
  () => [1, 'b', ''],
  () => [['nested', 'twice']],
  () => ['a', null, true],
  () => ['a', '\u00e9'],
  () => ['a', 'b\n'],
  () => ({}),
  () => ({ toString: () => 'of an object' }),
  () => new Date(0),
  () => Object('boxed'),
  () => Symbol('s'),
  () => 'caf\u00e9',
  () => '\u00ff\u0080',
  () => '\u010a',
  () => '\u0141',
  () => 'x\u{1f600}',
  () => 'a\r\nX-Evil: 1',
  () => 'a\0b',
  () => 'a\x7fb',
  () => 'a\x1fb',
  () => 'v'.repeat(5000),
];

/** The name of a field of an ordinary program. */
const plainName = (random) => random.pick(NAMES);

/** A value of an ordinary program. */
function plainValue(random, name) {
  if (name === 'Set-Cookie') return ['a=1; Path=/', `b=${random.below(1000)}`];
  return random.oneIn(4) ? random.below(1e6) : `${random.pick(TEXTS)}${random.below(1e6)}`;
}

/** Any name: of an ordinary program, one with a meaning for framing, or none at all. */
function anyName(random) {
  return random.weighted([
    [4, random.pick(NAMES)],
    [6, random.pick(ODD_NAMES)],
    [1, random.pick(WRONG_NAMES)],
  ]);
}

/** Any value, the likelier one that means something under the name. */
function anyValue(random, name) {
  const special = SPECIAL_VALUES[String(name).toLowerCase()];
  if (special !== undefined && !random.oneIn(6)) {
    const value = random.pick(special);
    return Array.isArray(value) ? [...value] : value;
  }
  return random.oneIn(2) ? plainValue(random, 'X') : random.pick(MAKERS)();
}

const LETTERS = {
  ascii: 'abcdefghijklmnopqrstuvwxyz 0123456789\r\n',
  latin1: 'caf\u00e9 \u00ff\u0080\u00a0',
  wide: '\u010a\u0141\u4e16\u754c',
  astral: 'a\u{1f600}\u{10ffff}',
  lone: '\ud800x\udfff',
};

const repeated = (letters, length) =>
  letters.repeat(Math.ceil(length / letters.length)).slice(0, length);

/**
 * Lengths about which something changes: what is copied, and the socket's writableHighWaterMark
 * with a head of usual length before the body.
 */
function someLength(random, large) {
  if (!large) return 1 + random.below(random.oneIn(10) ? 3000 : 40);
  const border = random.pick([16 * 1024, 16 * 1024, 64 * 1024]);
  return random.oneIn(2) ? border - 2 + random.below(5) : border - random.below(320);
}

/**
 * A body that is sent, or undefined for none.
 * @returns {string | Uint8Array | undefined}
 */
function body(random) {
  const length = someLength(random, random.oneIn(20));
  return random.weighted([
    [12, () => undefined],
    [4, () => ''],
    [40, () => repeated(LETTERS.ascii, length)],
    [10, () => repeated(LETTERS.latin1, length)],
    [6, () => repeated(LETTERS.wide, length)],
    [5, () => repeated(LETTERS.astral, length)],
    [3, () => repeated(LETTERS.lone, length)],
    [12, () => Buffer.from(repeated(LETTERS.latin1, length), 'latin1')],
    [6, () => new Uint8Array(length + 2).fill(0xe9).subarray(1, length + 1)],
    [1, () => Buffer.alloc(0)],
  ])();
}

const WRONG_BODIES = [
  5,
  true,
  {},
  ['a'],
  new Uint16Array(2),
  new ArrayBuffer(3),
  Symbol('body'),
  null,
];

/** Anything that may be given as a body. */
const anyBody = (random) => (random.oneIn(6) ? random.pick(WRONG_BODIES) : body(random));

const PLAIN_ENCODINGS = ['utf8', 'utf-8', 'latin1', 'binary', 'ascii'];
// No 'hex' beside any text, and no values that are no names: Node itself aborts when it writes such
// chunks together.
const ODD_ENCODINGS = ['UTF8', 'Latin1', 'base64', 'base64url', 'ucs2', 'utf16le', '', null];

const UNKNOWN_ENCODING = 'nonsense';

/** An encoding argument of an ordinary program. */
const plainEncoding = (random) => (random.oneIn(3) ? random.pick(PLAIN_ENCODINGS) : undefined);

/** Any encoding argument. */
function anyEncoding(random) {
  if (random.oneIn(2)) return plainEncoding(random);
  return random.alone && random.oneIn(3) ? UNKNOWN_ENCODING : random.pick(ODD_ENCODINGS);
}

module.exports = {
  plainName,
  plainValue,
  anyName,
  anyValue,
  body,
  anyBody,
  plainEncoding,
  anyEncoding,
};
