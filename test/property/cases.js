'use strict';

// What a response may go through, drawn from a seed: a request, and steps that the handler takes.

const { listener, wrapped, wrappedLate } = require('./middleware');
const { Random } = require('./random');
const { CALLBACK, act, call, set, show } = require('./steps');
const {
  anyBody,
  anyEncoding,
  anyName,
  anyValue,
  body,
  plainEncoding,
  plainName,
  plainValue,
} = require('./values');

// ---- steps of ordinary programs

function plainFields(random) {
  const count = random.weighted([
    [2, 0],
    [6, 1 + random.below(3)],
    [2, 4 + random.below(8)],
  ]);
  return random.list(count, () => {
    const name = plainName(random);
    return [name, plainValue(random, name)];
  });
}

/** The same fields in each form that writeHead() takes. */
function headerArgument(random, fields) {
  return random.weighted([
    [4, () => Object.fromEntries(fields)],
    [3, () => fields.flat(1)],
    [1, () => fields.map(([name, value]) => [name, value])],
  ])();
}

const STATUSES = [
  [30, 200],
  [2, 201],
  [2, 301],
  [4, 404],
  [2, 500],
  [2, 204],
  [2, 304],
  [1, 299],
  [1, 999],
  [1, 150],
];

const lengthOf = (chunk, encoding) =>
  chunk === undefined ? 0 : Buffer.byteLength(chunk, encoding);

function endArguments(random, chunk, encoding) {
  if (chunk === undefined) {
    return random.pick([
      [],
      [],
      [CALLBACK],
      [undefined],
      [null],
      [null, null, CALLBACK],
      [undefined, CALLBACK],
    ]);
  }
  if (encoding !== undefined)
    return random.oneIn(3) ? [chunk, encoding, CALLBACK] : [chunk, encoding];
  return random.pick([
    [chunk],
    [chunk],
    [chunk],
    [chunk, CALLBACK],
    [chunk, null, CALLBACK],
    [chunk, undefined],
  ]);
}

function plainSteps(random) {
  const fields = plainFields(random);
  const chunk = body(random);
  const encoding = typeof chunk === 'string' ? plainEncoding(random) : undefined;
  const status = random.weighted(STATUSES);
  random.weighted([
    [6, () => {}],
    [
      2,
      () =>
        fields.push([random.pick(['Content-Length', 'content-length']), lengthOf(chunk, encoding)]),
    ],
    [1, () => fields.push(['Content-Length', String(lengthOf(chunk, encoding))])],
    [1, () => fields.push(['Transfer-Encoding', random.pick(['chunked', 'chunked;foo=bar'])])],
    [1, () => fields.push(['Connection', random.pick(['close', 'keep-alive'])])],
  ])();
  const head = random.weighted([
    [
      4,
      () => [
        ...fields.map(([name, value]) => call('setHeader', name, value)),
        set('statusCode', status),
      ],
    ],
    [2, () => fields.map(([name, value]) => call('setHeader', name, value))],
    [4, () => [call('writeHead', status, headerArgument(random, fields))]],
    [1, () => [call('writeHead', status, 'Some Reason', headerArgument(random, fields))]],
    [
      1,
      () => {
        const split = random.below(fields.length + 1);
        return [
          ...fields.slice(0, split).map(([name, value]) => call('setHeader', name, value)),
          call('writeHead', status, headerArgument(random, fields.slice(split))),
        ];
      },
    ],
    [1, () => [call('setHeaders', new Map(fields)), call('writeHead', status)]],
  ])();
  const end = call('end', ...endArguments(random, chunk, encoding));
  const wait = random.oneIn(5) ? [someWait(random)] : [];
  return random.oneIn(8) ? [...wait, ...head, end] : [...head, ...wait, end];
}

// ---- steps that few programs take

function oddHeaders(random) {
  const fields = random.list(random.below(5), () => {
    const name = anyName(random);
    return [name, anyValue(random, name)];
  });
  return random.weighted([
    [4, () => Object.fromEntries(fields)],
    [4, () => fields.flat(1)],
    [2, () => fields],
    [1, () => Object.assign(Object.create({ 'X-Inherited': '1' }), Object.fromEntries(fields))],
    [1, () => Object.assign(Object.create(null), Object.fromEntries(fields))],
    [1, () => [...fields.flat(1), 'X-Odd']],
    [1, () => new Map(fields)],
    [
      1,
      () =>
        random.pick([null, undefined, 'text', 5, [], {}, [[]], [['X-A']], [['X-A', '1'], 'X-B']]),
    ],
  ])();
}

const ODD_STATUSES = [
  99,
  1000,
  '200',
  '404',
  200.7,
  NaN,
  undefined,
  null,
  'x',
  -1,
  100,
  101,
  103,
  205,
  2 ** 32 + 200,
];
const ODD_REASONS = [
  '',
  'Fine',
  'caf\u00e9',
  '\u0141',
  '\u010a',
  'a\r\nX: 1',
  'a\0',
  'tab\there',
  '\x7f',
  5,
  null,
  undefined,
];

