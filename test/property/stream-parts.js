'use strict';

// Parts of drawn streams: requests that are plain, nearly plain, and damaged.

const { head } = require('../behaviour/text');

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'QUERY',
  'M-SEARCH',
];
const TARGETS = [
  '/',
  '/a?b=c',
  '/%20x',
  '*',
  'http://a/b',
  '/a//b/../c',
  '/\xe9',
  '?',
  '/#f',
  'a:80',
];

const FIELDS = [
  ['Accept', '*/*'],
  ['User-Agent', 'x'],
  ['Accept-Encoding', 'gzip, br'],
  ['Cookie', 'a=b; c=d'],
  ['X-Own', 'text'],
  ['X-Empty', ''],
  ['X-Latin', 'caf\xe9'],
  ['Content-Type', 'text/plain'],
  ['Authorization', 'Basic eDp5'],
  ['If-None-Match', '"x"'],
  ['Referer', 'http://a/'],
  ['x-own', 'again'],
  ['Set-Cookie', 'a=b'],
  ['Via', '1.1 x'],
  ['Keep-Alive', 'timeout=5'],
  ['TE', 'trailers'],
  ['Connection', 'keep-alive'],
  ['__proto__', 'x'],
  ['Origin', 'null'],
  ['Range', 'bytes=0-1'],
];

/** Fields that few requests have. */
const ODD_FIELDS = [
  'Connection: close',
  'Connection: upgrade',
  'Connection: close, keep-alive',
  'Connection:',
  'Connection: \tclose',
  'Upgrade: own',
  'Upgrade: h2c',
  'Expect: 100-continue',
  'Expect: own',
  'Content-Length: 0',
  'Content-Length: 3',
  'Content-Length: +3',
  'Content-Length: 3, 3',
  'content-length: 03',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: chunked, gzip',
  'Transfer-Encoding:\tchunked ',
  'Trailer: X-T',
  'Host: b',
  'Host:',
  'Proxy-Connection: close',
  'X-A: a\x01',
  'X-A: \x7f',
  'X-A : a',
  ' X-A: a',
  '\tX-A: a',
  'X-A',
  ': a',
  'X A: a',
  'X-A: a\rb',
  'X-A: a\nX-B: b',
  'X-A: a\r\n b',
  'X-\xe9: a',
  'X-A: \0',
  'X-A:\t \t',
  'X-A:a',
  '',
  ' ',
  'X-A: "a\\"b"',
];

const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/0.9',
  'HTTP/2.0',
  'http/1.1',
  'HTTP/1.1 ',
  'HTTP/1',
  '',
];

/** Bytes that are put into streams, or in the place of others. */
const BYTES = [
  '\r',
  '\n',
  '\r\n',
  ' ',
  '\t',
  '\0',
  ':',
  ';',
  ',',
  'A',
  '0',
  '\x7f',
  '\x80',
  '\xff',
  'G',
  '-',
  '\r\n\r\n',
];

const text = (random, length) =>
  random.list(length, () => String.fromCharCode(97 + random.below(26))).join('');

/** @returns {string[]} fields of plain requests */
function plainFields(random) {
  const count = random.weighted([
    [4, random.below(4)],
    [3, random.below(12)],
    [0.5, 28 + random.below(10)],
  ]);
  return random.list(count, () => {
    const [name, value] = random.pick(FIELDS);
    const spelled = random.oneIn(4) ? name.toLowerCase() : name;
    return `${spelled}:${random.oneIn(6) ? random.pick(['', '  ', '\t']) : ' '}${value}`;
  });
}

function chunks(random, odd) {
  const sizes = random.list(random.below(4), () => 1 + random.below(random.oneIn(3) ? 40 : 6));
  const pieces = sizes.map((size) => {
    const hex = size.toString(16);
    const written =
      odd && random.oneIn(4)
        ? random.pick([
            `0${hex}`,
            `${hex} `,
            ` ${hex}`,
            `${hex};a=b`,
            `${hex};a="b"`,
            `0x${hex}`,
            `${hex}\t`,
            (size + 1).toString(16),
          ])
        : random.oneIn(3)
          ? hex.toUpperCase()
          : hex;
    return `${written}\r\n${text(random, size)}\r\n`;
  });
  const trailers =
    odd && random.oneIn(3)
      ? random.pick(['X-T: t\r\n', 'X-T: t\r\nX-T: u\r\n', 'X-T\r\n', ' x\r\n'])
      : '';
  return `${pieces.join('')}0\r\n${trailers}\r\n`;
}

