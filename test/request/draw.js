'use strict';

// Draws inputs: requests, what is nearly one, and bytes that were changed. All as latin1 text.

const { METHODS } = require('node:http');

const token = "!#$%&'*+-.^_`|~09azAZ";
const special = [
  'Connection',
  'Content-Length',
  'Expect',
  'Proxy-Connection',
  'Transfer-Encoding',
  'Upgrade',
];
const plain = [
  'Host',
  'Accept',
  'Cookie',
  'Keep-Alive',
  'Trailer',
  'TE',
  'User-Agent',
  'Upgrade-Insecure-Requests',
  'Content-Lengt',
  'Content-Length2',
  'Content_Length',
  'Transfer-Encodin',
  'Connection-',
  'X',
];
const targets = [
  '/',
  '//',
  '/a/b/c?d=e&f',
  '/a?b?c',
  '*',
  '/%00%zz"<>\\^`{|}',
  'http://a.example/b?c',
  'https://127.0.0.1:80',
  'HTTP://a?b',
];
const oddTargets = [
  '',
  ' ',
  '/a#b',
  '/a#b#c',
  '*a',
  'a',
  'a:80',
  'http://[::1]/',
  'http://u:p@a/',
  'http://a:b/',
  'http://',
  'ftp://a/',
  '/\t',
  '/\x80',
  '/\0',
];
const oddVersions = ['HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'http/1.1', 'HTTP/1.1 ', ' HTTP/1.1', ''];
const values = ['', 'a', 'text/html, */*;q=0.8', 'a\tb', '\x80\xff', '"', ':', 'chunked', '5'];
const oddValues = ['\0', '\x7f', 'a\x01', 'a\rb', 'a\nb', 'a\r\n b', 'a\r\n\tb', '\r\n ', '\r'];
const oddEnds = ['\n', '\r', '\r\r\n', '\n\r', '', ' \r\n', '\r\n\r\n'];
const connections = ['keep-alive', 'close', 'Keep-Alive', 'CLOSE'];
const oddConnections = ['upgrade', 'close, te', 'keep-alive,close', '', ',close', 'close ', 'clos'];
const oddLengths = [
  '',
  '+1',
  '-1',
  '1,1',
  '1, 1',
  '0x1',
  '1 ',
  '1\t',
  '1a',
  '99999999999999999999',
];
const oddCodings = [
  '',
  'xchunked',
  'chunked, chunked',
  'gzip, chunked',
  'chunked;a',
  'chunked ',
  'chunked\t',
  'chunked,',
  'identity',
];
const oddSizes = ['', '0x1', '+1', '-1', ' 1', '1 ', '1;a=b', '1;', '000000001', 'g', '100000000'];
const oddLasts = [
  '00\r\n\r\n',
  '0\r\nA: b\r\n\r\n',
  '0;a\r\n\r\n',
  '0\n\n',
  '0\r\n',
  '',
  '0\r\n\n',
];
const space = ['', ' ', ' ', ' ', '\t', '  \t'];

/** @param {import('../property/random').Random} random */
function anyText(random, count) {
  return String.fromCharCode(...random.list(count, () => random.below(256)));
}

/** A text with the casing of some letters changed. */
function recase(random, text) {
  if (!random.oneIn(4)) return text;
  return text.replace(/[a-z]/gi, (letter) =>
    random.oneIn(2) ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** A request; each of its parts is an odd one once in `oddity` times. */
function request(random, oddity) {
  const isOdd = () => random.oneIn(oddity);
  const end = () => (isOdd() && random.oneIn(3) ? random.pick(oddEnds) : '\r\n');
  const line = (name, value) => {
    const odd = isOdd() && random.oneIn(3);
    const colon = odd ? random.pick([' :', '\t:', '', '::', ': :']) : ':';
    return `${recase(random, name)}${colon}${random.pick(space)}${value}${end()}`;
  };

  const someMethod = random.oneIn(3) ? random.pick(METHODS) : random.pick(['GET', 'POST']);
  const method = isOdd() ? random.pick(['get', 'GETS', 'PRI', 'PLAY', '', 'A']) : someMethod;
  const someTarget = random.oneIn(4) ? `/${random.list(9, () => random.pick(token)).join('')}` : '';
  const target = isOdd() ? random.pick(oddTargets) : someTarget || random.pick(targets);
  const version = isOdd() ? random.pick(oddVersions) : 'HTTP/1.1';

  const lines = random.list(random.below(random.oneIn(20) ? 70 : 6), () => {
    const name = random.oneIn(4)
      ? random.list(1 + random.below(18), () => random.pick(token)).join('')
      : random.pick(plain);
    const odd = isOdd() && random.oneIn(3);
    const value = odd ? random.pick(oddValues) : random.pick(values) + random.pick(space);
    return line(name, value);
  });
  if (random.oneIn(3)) {
    const value = isOdd() ? random.pick(oddConnections) : random.pick(connections);
    lines.push(line('Connection', value));
  }
  if (isOdd()) lines.push(line(random.pick(special), random.pick(['chunked', 'close', '3', 'a'])));
  if (isOdd() && random.oneIn(8)) lines.push(line('Long', 'a'.repeat(16_000 + random.below(700))));
  if (isOdd() && random.oneIn(8)) lines.push('a:\r\n'.repeat(990 + random.below(20)));

  const data = () => anyText(random, random.below(40));
  const framing = random.weighted([
    [3, 'none'],
    [2, 'length'],
    [3, 'chunked'],
  ]);
  let body = '';
  if (framing === 'length') {
    body = data();
    const length = `${random.oneIn(8) ? '00' : ''}${body.length}`;
    lines.push(line('Content-Length', isOdd() ? random.pick(oddLengths) : length));
  } else if (framing === 'chunked') {
    lines.push(
      line('Transfer-Encoding', isOdd() ? random.pick(oddCodings) : recase(random, 'chunked')),
    );
    const chunks = random.list(random.below(4), () => {
      const bytes = data() || 'a';
      const zeros = random.oneIn(8) ? '00' : '';
      const size = zeros + recase(random, bytes.length.toString(16));
      return `${isOdd() ? random.pick(oddSizes) : size}${end()}${bytes}${end()}`;
    });
    body = chunks.join('') + (isOdd() ? random.pick(oddLasts) : '0\r\n\r\n');
  }
  const order = lines.map((text) => ({ text, key: random.next() })).sort((a, b) => a.key - b.key);
  const fields = order.map(({ text }) => text).join('');
  const before = isOdd() && random.oneIn(3) ? random.pick(['\r\n', '\n', ' ', '\r\n\r\n']) : '';
  const gap = isOdd() && random.oneIn(3) ? random.pick(['', '  ', '\t']) : ' ';
  return `${before}${method}${gap}${target} ${version}${end()}${fields}${end()}${body}`;
}

/** Some text with a byte or a few changed. */
function mutate(random, text) {
  const at = random.below(text.length + 1);
  const count = 1 + random.below(6);
  const piece = random.weighted([
    [2, anyText(random, 1)],
    [3, random.pick(['\r', '\n', '\r\n', ' ', '\t', '\0', ':', ',', ';', '0', '1', '#', '?', 'a'])],
    [1, random.pick(['Content-Length: 3\r\n', 'Transfer-Encoding: chunked\r\n', '\r\n\r\n'])],
  ]);
  const [start, end] = [text.slice(0, at), text.slice(at)];
  return random.weighted([
    [3, start + piece + end],
    [3, start + piece + end.slice(piece.length)],
    [2, start + end.slice(count)],
    [1, start + end.slice(0, count) + end],
    [1, start],
  ]);
}

/**
 * An input, not empty, with what follows the request if anything does.
 * @param {import('../property/random').Random} random
 * @returns {Buffer}
 */
function draw(random) {
  const never = Infinity;
  let text = random.weighted([
    [5, () => request(random, never)],
    [5, () => request(random, 12)],
    [
      6,
      () => {
        let mutated = request(random, never);
        for (let i = random.below(3); i >= 0; i--) mutated = mutate(random, mutated);
        return mutated;
      },
    ],
    [1, () => anyText(random, 1 + random.below(60))],
  ])();
  text += random.weighted([
    [2, () => ''],
    [1, () => request(random, 12)],
    [1, () => anyText(random, random.below(20))],
  ])();
  return Buffer.from(text === '' ? '\r\n' : text, 'latin1');
}

module.exports = { draw };
