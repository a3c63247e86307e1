'use strict';
// Header fields: what is joined, what is dropped, what is counted, and what bytes they may have.

const { ask, head, post } = require('../../behaviour/text');

/** Fields of which Node keeps the first. */
const FIRST = [
  'Age',
  'Authorization',
  'Content-Length',
  'Content-Type',
  'ETag',
  'Expires',
  'From',
  'Host',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'Last-Modified',
  'Location',
  'Max-Forwards',
  'Proxy-Authorization',
  'Referer',
  'Retry-After',
  'Server',
  'User-Agent',
];
/** Fields of which it joins all: with ', ', with '; ', as an array. */
const JOINED = ['Accept', 'X-Own', 'Cache-Control', 'Cookie', 'Set-Cookie', 'Via', 'Connection'];

const twice = (name) => {
  const value = name === 'Content-Length' ? '0' : 'one';
  return [
    `${name}: ${value}`,
    'X-Between: b',
    `${name.toLowerCase()}: ${name === 'Content-Length' ? '0' : 'two'}`,
  ];
};

const many = (count) => Array.from({ length: count }, (_, i) => `X-${i}: ${i}`);

const VALUES = {
  'no value': 'X-A:',
  'only spaces': 'X-A:   ',
  'only a tab': 'X-A:\t',
  'spaces around': 'X-A:   a  b   ',
  'tabs around and within': 'X-A:\ta\tb\t',
  'no space': 'X-A:a',
  latin1: 'X-A: caf\xe9 \xff\x80',
  'UTF-8 bytes': 'X-A: \xe2\x98\x83',
  'quotes, commas and colons': 'X-A: "a, b: c"; d="e"',
  'control characters': 'X-A: a\x01b',
  'a delete character': 'X-A: a\x7fb',
  'a NUL': 'X-A: a\0b',
  'every mark a name may have': "!#$%&'*+-.^_`|~0aZ: a",
  'a name of one character': 'A: a',
  'a name like that of a property': '__proto__: a',
  'the name constructor': 'constructor: a',
  'the name in capitals': 'X-OWN-NAME: a',
  'a long value': `X-A: ${'v'.repeat(2000)}`,
  'a long name': `X-${'n'.repeat(300)}: a`,
};

/** Heads of just so many bytes. */
const sized = (size) => {
  const rest = head('GET / HTTP/1.1', 'Host: a', 'X-A: ').length;
  return head('GET / HTTP/1.1', 'Host: a', `X-A: ${'v'.repeat(size - rest)}`);
};

module.exports = [
  ...[...FIRST, ...JOINED].flatMap((name) => [
    { name: `${name} twice`, bytes: ask('/', ...twice(name)) + ask('/b') },
    {
      name: `${name} twice, joined`,
      bytes: ask('/', ...twice(name)),
      server: 'joining',
      few: true,
    },
  ]),
  {
    name: 'the same field three times',
    bytes: ask('/', 'x-a: 1', 'X-A: 2', 'X-a: 3'),
    plain: true,
  },
  {
    name: 'Set-Cookie three times',
    bytes: ask('/', 'Set-Cookie: 1', 'set-cookie: 2', 'Set-Cookie: 3'),
    plain: true,
  },
  ...Object.entries(VALUES).map(([name, line]) => ({
    name: `a field with ${name}`,
    bytes: ask('/', 'X-Before: b', line, 'X-After: a') + ask('/b'),
  })),
  ...[0, 1, 29, 30, 31, 32, 33, 62, 63, 64, 65, 100].map((count) => ({
    name: `${count} fields besides Host`,
    bytes: ask('/', ...many(count)) + ask('/b'),
    plain: true,
  })),
  { name: '1000 fields besides Host', bytes: ask('/', ...many(999)) },
  { name: '1001 fields besides Host', bytes: ask('/', ...many(1001)) },
  {
    name: '1100 fields and no limit',
    bytes: ask('/', ...many(1100)),
    server: 'any number of headers',
  },
  ...[0, 1, 2, 3, 40].map((count) => ({
    name: `${count} fields besides Host where two are kept`,
    bytes: ask('/', ...many(count)) + ask('/b', ...many(count)),
    server: 'two headers',
  })),
  ...[250, 254, 255, 256, 257, 258, 300].map((size) => ({
    name: `a head of ${size} bytes where 256 are allowed`,
    bytes: sized(size) + ask('/b'),
    server: 'small heads',
  })),
  ...[590, 598, 599, 600, 601, 602, 650].map((size) => ({
    name: `a head of ${size} bytes where 600 are allowed`,
    bytes: ask('/a') + sized(size) + ask('/b'),
    server: 'heads of 600',
  })),
  ...[16_000, 16_383, 16_384, 16_385, 17_000].map((size) => ({
    name: `a head of ${size} bytes`,
    bytes: ask('/a') + sized(size) + ask('/b'),
  })),
  {
    name: 'a long target where 256 bytes are allowed',
    bytes: ask(`/${'a'.repeat(260)}`),
    server: 'small heads',
  },
  {
    name: 'a body longer than heads may be',
    bytes: post('/', 'b'.repeat(400)) + ask('/b'),
    server: 'small heads',
  },
  {
    name: 'many small heads, together longer than one may be',
    bytes: ask('/a').repeat(20),
    server: 'small heads',
  },
  { name: 'no Host', bytes: head('GET / HTTP/1.1') + ask('/b') },
  {
    name: 'no Host where none is needed',
    bytes: head('GET / HTTP/1.1') + ask('/b'),
    server: 'any host',
  },
  { name: 'Host twice', bytes: ask('/', 'Host: b') },
  { name: 'Host twice where none is needed', bytes: ask('/', 'Host: b'), server: 'any host' },
  { name: 'no Host, HTTP/1.0', bytes: head('GET / HTTP/1.0') },
];