const RESPONSE_FIELDS = {
  statusCode: ODD_STATUSES,
  statusMessage: ODD_REASONS,
  sendDate: [false, true, 0, 'yes'],
  shouldKeepAlive: [false, true, 0],
  strictContentLength: [true, false],
  chunkedEncoding: [true, false],
  useChunkedEncodingByDefault: [false, true],
  maxRequestsOnConnectionReached: [true, false],
  _keepAliveTimeout: [0, 999, 1000, 1500, 72500.5, '5000', 1e15, Infinity, -1000, NaN, undefined],
  _maxRequestsPerSocket: [0, 1, 7, '7', 2.5, -1, 2 ** 31, 2 ** 32 + 5, NaN, null],
  _defaultKeepAlive: [false],
  _removedConnection: [true],
  _removedContLen: [true],
  _removedTE: [true],
  _contentLength: [null, 3, '3', 0, -1, 2 ** 53, 1.5, 4294967296],
  _hasBody: [false, true],
  _last: [true, false],
};

/** A getter that counts, in headers for writeHead(): how often it runs shows. */
function countedGetter(random) {
  const flat = random.oneIn(2);
  const name = plainName(random);
  const other = anyValue(random, 'X-After');
  return act(
    `res.writeHead(200, ${flat ? 'flat array' : 'object'} with a getter, then ${show(other)})`,
    (res, note) => {
      const get = () => {
        note('getter', 'called');
        return 'got';
      };
      const headers = flat ? [name, '', 'X-After', other] : { [name]: '', 'X-After': other };
      Object.defineProperty(headers, flat ? 1 : name, {
        get,
        enumerable: true,
        configurable: true,
      });
      return res.writeHead(200, headers);
    },
  );
}

function countedText(random) {
  const way = random.pick(['setHeader', 'writeHead']);
  return act(`res.${way}() with an object whose toString counts`, (res, note) => {
    let count = 0;
    const value = { toString: () => `call ${note('toString', ++count) ?? count}` };
    return way === 'setHeader' ? res.setHeader('X-T', value) : res.writeHead(200, { 'X-T': value });
  });
}

/** An array that is changed after it was given. */
function mutatedArray(random) {
  const late = random.pick(['plain', 'a\r\nX-Evil: 1', '\u010a', '\u0141', '\u00e9', 7, null]);
  const array = ['first'];
  const name = random.pick(['X-A', 'Set-Cookie', 'Cookie']);
  return [
    call('setHeader', name, array),
    act(`that array gets ${show(late)} added`, () => {
      array.push(late);
    }),
  ];
}

function mutatedHeaders() {
  const headers = ['X-A', 'before', 'X-B', ['b']];
  return [
    act(`res.writeHead(200, ${show(headers)})`, (res) => res.writeHead(200, headers)),
    act('that array and its values are changed', () => {
      headers[1] = 'after\r\n';
      headers[3].push('after');
    }),
  ];
}

const EARLY_HINTS = { link: '</style.css>; rel=preload; as=style' };

