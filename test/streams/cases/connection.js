'use strict';
// What becomes of a connection: kept, closed, given away, and what comes behind.

const { ask, head, post } = require('../../behaviour/text');

const CONNECTIONS = [
  'close',
  'Close',
  'CLOSE',
  'keep-alive',
  'Keep-Alive',
  'close, keep-alive',
  'keep-alive, close',
  'upgrade',
  'foo',
  '',
  ',',
  'close,',
  'closed',
  'keep-alive-not',
  'x, close , y',
  'te',
  'close foo',
  '"close"',
  'Upgrade, HTTP2-Settings',
];

const OLD = ['', 'Connection: keep-alive', 'Connection: close'].map((line) =>
  head('GET /old HTTP/1.0', ...[line].filter(Boolean)),
);

const upgrade = (...lines) => ask('/up', 'Connection: Upgrade', 'Upgrade: own', ...lines);
const CONNECT = head('CONNECT a:80 HTTP/1.1', 'Host: a:80');

module.exports = [
  ...CONNECTIONS.flatMap((value) => [
    { name: `Connection: ${value}`, bytes: ask('/', `Connection: ${value}`), few: true },
    {
      name: `Connection: ${value}, and a request behind`,
      bytes: ask('/', `Connection: ${value}`) + ask('/b'),
    },
  ]),
  {
    name: 'Connection twice',
    bytes: ask('/', 'Connection: keep-alive', 'Connection: close') + ask('/b'),
  },
  { name: 'Proxy-Connection: close', bytes: ask('/', 'Proxy-Connection: close') + ask('/b') },
  { name: 'Keep-Alive of a client', bytes: ask('/', 'Keep-Alive: timeout=1, max=2') + ask('/b') },
  { name: 'garbage behind Connection: close', bytes: `${ask('/', 'Connection: close')}garbage` },
  {
    name: 'a body behind Connection: close',
    bytes: post('/', 'hello', 'Connection: close') + ask('/b'),
  },
  { name: 'garbage behind a request', bytes: `${ask('/')}garbage` },
  { name: 'garbage behind a body', bytes: `${post('/', 'hello')}garbage` },
  { name: 'a body that nobody announced', bytes: `${ask('/')}hello\r\n\r\n` },
  { name: 'line ends before a request', bytes: `\r\n\r\n${ask('/')}` },
  { name: 'a bare LF before a request', bytes: `\n${ask('/')}` },
  { name: 'a bare CR before a request', bytes: `\r${ask('/')}` },
  { name: 'line ends between requests', bytes: `${ask('/a')}\r\n${ask('/b')}\r\n\r\n${ask('/c')}` },
  { name: 'line ends behind the last request', bytes: `${ask('/a')}\r\n` },
  { name: 'line ends behind a body', bytes: `${post('/a', 'hello')}\r\n${ask('/b')}` },
  { name: 'a space before a request', bytes: ` ${ask('/')}` },
  { name: 'a part of a request line', bytes: 'GET / HT' },
  { name: 'a part of a head', bytes: 'GET / HTTP/1.1\r\nHost: a\r\nX-A' },
  { name: 'a head without its last line end', bytes: ask('/').slice(0, -2) },
  { name: 'a part of a body', bytes: post('/', 'hello').slice(0, -2) },
  { name: 'a part of a chunk', bytes: `${ask('/', 'Transfer-Encoding: chunked')}5\r\nhel` },
  { name: 'a request and a part of the next', bytes: ask('/a') + ask('/b').slice(0, 20) },
  { name: 'only line ends', bytes: '\r\n\r\n' },
  ...OLD.flatMap((bytes, i) => [
    { name: `HTTP/1.0, ${i}`, bytes },
    { name: `HTTP/1.0, ${i}, and a request behind`, bytes: bytes + ask('/b') },
    { name: `HTTP/1.0, ${i}, behind another request`, bytes: ask('/a') + bytes },
  ]),
  { name: 'HTTP/1.0 with a body', bytes: `${head('POST / HTTP/1.0', 'Content-Length: 5')}hello` },
  {
    name: 'HTTP/1.0 with a chunked body',
    bytes: `${head('POST / HTTP/1.0', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  },
  {
    name: 'the third request where a socket may have two',
    bytes: ask('/a') + ask('/b') + ask('/c'),
    server: 'two requests a socket',
  },
  {
    name: 'the second request where a socket may have two',
    bytes: ask('/a') + post('/b', 'hello'),
    server: 'two requests a socket',
  },
  ...['plain', 'upgrading', 'hearing'].flatMap((server) => [
    { name: `Upgrade, ${server}`, bytes: upgrade(), server },
    { name: `Upgrade with bytes behind, ${server}`, bytes: `${upgrade()}raw bytes`, server },
    { name: `Upgrade with a request behind, ${server}`, bytes: upgrade() + ask('/b'), server },
    { name: `Upgrade behind a request, ${server}`, bytes: ask('/a') + upgrade(), server },
    {
      name: `Upgrade with a body, ${server}`,
      bytes: `${upgrade('Content-Length: 5')}hello${ask('/b')}`,
      server,
    },
    {
      name: `Upgrade without Connection, ${server}`,
      bytes: ask('/', 'Upgrade: own') + ask('/b'),
      server,
    },
    {
      name: `Connection: Upgrade without Upgrade, ${server}`,
      bytes: ask('/', 'Connection: Upgrade') + ask('/b'),
      server,
    },
    {
      name: `Upgrade: h2c, ${server}`,
      bytes:
        ask('/', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AA') +
        ask('/b'),
      server,
    },
    { name: `a preface of HTTP/2, ${server}`, bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', server },
    { name: `CONNECT, ${server}`, bytes: CONNECT, server },
    { name: `CONNECT with bytes behind, ${server}`, bytes: `${CONNECT}raw bytes`, server },
    { name: `CONNECT behind a request, ${server}`, bytes: ask('/a') + CONNECT, server },
    { name: `CONNECT of a path, ${server}`, bytes: head('CONNECT /a HTTP/1.1', 'Host: a'), server },
  ]),
  ...['plain', 'expecting'].flatMap((server) => [
    {
      name: `Expect: 100-continue, ${server}`,
      bytes: post('/', 'hello', 'Expect: 100-continue') + ask('/b'),
      server,
    },
    {
      name: `Expect: 100-Continue without a body, ${server}`,
      bytes: ask('/', 'Expect: 100-Continue') + ask('/b'),
      server,
    },
    {
      name: `Expect: something, ${server}`,
      bytes: ask('/', 'Expect: something') + ask('/b'),
      server,
    },
    {
      name: `Expect behind a request, ${server}`,
      bytes: ask('/a') + post('/', 'hello', 'Expect: 100-continue'),
      server,
    },
    {
      name: `Expect of HTTP/1.0, ${server}`,
      bytes: head('GET / HTTP/1.0', 'Expect: 100-continue'),
      server,
    },
    { name: `an empty Expect, ${server}`, bytes: ask('/', 'Expect:') + ask('/b'), server },
  ]),
  {
    name: 'Trailer that announces',
    bytes: `${ask('/', 'Transfer-Encoding: chunked', 'Trailer: X-T')}1\r\na\r\n0\r\nX-T: t\r\n\r\n`,
  },
  { name: 'TE: trailers', bytes: ask('/', 'TE: trailers', 'Connection: TE') + ask('/b') },
];
