'use strict';

// buildHttpMessage beside stock ServerResponse: drawn calls, the oracle, and the table of all that
// the two do not agree on.

const http = require('node:http');
const { Writable } = require('node:stream');
const { anyName, anyValue, body, plainName, plainValue } = require('./values');

/**
 * What stock Node sends for the arguments of buildHttpMessage.
 * @returns {{ bytes: Buffer } | { code: string }}
 */
function stockMessage(status, headers, content, options = {}) {
  const { statusMessage, date = true, keepAlive = 0, maxRequests, omitBody, encoding } = options;
  const method = omitBody ? 'HEAD' : 'GET';
  const res = new http.ServerResponse({ method, httpVersionMajor: 1, httpVersionMinor: 1 });
  res.sendDate = date;
  res.shouldKeepAlive = keepAlive !== false;
  res._keepAliveTimeout = 1000 * keepAlive;
  res._maxRequestsPerSocket = maxRequests;
  // An implicit head, so that the length of the body is known, with the fields as they were given.
  res.writeHead = function () {
    const args = statusMessage === undefined ? [] : [statusMessage];
    return http.ServerResponse.prototype.writeHead.call(this, status, ...args, headers);
  };
  const pieces = [];
  const socket = new Writable({
    highWaterMark: 1 << 24,
    decodeStrings: true,
    write(chunk, _encoding, done) {
      pieces.push(chunk);
      done();
    },
  });
  res.assignSocket(socket);
  try {
    res.end(content, encoding);
  } catch (error) {
    return { code: error.code ?? error.name };
  }
  return { bytes: Buffer.concat(pieces) };
}

const textOf = (value) => (typeof value === 'string' ? value : String(value));

/** Values of a field, in any casing of its name. */
function valuesOf(headers, name) {
  const values = [];
  for (let i = 0; i < headers.length; i += 2) {
    if (textOf(headers[i]).toLowerCase() === name) values.push(headers[i + 1]);
  }
  return values;
}

const isBodiless = (status) => status < 200 || status === 204 || status === 304;

/** How many bytes of body the message carries. */
function carried({ status, content, options }) {
  if (content === undefined || isBodiless(status) || options?.omitBody) return 0;
  return Buffer.byteLength(content, options?.encoding);
}

const hasLatin1 = (text) => typeof text === 'string' && /[\x80-\xff]/.test(text);

/**
 * The divergences: what a call must look like, and what the builder does then: a code that it
 * throws, or a message. The first that applies counts.
 */
const DIVERGENCES = [
  {
    name: 'a status that is no integer is refused, and not converted',
    applies: ({ status }) => !Number.isInteger(status),
    code: 'ERR_HTTP_INVALID_STATUS_CODE',
    samples: [{ status: '200' }, { status: 200.5 }, { status: [404] }],
  },
  {
    name: 'a value that is neither a string nor a number is refused, and not converted',
    applies: ({ headers }) =>
      headers.some(
        (value, i) => i % 2 === 1 && typeof value !== 'string' && typeof value !== 'number',
      ),
    code: 'ERR_INVALID_ARG_TYPE',
    samples: [
      { headers: ['X-A', true] },
      { headers: ['X-A', null] },
      { headers: ['X-A', undefined] },
      { headers: ['X-A', ['a', 'b']] },
      { headers: ['X-A', 1n] },
      { headers: ['X-A', new Date(0)] },
    ],
  },
  {
    name: 'Content-Length beside Transfer-Encoding is refused',
    applies: ({ headers }) =>
      valuesOf(headers, 'content-length').length > 0 &&
      valuesOf(headers, 'transfer-encoding').length > 0,
    code: 'ERR_INVALID_ARG_VALUE',
    samples: [
      { headers: ['Content-Length', 1, 'Transfer-Encoding', 'chunked'], content: 'x' },
      { headers: ['transfer-encoding', 'gzip', 'CONTENT-LENGTH', '1'], content: 'x' },
      {
        headers: ['Content-Length', 1, 'Transfer-Encoding', 'chunked'],
        options: { omitBody: true },
      },
    ],
  },
  {
    name: 'a Content-Length that is not the length of the body is refused',
    applies: (call) => {
      const given = valuesOf(call.headers, 'content-length').map(textOf);
      if (call.options?.omitBody || call.status === 304) return false;
      return given.some((text) => !/^[0-9]+$/.test(text) || BigInt(text) !== BigInt(carried(call)));
    },
    code: 'ERR_HTTP_CONTENT_LENGTH_MISMATCH',
    samples: [
      { headers: ['Content-Length', 2], content: 'x' },
      { headers: ['Content-Length', '1e0'], content: 'x' },
      { headers: ['Content-Length', ' 1'], content: 'x' },
      { headers: ['Content-Length', 1, 'content-length', 2], content: 'x' },
      { status: 204, headers: ['Content-Length', 1], content: 'x' },
      { status: 150, headers: ['Content-Length', 1], content: 'x' },
      { headers: ['Content-Length', 1] },
    ],
  },
  {
    name: 'latin1 in Content-Disposition is sent as it is, and not decoded as UTF-8 and then refused',
    applies: ({ headers }) => valuesOf(headers, 'content-disposition').some(hasLatin1),
    message: rightMessage,
    samples: [
      { headers: ['Content-Disposition', 'attachment; filename="caf\u00e9"'], content: 'x' },
      {
        headers: ['content-disposition', '\u00ff', 'Content-Length', 1],
        content: Buffer.from('x'),
      },
    ],
  },
  {
    name: 'latin1 in the head is sent as latin1 beside a text body too, and not as UTF-8',
    applies: ({ headers, options }) =>
      headers.some((text, i) => i % 2 === 1 && hasLatin1(text)) ||
      hasLatin1(options?.statusMessage),
    message: rightMessage,
    samples: [
      { headers: ['X-A', 'caf\u00e9'], content: 'x' },
      { headers: ['X-A', '\u0080\u00ff'], content: 'caf\u00e9' },
      { headers: ['X-A', '\u00e9'] },
      { headers: ['X-A', '\u00e9'], content: Buffer.from('x') },
      { headers: ['X-A', '\u00e9', 'Transfer-Encoding', 'chunked'], content: 'x' },
      { options: { statusMessage: '\u00e9' }, content: 'x' },
    ],
  },
];