/** A step, or several, of any kind. */
function oddSteps(random) {
  return random.weighted([
    [
      8,
      () => {
        const name = anyName(random);
        return call(
          random.pick(['setHeader', 'setHeader', 'appendHeader']),
          name,
          anyValue(random, name),
        );
      },
    ],
    [3, () => call('removeHeader', anyName(random))],
    [
      1,
      () => {
        const fields = random.list(random.below(3), () => [anyName(random), 'text']);
        return call(
          'setHeaders',
          random.pick([
            new Map(fields),
            new Headers([
              ['x-h', '1'],
              ['set-cookie', 'a'],
              ['set-cookie', 'b'],
            ]),
            fields,
            null,
          ]),
        );
      },
    ],
    [
      5,
      () => {
        const status = random.oneIn(2) ? 200 : random.pick(ODD_STATUSES);
        return random.weighted([
          [5, () => call('writeHead', status, oddHeaders(random))],
          [2, () => call('writeHead', status, random.pick(ODD_REASONS), oddHeaders(random))],
          [1, () => call('writeHead', status, random.pick(ODD_REASONS))],
          [1, () => call('writeHead', status)],
        ])();
      },
    ],
    [
      6,
      () => {
        const name = random.pick(Object.keys(RESPONSE_FIELDS));
        return set(name, random.pick(RESPONSE_FIELDS[name]));
      },
    ],
    [
      1,
      () => [
        set('_contentLength', random.pick([4294967296, 2 ** 53 - 1, 5])),
        call('writeHead', 200),
      ],
    ],
    [1, () => call('flushHeaders')],
    [
      2,
      () =>
        call('write', anyBody(random), anyEncoding(random), ...(random.oneIn(2) ? [CALLBACK] : [])),
    ],
    [1, () => call('write', '')],
    [
      1,
      () =>
        call(
          'addTrailers',
          random.pick([{ 'X-T': '1' }, [['X-T', '1']], { 'X-T': 'a\n' }, { 'a b': '1' }]),
        ),
    ],
    [1, () => call('cork')],
    [1, () => call('uncork')],
    [1, () => call('writeContinue', CALLBACK)],
    [1, () => call('writeProcessing')],
    [1, () => call('writeEarlyHints', EARLY_HINTS)],
    [1, () => countedGetter(random)],
    [1, () => countedText(random)],
    [1, () => mutatedArray(random)],
    [1, () => mutatedHeaders()],
    [2, () => wrapped(random)],
    [1, () => wrappedLate(random)],
    [2, () => listener(random)],
    [1, () => someWait(random)],
    [
      1,
      () =>
        set('_header', random.pick([null, '', 'HTTP/1.1 200 Own\r\nContent-Length: 3\r\n\r\n'])),
    ],
    [
      1,
      () =>
        act('_header is replaced in its text', (res) => {
          res._header &&= res._header.replace('\r\n', '\r\nX-Added: 1\r\n');
        }),
    ],
    [1, () => act('res.socket.cork()', (res) => res.socket?.cork())],
    [1, () => act('res.socket.uncork()', (res) => res.socket?.uncork())],
    [1, () => act("res.socket.write('raw')", (res) => res.socket?.write('raw'))],
    [
      1,
      () =>
        act(
          'a listener of newListener',
          (res, note) => void res.on('newListener', (name) => note('newListener', name)),
        ),
    ],
    [
      1,
      () =>
        act('the headers are looked at', (res, note) =>
          note('headers', [res.getHeaders(), res.getHeaderNames()]),
        ),
    ],
  ])();
}

const WAITS = ['tick', 'microtask', 'immediate'];

function someWait(random) {
  const wait = random.pick(WAITS);
  return { text: `wait for ${wait}`, wait, run: () => {} };
}

/** Any call that may end the response. */
function anyEnd(random) {
  if (random.oneIn(2))
    return call('end', ...endArguments(random, body(random), plainEncoding(random)));
  if (random.oneIn(20)) return call('end', '616263e9', 'hex');
  const args = [anyBody(random), anyEncoding(random), random.pick([CALLBACK, undefined, 5])];
  return call('end', ...args.slice(0, random.below(4)));
}

function mixedSteps(random) {
  const steps = plainSteps(random);
  for (let more = 1 + random.below(3); more > 0; more--) {
    const at = random.oneIn(6) ? steps.length : random.below(steps.length);
    steps.splice(at, 0, ...[oddSteps(random)].flat());
  }
  if (random.oneIn(6)) steps.push(anyEnd(random));
  return steps;
}

function wildSteps(random) {
  const steps = random.list(random.below(8), () => oddSteps(random)).flat();
  for (
    let ends = random.weighted([
      [1, 0],
      [8, 1],
      [2, 2],
    ]);
    ends > 0;
    ends--
  ) {
    steps.splice(
      random.oneIn(4) ? random.below(steps.length + 1) : steps.length,
      0,
      anyEnd(random),
    );
  }
  return steps;
}

function someRequest(random) {
  const method = random.weighted([
    [16, 'GET'],
    [2, 'HEAD'],
    [1, 'POST'],
  ]);
  const version = random.oneIn(12) ? '1.0' : '1.1';
  const connection = random.weighted([
    [12, undefined],
    [1, 'close'],
    [1, 'keep-alive'],
  ]);
  return { method, version, connection, body: method === 'POST' ? 'posted' : undefined };
}

function someCase(random) {
  const make = random.weighted([
    [65, plainSteps],
    [22, mixedSteps],
    [13, wildSteps],
  ]);
  return {
    request: someRequest(random),
    /** How much is looked at between the steps; looking may itself change what happens. */
    looks: random.weighted([
      [6, 'at the end'],
      [2, 'at headersSent'],
      [2, 'at all'],
    ]),
    steps: make(random),
  };
}

/** Ids of groups that have nothing else under way beside them start so. */
const ALONE = 'alone';

/**
 * The cases of one group, whose requests go out in one write: mostly a single one.
 * @param {string} seed
 * @param {string} id of the group
 */
function group(seed, id) {
  const random = new Random(`${seed} ${id}`);
  const count = random.oneIn(25) ? 2 + random.below(3) : 1;
  random.alone = id.startsWith(ALONE);
  random.pipelined = count > 1;
  return random.list(count, () => someCase(random));
}

/** A group as text. */
function describe(cases) {
  return cases
    .map(({ request, looks, steps }, place) => {
      const lines = steps.map(({ text }) => `  ${text}`);
      return `case ${place}: ${show(request)}, looking ${looks}\n${lines.join('\n')}`;
    })
    .join('\n');
}

module.exports = { ALONE, group, describe };