/** A request in which all is as it should be. */
function plainRequest(random) {
  const target = random.oneIn(4)
    ? random.pick(TARGETS.slice(0, 6))
    : `/${text(random, random.below(8))}`;
  const fields = ['Host: a', ...plainFields(random)];
  if (random.oneIn(15)) fields.push('Connection: close');
  return random.weighted([
    [
      6,
      () => head(`${random.oneIn(8) ? random.pick(METHODS) : 'GET'} ${target} HTTP/1.1`, ...fields),
    ],
    [
      2,
      () => {
        const body = text(random, random.below(random.oneIn(5) ? 300 : 20));
        return head(`POST ${target} HTTP/1.1`, ...fields, `Content-Length: ${body.length}`) + body;
      },
    ],
    [
      1.5,
      () =>
        head(`POST ${target} HTTP/1.1`, ...fields, 'Transfer-Encoding: chunked') +
        chunks(random, false),
    ],
  ])();
}

/** A request of which something is unusual, and may be wrong. */
function oddRequest(random) {
  const method = random.oneIn(3)
    ? random.pick([...METHODS, 'CONNECT', 'get', 'OWN', ''])
    : random.pick(['GET', 'POST']);
  const version = random.oneIn(4) ? random.pick(VERSIONS) : 'HTTP/1.1';
  const fields = random.oneIn(10) ? [] : ['Host: a'];
  fields.push(...plainFields(random).slice(0, 4));
  for (let more = random.below(3); more > 0; more--)
    fields.splice(random.below(fields.length + 1), 0, random.pick(ODD_FIELDS));
  const body = random.weighted([
    [3, ''],
    [2, () => text(random, random.below(6))],
    [
      2,
      () => {
        fields.push('Transfer-Encoding: chunked');
        return chunks(random, true);
      },
    ],
    [
      2,
      () => {
        const all = text(random, random.below(8));
        fields.push(`Content-Length: ${all.length + random.pick([0, 0, -1, 1])}`);
        return all;
      },
    ],
  ]);
  const bytes = typeof body === 'function' ? body() : body;
  return head(`${method} ${random.pick(TARGETS)} ${version}`, ...fields) + bytes;
}

/** The same with a few bytes gone, come or changed. */
function damage(random, bytes) {
  let damaged = bytes;
  for (let times = 1 + random.below(2); times > 0; times--) {
    const at = random.below(damaged.length + 1);
    damaged =
      damaged.slice(0, at) +
      (random.oneIn(3) ? '' : random.pick(BYTES)) +
      damaged.slice(at + random.below(2));
  }
  return damaged;
}

/** What stands between requests. */
const between = (random) => random.pick(['\r\n', '\r\n', '\r\n\r\n', '\n', ' ', 'garbage', '\0']);

/** @returns {string[]} the requests of a stream, and what is between them */
function someParts(random) {
  const count = random.weighted([
    [5, 1],
    [4, 2],
    [3, 3],
    [1, 4 + random.below(5)],
  ]);
  const parts = [];
  for (let i = 0; i < count; i++) {
    parts.push(
      random.weighted([
        [8, () => plainRequest(random)],
        [1.5, () => oddRequest(random)],
        [1, () => damage(random, plainRequest(random))],
        [0.3, () => damage(random, oddRequest(random))],
      ])(),
    );
    if (random.oneIn(30)) parts.push(between(random));
  }
  if (random.oneIn(12)) parts.push(plainRequest(random).slice(0, -1 - random.below(20)));
  return parts.filter((part) => part !== '');
}

module.exports = { someParts };