// Stands for a latin1 character while stock Node renders the message.
const HIDDEN = 'latin1-character-';

/** The message as stock Node frames it, and with its latin1 characters as they are. */
function rightMessage(call) {
  const hide = (text) =>
    typeof text === 'string'
      ? text.replace(/[\x80-\xff]/g, (c) => `${HIDDEN}${c.charCodeAt(0).toString(16)}`)
      : text;
  const options = { ...call.options, statusMessage: hide(call.options?.statusMessage) };
  const message = stockMessage(
    call.status,
    call.headers.map((text, i) => (i % 2 === 1 ? hide(text) : text)),
    call.content,
    options,
  );
  if (message.code !== undefined) return message;
  const end = message.bytes.indexOf('\r\n\r\n') + 4;
  const head = message.bytes
    .toString('latin1', 0, end)
    .replace(new RegExp(`${HIDDEN}(..)`, 'g'), (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  return { bytes: Buffer.concat([Buffer.from(head, 'latin1'), message.bytes.subarray(end)]) };
}

const FRAMING = [
  ({ length }) => ['Content-Length', length],
  ({ length }) => ['content-length', String(length)],
  ({ length }) => ['Content-Length', length + 1],
  ({ length }) => ['Content-Length', `${length}.0`],
  () => ['Transfer-Encoding', 'chunked'],
  () => ['transfer-encoding', 'gzip, Chunked'],
  () => ['Transfer-Encoding', 'chunked;foo=bar'],
  () => ['Transfer-Encoding', 'xchunked'],
  () => ['Trailer', 'X-T'],
  () => ['Trailer', 'X-T', 'Transfer-Encoding', 'chunked'],
  () => ['Connection', 'close'],
  () => ['connection', 'keep-alive'],
  () => ['Keep-Alive', 'timeout=9'],
  () => ['Date', 'now'],
  () => ['X-Latin1', 'caf\u00e9'],
  () => ['Content-Disposition', 'attachment; filename="caf\u00e9"'],
];

function someOptions(random) {
  const options = {};
  if (random.oneIn(3)) {
    options.statusMessage = random.pick(['Fine', '', 'tab\there', '~', 'caf\u00e9']);
  }
  if (random.oneIn(3)) options.date = random.oneIn(2);
  if (random.oneIn(2))
    options.keepAlive = random.pick([false, 0, 0.5, 1, 5, 72.9, 1e6, 2 ** 40, undefined]);
  if (random.oneIn(3)) options.maxRequests = random.pick([0, 1, 100, 2 ** 31 - 1, undefined]);
  if (random.oneIn(5)) options.omitBody = random.oneIn(2);
  if (random.oneIn(4)) options.encoding = random.pick(['utf8', 'latin1', undefined]);
  return options;
}

/** The arguments of one call; at most one of them is wrong in itself. */
function someCall(random) {
  const content = body(random);
  const options = someOptions(random);
  const length = content === undefined ? 0 : Buffer.byteLength(content, options?.encoding);
  const headers = random
    .list(random.below(7), () => {
      const name = plainName(random);
      return [name, plainValue(random, name === 'Set-Cookie' ? 'X' : name)];
    })
    .flat();
  // One fault hides another, and which comes first is nobody's promise.
  const fault = random.weighted([
    [90, 'none'],
    [4, 'field'],
    [2, 'status'],
    [2, 'reason'],
    [1, 'count'],
  ]);
  const place = () => 2 * random.below(headers.length / 2 + 1);
  if (random.oneIn(2)) headers.splice(place(), 0, ...random.pick(FRAMING)({ length }));
  if (random.oneIn(6)) headers.splice(place(), 0, ...random.pick(FRAMING)({ length }));
  if (fault === 'field') {
    const name = random.oneIn(2) ? 'X-Fault' : anyName(random);
    const value = name === 'X-Fault' ? anyValue(random, name) : 'text';
    headers.splice(place(), 0, name, Array.isArray(value) ? value[0] : value);
  }
  if (fault === 'count') headers.push('X-Odd');
  if (fault === 'reason')
    options.statusMessage = random.pick(['a\r\nX: 1', '\u0141', '\0', '\x7f']);
  const status =
    fault === 'status'
      ? random.pick([99, 1000, -1, 0, '200', 200.5, Number.NaN])
      : random.weighted([
          [20, 200],
          [4, random.pick([204, 304])],
          [2, 100 + random.below(900)],
        ]);
  return { status, headers, content, options };
}

module.exports = { someCall, stockMessage, DIVERGENCES };
