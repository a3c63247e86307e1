'use strict';

// buildHttpMessage: exact bytes, refusals, and memory that is nobody else's.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const http = require('node:http');
const path = require('node:path');
const { describe, test } = require('node:test');
const { setTimeout } = require('node:timers/promises');
const { types } = require('node:util');
const vm = require('node:vm');

const { buildHttpMessage } = require('..');

const DATE = /\r\nDate: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n/;

/** A message as text, one character a byte, its Date masked. */
function text(...args) {
  const message = buildHttpMessage(...args);
  assert.ok(Buffer.isBuffer(message));
  return message.toString('latin1').replace(DATE, '\r\nDate: <date>\r\n');
}

/** A head of these lines and the body behind it. */
const message = (lines, body = '') => `${lines.join('\r\n')}\r\n\r\n${body}`;

const OK = 'HTTP/1.1 200 OK';
const DATED = 'Date: <date>';
const KEEP = 'Connection: keep-alive';
const CLOSE = 'Connection: close';
const CHUNKED = 'Transfer-Encoding: chunked';
const length = (count) => `Content-Length: ${count}`;

/** The bytes of an array, which may have lost its memory. */
const copyOf = (bytes) => Buffer.from(Array.from({ length: bytes.length }, (_, i) => bytes[i]));

/** What a call throws, as a plain object. */
function failure(action) {
  try {
    action();
  } catch (error) {
    const { name, code, message: words } = error;
    return { name, code, message: words, type: error.constructor };
  }
  assert.fail('nothing was thrown');
}

const refused = (...args) => failure(() => buildHttpMessage(...args));

/** Fails unless the builder throws that code, and leaves the next message alone. */
function assertRefused(code, ...args) {
  assert.equal(refused(...args).code, code);
  assert.equal(text(200, ['A', 'b'], 'c'), message([OK, 'A: b', DATED, KEEP, length(1)], 'c'));
}

describe('framing', () => {
  test('a body without a length gets one, behind all other fields', () => {
    assert.equal(
      text(200, ['Content-Type', 'text/plain', 'x-lower', 'kept'], 'body'),
      message([OK, 'Content-Type: text/plain', 'x-lower: kept', DATED, KEEP, length(4)], 'body'),
    );
  });

  test('no body is a body of length 0', () => {
    for (const body of [undefined, null, '', Buffer.alloc(0), new Uint8Array(0)]) {
      assert.equal(text(200, [], body), message([OK, DATED, KEEP, length(0)]));
    }
    assert.equal(text(200, []), message([OK, DATED, KEEP, length(0)]));
  });

  test('order, casing and repeats of the fields are kept', () => {
    const headers = [
      'b',
      '1',
      'A',
      '2',
      'B',
      '3',
      'a',
      '4',
      'b',
      '1',
      'Set-Cookie',
      'x',
      'set-cookie',
      'y',
    ];
    const lines = ['b: 1', 'A: 2', 'B: 3', 'a: 4', 'b: 1', 'Set-Cookie: x', 'set-cookie: y'];
    assert.equal(text(200, headers, 'x'), message([OK, ...lines, DATED, KEEP, length(1)], 'x'));
  });

  test('a given length is taken, in any casing, as a number or as text', () => {
    for (const name of ['Content-Length', 'content-length', 'CONTENT-LENGTH']) {
      for (const value of [4, '4', '0004']) {
        assert.equal(
          text(200, [name, value, 'X', 'y'], 'body'),
          message([OK, `${name}: ${value}`, 'X: y', DATED, KEEP], 'body'),
        );
      }
    }
  });

  test('a repeated length that agrees is taken', () => {
    assert.equal(
      text(200, ['Content-Length', 1, 'content-length', '1'], 'x'),
      message([OK, 'Content-Length: 1', 'content-length: 1', DATED, KEEP], 'x'),
    );
  });

  test('a chunked body is one chunk and the last chunk', () => {
    for (const value of [
      'chunked',
      'Chunked',
      'gzip, chunked',
      'chunked;foo=bar',
      'chunked ; a',
      'x,chunked,y',
    ]) {
      for (const body of ['0123456789', Buffer.from('0123456789')]) {
        assert.equal(
          text(200, ['Transfer-Encoding', value], body),
          message([OK, `Transfer-Encoding: ${value}`, DATED, KEEP], 'a\r\n0123456789\r\n0\r\n\r\n'),
        );
      }
    }
  });

  test('an empty chunked body is the last chunk alone', () => {
    for (const body of [undefined, null, '', Buffer.alloc(0)]) {
      for (const value of ['chunked', 'chunked;foo=bar']) {
        assert.equal(
          text(200, ['transfer-encoding', value], body),
          message([OK, `transfer-encoding: ${value}`, DATED, KEEP], '0\r\n\r\n'),
        );
      }
    }
  });

  test('the size of a chunk is lower-case hexadecimal, in bytes', () => {
    for (const [body, size] of [
      ['x'.repeat(15), 'f'],
      ['x'.repeat(16), '10'],
      ['x'.repeat(255), 'ff'],
      ['x'.repeat(48_879), 'beef'],
      ['\u00e9', '2'],
      ['\u{1f600}', '4'],
    ]) {
      const framed = `${size}\r\n${Buffer.from(body).toString('latin1')}\r\n0\r\n\r\n`;
      assert.equal(
        text(200, ['Transfer-Encoding', 'chunked'], body),
        message([OK, CHUNKED, DATED, KEEP], framed),
      );
    }
  });

  test('a transfer coding that is not chunked frames nothing', () => {
    for (const value of ['gzip', 'xchunked', 'chunkedx', 'chunk_ed', '_chunked', '']) {
      assert.equal(
        text(200, ['Transfer-Encoding', value], 'body'),
        message([OK, `Transfer-Encoding: ${value}`, DATED, KEEP], 'body'),
      );
    }
  });

  test('chunked may stand in a second Transfer-Encoding field', () => {
    assert.equal(
      text(200, ['Transfer-Encoding', 'gzip', 'Transfer-Encoding', 'chunked'], 'x'),
      message([OK, 'Transfer-Encoding: gzip', CHUNKED, DATED, KEEP], '1\r\nx\r\n0\r\n\r\n'),
    );
  });

  test('Trailer keeps chunked framing', () => {
    assert.equal(
      text(200, ['Trailer', 'X-T'], 'x'),
      message([OK, 'Trailer: X-T', DATED, KEEP, CHUNKED], '1\r\nx\r\n0\r\n\r\n'),
    );
    assert.equal(
      text(200, ['trailer', 'X-T', 'Transfer-Encoding', 'chunked']),
      message([OK, 'trailer: X-T', CHUNKED, DATED, KEEP], '0\r\n\r\n'),
    );
  });

  test('1xx, 204 and 304 carry no body and get no length', () => {
    for (const [status, phrase] of [
      [100, 'Continue'],
      [103, 'Early Hints'],
      [199, 'unknown'],
      [204, 'No Content'],
      [304, 'Not Modified'],
    ]) {
      for (const body of [undefined, 'body', Buffer.from('body')]) {
        assert.equal(
          text(status, ['X', 'y'], body),
          message([`HTTP/1.1 ${status} ${phrase}`, 'X: y', DATED, KEEP]),
        );
      }
    }
  });

  test('a chunked 204 or 304 closes the connection, and a chunked 1xx does not', () => {
    for (const [status, phrase, connection] of [
      [204, 'No Content', CLOSE],
      [304, 'Not Modified', CLOSE],
      [103, 'Early Hints', KEEP],
    ]) {
      assert.equal(
        text(status, ['Transfer-Encoding', 'chunked'], 'body'),
        message([`HTTP/1.1 ${status} ${phrase}`, CHUNKED, DATED, connection]),
      );
    }
    assert.equal(
      text(304, ['Transfer-Encoding', 'chunked', 'Connection', 'keep-alive'], 'body'),
      message(['HTTP/1.1 304 Not Modified', CHUNKED, KEEP, DATED]),
    );
  });

  test('an answer to HEAD describes the body and carries none', () => {
    const options = { omitBody: true };
    for (const body of [undefined, 'body', Buffer.from('body')]) {
      assert.equal(text(200, [], body, options), message([OK, DATED, KEEP]));
      assert.equal(
        text(200, ['Content-Length', 4], body, options),
        message([OK, length(4), DATED, KEEP]),
      );
      assert.equal(
        text(200, ['Transfer-Encoding', 'chunked'], body, options),
        message([OK, CHUNKED, DATED, KEEP]),
      );
    }
  });

  test('lengths beyond 2^32 are carried exactly where they describe an absent body', () => {
    for (const value of [
      4294967295,
      4294967296,
      4294967297,
      Number.MAX_SAFE_INTEGER,
      '18446744073709551615',
      '18446744073709551616',
      '1'.repeat(100),
    ]) {
      assert.equal(
        text(200, ['Content-Length', value], undefined, { omitBody: true }),
        message([OK, length(value), DATED, KEEP]),
      );
      assert.equal(
        text(304, ['Content-Length', value]),
        message(['HTTP/1.1 304 Not Modified', length(value), DATED, KEEP]),
      );
    }
  });
});

describe('options', () => {
  test('statusMessage is the reason phrase, also an empty one', () => {
    for (const statusMessage of ['Fine', '', 'tab\there', '~ \u00e9\u00ff', 'x'.repeat(5000)]) {
      assert.equal(
        text(200, [], '', { statusMessage }),
        message([`HTTP/1.1 200 ${statusMessage}`, DATED, KEEP, length(0)]),
      );
    }
    assert.equal(text(299, []), message(['HTTP/1.1 299 unknown', DATED, KEEP, length(0)]));
    assert.equal(
      text(999, [], '', { statusMessage: undefined }),
      message(['HTTP/1.1 999 unknown', DATED, KEEP, length(0)]),
    );
  });

  test('every status of three digits has its phrase', () => {
    for (let status = 100; status <= 999; status++) {
      const [line] = text(status, []).split('\r\n', 1);
      assert.equal(line, `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? 'unknown'}`);
    }
  });

  test('date: false leaves Date out, and a given Date is never joined by another', () => {
    assert.equal(text(200, [], '', { date: false }), message([OK, KEEP, length(0)]));
    for (const name of ['Date', 'date', 'DATE']) {
      assert.equal(text(200, [name, 'now']), message([OK, `${name}: now`, KEEP, length(0)]));
    }
  });

  test('the date is that of now', async () => {
    // The second is renewed by a timer, as Node's is, which a busy loop keeps waiting.
    await setTimeout(5);
    const before = Math.floor(Date.now() / 1000);
    const [, date] = /Date: (.*)\r\n/.exec(buildHttpMessage(200, []).toString());
    const after = Date.now() / 1000;
    assert.equal(new Date(date).toUTCString(), date);
    const second = new Date(date).getTime() / 1000;
    assert.ok(before - 1 <= second && second <= after, `${before} ${second} ${after}`);
  });

  test('keepAlive is in seconds, rounded down', () => {
    for (const [keepAlive, seconds] of [
      [1, 1],
      [5, 5],
      [72.999, 72],
      [0.5, 0],
      [4294967296, 4294967296],
      [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ]) {
      assert.equal(
        text(200, [], '', { keepAlive }),
        message([OK, DATED, KEEP, `Keep-Alive: timeout=${seconds}`, length(0)]),
      );
    }
  });

  test('keepAlive of 0 or none gives no Keep-Alive field, and false closes', () => {
    for (const keepAlive of [0, -0, undefined]) {
      assert.equal(
        text(200, [], '', { keepAlive, maxRequests: 3 }),
        message([OK, DATED, KEEP, length(0)]),
      );
    }
    assert.equal(
      text(200, [], '', { keepAlive: false, maxRequests: 3 }),
      message([OK, DATED, CLOSE, length(0)]),
    );
  });

  test('maxRequests stands beside a timeout', () => {
    for (const [maxRequests, shown] of [
      [100, ', max=100'],
      [1, ', max=1'],
      [0, ''],
      [undefined, ''],
    ]) {
      assert.equal(
        text(200, [], '', { keepAlive: 5, maxRequests }),
        message([OK, DATED, KEEP, `Keep-Alive: timeout=5${shown}`, length(0)]),
      );
    }
  });

  test('a given Connection or Keep-Alive field is not joined by another', () => {
    const options = { keepAlive: 5 };
    assert.equal(
      text(200, ['connection', 'close'], '', options),
      message([OK, 'connection: close', DATED, length(0)]),
    );
    assert.equal(
      text(200, ['Connection', 'upgrade'], '', { keepAlive: false }),
      message([OK, 'Connection: upgrade', DATED, length(0)]),
    );
    assert.equal(
      text(200, ['keep-alive', 'timeout=9'], '', options),
      message([OK, 'keep-alive: timeout=9', DATED, KEEP, length(0)]),
    );
    assert.equal(
      text(200, ['Keep-Alive', 'timeout=9'], '', { keepAlive: false }),
      message([OK, 'Keep-Alive: timeout=9', DATED, CLOSE, length(0)]),
    );
  });

  test('encoding is that of a string body', () => {
    const body = 'caf\u00e9 \u010a\u{1f600}';
    for (const encoding of ['utf8', undefined]) {
      const bytes = Buffer.from(body, 'utf8');
      assert.equal(
        text(200, [], body, { encoding }),
        message([OK, DATED, KEEP, length(bytes.length)], bytes.toString('latin1')),
      );
    }
    const bytes = Buffer.from(body, 'latin1');
    assert.equal(
      text(200, [], body, { encoding: 'latin1' }),
      message([OK, DATED, KEEP, length(bytes.length)], bytes.toString('latin1')),
    );
    assert.equal(
      text(200, [], Buffer.from('\u00e9'), { encoding: 'latin1' }),
      message([OK, DATED, KEEP, length(2)], '\u00c3\u00a9'),
    );
  });

  test('lone surrogates leave as U+FFFD, as Buffer.from() writes them', () => {
    for (const body of ['\ud800', 'a\udc00b', '\udc00\ud800', '\ud83d\ude00\ud83d']) {
      const bytes = Buffer.from(body);
      assert.equal(
        text(200, [], body),
        message([OK, DATED, KEEP, length(bytes.length)], bytes.toString('latin1')),
      );
    }
  });
});

describe('field values', () => {
  test('latin1 leaves as latin1, beside a text body as beside bytes', () => {
    let all = '\t';
    for (let code = 0x20; code <= 0xff; code++) if (code !== 0x7f) all += String.fromCharCode(code);
    for (const body of ['caf\u00e9', Buffer.from('caf\u00e9'), undefined]) {
      const bytes = Buffer.from(body ?? '');
      assert.equal(
        text(200, ['X-All', all, 'Content-Disposition', 'attachment; filename="caf\u00e9"'], body),
        message(
          [
            OK,
            `X-All: ${all}`,
            'Content-Disposition: attachment; filename="caf\u00e9"',
            DATED,
            KEEP,
            length(bytes.length),
          ],
          bytes.toString('latin1'),
        ),
      );
    }
  });

  test('numbers are their texts', () => {
    for (const value of [
      0,
      -0,
      1.5,
      -7,
      NaN,
      Infinity,
      -Infinity,
      1e21,
      1e-7,
      0.1,
      2 ** 53,
      4294967296,
    ]) {
      assert.equal(text(200, ['X', value]), message([OK, `X: ${value}`, DATED, KEEP, length(0)]));
    }
  });

  test('an empty value and spaces at the ends are sent as they are', () => {
    assert.equal(
      text(200, ['A', '', 'B', ' b ', 'C', ' ']),
      message([OK, 'A: ', 'B:  b ', 'C:  ', DATED, KEEP, length(0)]),
    );
  });

  test('nothing in a value makes a field', () => {
    for (const value of [': ', 'a: b', '1,1', 'X: y; Z: w', '"', '\\r\\n', '%0d%0a']) {
      assert.equal(
        text(200, ['A', value, 'B', 'c']),
        message([OK, `A: ${value}`, 'B: c', DATED, KEEP, length(0)]),
      );
    }
  });

  test('5,000 fields, and 1 MiB in one', () => {
    const headers = [];
    const lines = [];
    for (let i = 0; i < 5000; i++) {
      headers.push(`X-Field-${i}`, i % 2 ? i : `value ${i}`);
      lines.push(`X-Field-${i}: ${i % 2 ? i : `value ${i}`}`);
    }
    assert.equal(text(200, headers, 'x'), message([OK, ...lines, DATED, KEEP, length(1)], 'x'));
    assert.equal(text(200, []), message([OK, DATED, KEEP, length(0)]));
    const long = 'v'.repeat(1 << 20);
    assert.equal(
      text(200, ['X', long], 'x'),
      message([OK, `X: ${long}`, DATED, KEEP, length(1)], 'x'),
    );
    assert.equal(
      text(200, [long, 'v'], 'x'),
      message([OK, `${long}: v`, DATED, KEEP, length(1)], 'x'),
    );
  });

  test('headers may be frozen, of a subclass, of another realm, behind a proxy', () => {
    class Fields extends Array {}
    const plain = ['A', 'b', 'C', 4];
    for (const headers of [
      Object.freeze([...plain]),
      Fields.from(plain),
      vm.runInNewContext("['A', 'b', 'C', 4]"),
      new Proxy(plain, {}),
    ]) {
      assert.equal(text(200, headers), message([OK, 'A: b', 'C: 4', DATED, KEEP, length(0)]));
    }
  });
});

describe('bodies', () => {
  test('bodies of 1 MiB, as text and as bytes', () => {
    for (const body of [
      'x'.repeat(1 << 20),
      '\u00e9'.repeat(1 << 19),
      '\u4e16'.repeat(1 << 18),
      Buffer.alloc(1 << 20, 0xe9),
    ]) {
      const bytes = Buffer.from(body);
      const built = buildHttpMessage(200, [], body, { date: false });
      const head = `${OK}\r\n${KEEP}\r\n${length(bytes.length)}\r\n\r\n`;
      assert.equal(built.length, head.length + bytes.length);
      assert.equal(built.toString('latin1', 0, head.length), head);
      assert.ok(built.subarray(head.length).equals(bytes));
    }
  });

  test('messages of every size about 64 KiB', () => {
    for (const coding of [[], ['Transfer-Encoding', 'chunked']]) {
      for (let size = 65_536 - 200; size <= 65_536 + 10; size++) {
        const bytes = Buffer.alloc(size, size & 0x7f);
        const built = buildHttpMessage(200, coding, bytes, { date: false });
        const start = built.indexOf('\r\n\r\n') + 4;
        const chunk = coding.length > 0 ? `${size.toString(16)}\r\n`.length : 0;
        const end = coding.length > 0 ? '\r\n0\r\n\r\n'.length : 0;
        assert.equal(built.length, start + chunk + size + end);
        assert.ok(built.subarray(start + chunk, start + chunk + size).equals(bytes));
      }
    }
  });

  /** Builds with a body and checks that it is carried as it was before the call. */
  function assertCarried(body) {
    const bytes = copyOf(body);
    const built = buildHttpMessage(200, ['X', 'y'], body, { date: false });
    const head = `${OK}\r\nX: y\r\n${KEEP}\r\n${length(bytes.length)}\r\n\r\n`;
    assert.equal(built.toString('latin1', 0, head.length), head);
    assert.ok(built.subarray(head.length).equals(bytes));
    return built;
  }

  test('any Uint8Array: subclasses, views, other realms', () => {
    class Wrong extends Uint8Array {
      get length() {
        return 1e9;
      }
      get byteLength() {
        return 1e9;
      }
      get buffer() {
        return null;
      }
    }
    const wrong = new Wrong(3).fill(7);
    assert.equal(
      text(200, [], wrong, { date: false }),
      message([OK, KEEP, length(3)], '\x07\x07\x07'),
    );
    assertCarried(new Uint8Array([1, 2, 3, 4]).subarray(1, 3));
    assertCarried(vm.runInNewContext('new Uint8Array([1, 2, 3])'));
    assertCarried(new Uint8Array(new WebAssembly.Memory({ initial: 1 }).buffer, 8, 100).fill(3));
  });

  test('bytes in shared memory', () => {
    assertCarried(new Uint8Array(new SharedArrayBuffer(100), 10, 50).fill(9));
    assertCarried(Buffer.from(new SharedArrayBuffer(100)).fill(9));
    const growable = new SharedArrayBuffer(10, { maxByteLength: 1000 });
    const tracking = new Uint8Array(growable);
    if (growable.growable) growable.grow(1000);
    assertCarried(tracking.fill(5));
  });

  test('bytes in memory that was resized', () => {
    const memory = new ArrayBuffer(100, { maxByteLength: 1000 });
    const tracking = new Uint8Array(memory);
    const fixed = new Uint8Array(memory, 50, 50);
    const behind = new Uint8Array(memory, 60);
    tracking.fill(4);
    assertCarried(tracking);
    assertCarried(fixed);
    assertCarried(behind);
    memory.resize(1000);
    tracking.fill(6);
    assertCarried(tracking);
    assertCarried(fixed);
    assertCarried(behind);
    memory.resize(70);
    assertCarried(tracking);
    assertCarried(fixed);
    assertCarried(behind);
    memory.resize(10);
    for (const body of [tracking, fixed, behind]) assertCarried(body);
    memory.resize(0);
    for (const body of [tracking, fixed, behind]) assertCarried(body);
    memory.resize(1000);
    for (const body of [tracking, fixed, behind]) assertCarried(body);
  });

  test('bytes whose memory was transferred away are none', () => {
    const body = new Uint8Array(100).fill(1);
    structuredClone(body.buffer, { transfer: [body.buffer] });
    assert.equal(body.length, 0);
    assertCarried(body);
  });
});

describe('refusals', () => {
  /** What stock Node throws where it makes the same check. */
  function nodes(action) {
    const res = new http.ServerResponse({
      method: 'GET',
      httpVersionMajor: 1,
      httpVersionMinor: 1,
    });
    return failure(() => action(res));
  }

  test('a status outside 100 to 999, or no integer', () => {
    for (const status of [99, 1000, 0, -1, -200, NaN, Infinity, undefined, null, '', 'x', {}, []]) {
      assert.deepEqual(
        refused(status, []),
        nodes((res) => res.writeHead(status)),
        String(status),
      );
    }
    // Stock Node converts these.
    for (const status of [
      '200',
      4294967496,
      200.5,
      99.9999,
      999.1,
      [200],
      true,
      200n,
      Symbol('s'),
    ]) {
      assertRefused('ERR_HTTP_INVALID_STATUS_CODE', status, []);
    }
    const { name, type, message: words } = refused(200.5, []);
    assert.deepEqual([name, type, words], ['RangeError', RangeError, 'Invalid status code: 200.5']);
  });

  const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]$/;

  test('a name that is no token', () => {
    for (let code = 0; code <= 0x17f; code++) {
      const character = String.fromCharCode(code);
      for (const name of [character, `a${character}`, `${character}b`, `a${character}b`]) {
        if (TOKEN.test(character)) {
          assert.equal(text(200, [name, 'v']), message([OK, `${name}: v`, DATED, KEEP, length(0)]));
        } else {
          const stock = nodes((res) => res.setHeader(name, 'v'));
          assert.equal(stock.code, 'ERR_INVALID_HTTP_TOKEN');
          assert.deepEqual(refused(200, [name, 'v']), stock, JSON.stringify(name));
        }
      }
    }
    for (const name of ['', '\u{1f600}', 'a\r\nb: c', 'a: b', '\u0141', 'A\u010a']) {
      assert.deepEqual(
        refused(200, [name, 'v']),
        nodes((res) => res.setHeader(name, 'v')),
      );
    }
    assertRefused('ERR_INVALID_HTTP_TOKEN', 200, ['A', 'b', 'c d', 'e', 'F', 'g'], 'body');
  });

  test('a name that is no string', () => {
    for (const name of [
      undefined,
      null,
      5,
      NaN,
      true,
      5n,
      Symbol('s'),
      {},
      ['A'],
      Object('A'),
      () => {},
    ]) {
      const error = refused(200, [name, 'v']);
      assert.deepEqual([error.code, error.name], ['ERR_INVALID_HTTP_TOKEN', 'TypeError']);
    }
    for (const name of [undefined, null, 5]) {
      assert.deepEqual(
        refused(200, [name, 'v']),
        nodes((res) => res.setHeader(name, 'v')),
      );
    }
  });

  test('a character in a value that may not stand there', () => {
    for (let code = 0; code <= 0x17f; code++) {
      if (code === 9 || (code >= 0x20 && code <= 0xff && code !== 0x7f)) continue;
      const character = String.fromCharCode(code);
      for (const value of [character, `a${character}`, `${character}b`, `a${character}b`]) {
        const stock = nodes((res) => res.setHeader('X-A', value));
        assert.equal(stock.code, 'ERR_INVALID_CHAR');
        assert.deepEqual(
          refused(200, ['X-B', 'b', 'X-A', value, 'X-C', 'c']),
          stock,
          JSON.stringify(value),
        );
      }
    }
    for (const value of [
      'a\r\nX-Evil: 1',
      '\u{1f600}',
      '\ud800',
      '\u010a',
      '\u010d',
      '\u0141',
      '\uff0a',
    ]) {
      assert.deepEqual(
        refused(200, ['X-A', value]),
        nodes((res) => res.setHeader('X-A', value)),
      );
      assertRefused('ERR_INVALID_CHAR', 200, ['X-A', value], 'body');
    }
    // One position after another, for a check that looks at several bytes at once.
    for (let place = 0; place < 100; place++) {
      const value = `${'a'.repeat(place)}\n${'b'.repeat(99 - place)}`;
      assert.equal(refused(200, ['X-A', value]).code, 'ERR_INVALID_CHAR');
    }
  });

  test('the name of the first faulty field is in the error', () => {
    const bad = '\n';
    const { message: words } = refused(200, ['A', 'ok', 'B', bad, 'C', bad]);
    assert.equal(words, 'Invalid character in header content ["B"]');
    const { message: wide } = refused(200, ['A', 'ok', 'B', '\u0141', 'C', '\u0141']);
    assert.equal(wide, 'Invalid character in header content ["B"]');
  });

  test('a character in the reason phrase that may not stand there', () => {
    for (let code = 0; code <= 0x17f; code++) {
      if (code === 9 || (code >= 0x20 && code <= 0xff && code !== 0x7f)) continue;
      const statusMessage = `a${String.fromCharCode(code)}b`;
      const stock = nodes((res) => res.writeHead(200, statusMessage));
      assert.equal(stock.code, 'ERR_INVALID_CHAR');
      assert.deepEqual(
        refused(200, [], '', { statusMessage }),
        stock,
        JSON.stringify(statusMessage),
      );
    }
    assertRefused('ERR_INVALID_CHAR', 200, ['A', 'b'], 'body', { statusMessage: 'a\r\nX-Evil: 1' });
  });

  test('headers that are no array of pairs', () => {
    for (const headers of [
      undefined,
      null,
      {},
      'A: b',
      5,
      new Map([['A', 'b']]),
      new Uint8Array(2),
      () => {},
      { length: 2, 0: 'A', 1: 'b' },
    ]) {
      assert.equal(refused(200, headers).code, 'ERR_INVALID_ARG_TYPE');
    }
    for (const headers of [['A'], ['A', 'b', 'C'], [['A', 'b']], [undefined]]) {
      assert.equal(refused(200, headers).code, 'ERR_INVALID_ARG_VALUE');
    }
    const odd = ['A', 'b', 'v'.repeat(200)];
    const stock = nodes((res) => res.writeHead(200, odd));
    const own = refused(200, odd);
    assert.deepEqual([own.name, own.code, own.type], [stock.name, stock.code, stock.type]);
    const shown = /\. Received .*$/s;
    assert.equal(own.message.match(shown)[0], stock.message.match(shown)[0]);
    assert.match(own.message, /^The argument 'headers' /);
  });

  test('values that are neither strings nor numbers', () => {
    for (const value of [
      undefined,
      null,
      true,
      5n,
      Symbol('s'),
      {},
      ['a'],
      Object('a'),
      new Date(0),
      () => {},
    ]) {
      const { code, name } = refused(200, ['A', 'b', 'X', value]);
      assert.deepEqual([code, name], ['ERR_INVALID_ARG_TYPE', 'TypeError']);
    }
    assert.equal(refused(200, new Array(2)).code, 'ERR_INVALID_HTTP_TOKEN');
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    assert.equal(refused(200, ['A', , 'B', 'c']).code, 'ERR_INVALID_ARG_TYPE');
  });

  test('bodies that are neither strings nor Uint8Arrays, in the words of Node', () => {
    class Named {}
    for (const body of [
      5,
      NaN,
      true,
      12n,
      Symbol('s'),
      {},
      [1],
      Object.create(null),
      new Named(),
      new Date(0),
      () => {},
      function named() {},
      new Uint16Array(2),
      new Uint8ClampedArray(2),
      new DataView(new ArrayBuffer(2)),
      new ArrayBuffer(2),
      Object('boxed'),
    ]) {
      const stock = nodes((res) => res.write(body));
      const { message: words, ...own } = refused(200, [], body);
      const { message: stockWords, ...rest } = stock;
      assert.deepEqual(own, rest);
      assert.equal(words, stockWords.replace('"chunk"', '"body"'));
    }
  });

  test('bodies that only look like Uint8Arrays', () => {
    for (const body of [
      Object.create(Uint8Array.prototype),
      Object.create(Buffer.prototype),
      new Proxy(new Uint8Array(3), {}),
      Object.setPrototypeOf(new Uint16Array(3), Uint8Array.prototype),
    ]) {
      assert.equal(types.isUint8Array(body), false);
      assertRefused('ERR_INVALID_ARG_TYPE', 200, [], body);
    }
    // And the other way round.
    const hidden = Object.setPrototypeOf(new Uint8Array([65, 66]), Uint16Array.prototype);
    assert.equal(text(200, [], hidden), message([OK, DATED, KEEP, length(2)], 'AB'));
  });

  test('options that are none', () => {
    for (const options of [null, 5, 'x', true, () => {}]) {
      assertRefused('ERR_INVALID_ARG_TYPE', 200, [], '', options);
    }
    for (const [code, options] of [
      ['ERR_INVALID_ARG_TYPE', { statusMessage: 5 }],
      ['ERR_INVALID_ARG_TYPE', { statusMessage: null }],
      ['ERR_INVALID_ARG_TYPE', { date: 1 }],
      ['ERR_INVALID_ARG_TYPE', { date: null }],
      ['ERR_INVALID_ARG_TYPE', { omitBody: 'yes' }],
      ['ERR_INVALID_ARG_TYPE', { keepAlive: true }],
      ['ERR_INVALID_ARG_TYPE', { keepAlive: '5' }],
      ['ERR_INVALID_ARG_TYPE', { keepAlive: null }],
      ['ERR_INVALID_ARG_TYPE', { keepAlive: 5n }],
      ['ERR_INVALID_ARG_VALUE', { keepAlive: -1 }],
      ['ERR_INVALID_ARG_VALUE', { keepAlive: NaN }],
      ['ERR_INVALID_ARG_VALUE', { keepAlive: Infinity }],
      ['ERR_INVALID_ARG_TYPE', { keepAlive: 5, maxRequests: '5' }],
      ['ERR_INVALID_ARG_TYPE', { maxRequests: '5' }],
      ['ERR_INVALID_ARG_TYPE', { keepAlive: false, maxRequests: null }],
      ['ERR_INVALID_ARG_VALUE', { keepAlive: 5, maxRequests: -1 }],
      ['ERR_INVALID_ARG_VALUE', { keepAlive: 5, maxRequests: 1.5 }],
      ['ERR_INVALID_ARG_VALUE', { keepAlive: 5, maxRequests: 2 ** 53 }],
      ['ERR_INVALID_ARG_VALUE', { encoding: 'hex' }],
      ['ERR_INVALID_ARG_VALUE', { encoding: 'ucs2' }],
    ]) {
      assert.equal(
        refused(200, [], '', options).code,
        code,
        JSON.stringify(Object.entries(options).map(String)),
      );
    }
    for (const encoding of [5, null, {}, ['utf8']]) {
      assert.match(refused(200, [], 'x', { encoding }).code, /^ERR_INVALID_ARG_(TYPE|VALUE)$/);
    }
  });

  test('a length that disagrees with the body, in the words of Node', () => {
    const stock = nodes((res) => {
      res.strictContentLength = true;
      res.setHeader('Content-Length', 5);
      res.end('body');
    });
    assert.equal(stock.code, 'ERR_HTTP_CONTENT_LENGTH_MISMATCH');
    assert.deepEqual(refused(200, ['Content-Length', 5], 'body'), stock);
    for (const value of [
      3,
      5,
      0,
      '',
      '4 ',
      ' 4',
      '+4',
      '-4',
      '4.0',
      '4e0',
      '0x4',
      '4,4',
      '4, 4',
      'four',
      NaN,
      Infinity,
      '\u0664',
      '18446744073709551620',
      '18446744073709551616',
    ]) {
      assertRefused(
        value === '\u0664' ? 'ERR_INVALID_CHAR' : 'ERR_HTTP_CONTENT_LENGTH_MISMATCH',
        200,
        ['Content-Length', value],
        'body',
      );
    }
    assertRefused(
      'ERR_HTTP_CONTENT_LENGTH_MISMATCH',
      200,
      ['Content-Length', 4, 'content-length', 5],
      'body',
    );
    assertRefused(
      'ERR_HTTP_CONTENT_LENGTH_MISMATCH',
      200,
      ['Content-Length', 5, 'content-length', 4],
      'body',
    );
    assertRefused('ERR_HTTP_CONTENT_LENGTH_MISMATCH', 200, ['Content-Length', 1], '\u00e9');
    assertRefused('ERR_HTTP_CONTENT_LENGTH_MISMATCH', 200, ['Content-Length', 1]);
    assertRefused('ERR_HTTP_CONTENT_LENGTH_MISMATCH', 200, [
      'Content-Length',
      '18446744073709551616',
    ]);
    // Lengths that are 4 in 32 bits.
    assertRefused('ERR_HTTP_CONTENT_LENGTH_MISMATCH', 200, ['Content-Length', 4294967300], 'body');
  });

  test('both Content-Length and Transfer-Encoding, whatever they say', () => {
    for (const coding of ['chunked', 'gzip', 'identity', '']) {
      for (const headers of [
        ['Content-Length', 4, 'Transfer-Encoding', coding],
        ['transfer-encoding', coding, 'X', 'y', 'CONTENT-LENGTH', '4'],
      ]) {
        for (const status of [200, 204, 304, 100]) {
          for (const omitBody of [true, false]) {
            const error = refused(status, headers, 'body', { omitBody });
            assert.equal(error.code, 'ERR_INVALID_ARG_VALUE');
            assert.match(error.message, /^The argument 'headers' .*Received \[/s);
          }
        }
      }
    }
  });

  test('a Trailer field in a message that is not chunked', () => {
    const stock = nodes((res) => {
      res.setHeader('Trailer', 'X-T');
      res.setHeader('Content-Length', 1);
      res.end('x');
    });
    assert.equal(stock.code, 'ERR_HTTP_TRAILER_INVALID');
    assert.deepEqual(refused(200, ['Trailer', 'X-T', 'Content-Length', 1], 'x'), stock);
    assertRefused(
      'ERR_HTTP_TRAILER_INVALID',
      200,
      ['Trailer', 'X-T', 'Transfer-Encoding', 'gzip'],
      'x',
    );
    assertRefused('ERR_HTTP_TRAILER_INVALID', 204, ['Trailer', 'X-T']);
    assertRefused('ERR_HTTP_TRAILER_INVALID', 200, ['Trailer', 'X-T'], 'x', { omitBody: true });
  });

  test('a refusal leaves the messages before it as they were', () => {
    const before = buildHttpMessage(200, ['A', 'b'], 'body');
    const copy = Buffer.from(before);
    for (const args of [
      [200, ['A', '\n'], 'x'.repeat(1000)],
      [200, ['A', '\u0141'], 'x'.repeat(1000)],
      [200, ['A', 'b'.repeat(1000), 'C D', 'e'], 'x'.repeat(1000)],
      [200, ['Content-Length', 5], 'x'.repeat(1000)],
    ]) {
      refused(...args);
      assert.ok(before.equals(copy));
    }
  });
});

describe('programs that reach into a call', () => {
  /** Builds the message with `get` run in the middle of it. */
  const cases = {
    'a getter among the values': (run) => {
      const headers = ['A', 'a', 'B', '', 'C', 'c'];
      Object.defineProperty(headers, 3, { get: () => run() ?? 'b' });
      return text(201, headers, 'body');
    },
    'a getter among the options': (run) =>
      text(201, ['A', 'a', 'B', 'b', 'C', 'c'], 'body', {
        get keepAlive() {
          run();
          return undefined;
        },
      }),
    'a getter of the encoding': (run) =>
      text(201, ['A', 'a', 'B', 'b', 'C', 'c'], 'body', {
        get encoding() {
          run();
          return 'utf8';
        },
      }),
    'a proxy of the headers': (run) =>
      text(
        201,
        new Proxy(['A', 'a', 'B', 'b', 'C', 'c'], {
          get(target, key) {
            if (key === '3') run();
            return target[key];
          },
        }),
        'body',
      ),
  };
  const inner = {
    'another message': () => {
      buildHttpMessage(404, ['X', 'y'.repeat(300), 'Z', 'w'], 'z', {
        keepAlive: false,
        date: false,
        omitBody: true,
      });
    },
    'a message of many fields': () => {
      buildHttpMessage(404, new Array(2000).fill('x'), Buffer.alloc(70_000), {
        keepAlive: 5,
        maxRequests: 3,
      });
    },
    'a message that is refused': () => {
      refused(200, ['A', '\n'], 'x', { omitBody: true });
    },
  };
  for (const [where, build] of Object.entries(cases)) {
    for (const [what, run] of Object.entries(inner)) {
      test(`${what} is built in ${where}`, () => {
        const lines = ['HTTP/1.1 201 Created', 'A: a', 'B: b', 'C: c', DATED, KEEP, length(4)];
        assert.equal(build(run), message(lines, 'body'));
      });
    }
  }

  test('an option is read once', () => {
    for (const name of [
      'statusMessage',
      'date',
      'keepAlive',
      'maxRequests',
      'omitBody',
      'encoding',
    ]) {
      let count = 0;
      const options = {
        keepAlive: 5,
        get [name]() {
          count++;
          return undefined;
        },
      };
      buildHttpMessage(200, [], 'x', options);
      assert.equal(count, 1, name);
    }
  });

  test('headers that change while they are read are refused or framed, and nothing else', () => {
    const shrinking = ['A', '', 'B', 'b'];
    Object.defineProperty(shrinking, 1, {
      get() {
        shrinking.length = 2;
        return 'a';
      },
    });
    const growing = ['A', ''];
    Object.defineProperty(growing, 1, {
      get() {
        if (growing.length < 3000) growing.push('B', 'b'.repeat(growing.length));
        return 'a';
      },
    });
    const lying = new Proxy(['A', 'a', 'B', 'b'], {
      get: (target, key) =>
        key === 'length' ? 4 + 2 * Math.floor(Math.random() * 3) : target[key],
    });
    for (const headers of [shrinking, growing, lying, lying, lying]) {
      try {
        assert.match(
          text(200, headers, 'x'),
          /^HTTP\/1\.1 200 OK\r\nA: a\r\n(B: b+\r\n)*Date: <date>\r\n/,
        );
      } catch (error) {
        assert.match(error.code ?? '', /^ERR_/);
      }
    }
    assert.equal(text(200, ['A', 'b'], 'c'), message([OK, 'A: b', DATED, KEEP, length(1)], 'c'));
  });
});

describe('memory', () => {
  /** Fails if two of the Buffers share a byte. */
  function assertDisjoint(buffers) {
    const byMemory = new Map();
    for (const { buffer, byteOffset, length: size } of buffers) {
      if (!byMemory.has(buffer)) byMemory.set(buffer, []);
      byMemory.get(buffer).push([byteOffset, byteOffset + size]);
    }
    for (const ranges of byMemory.values()) {
      ranges.sort((a, b) => a[0] - b[0]);
      for (let i = 1; i < ranges.length; i++) assert.ok(ranges[i - 1][1] <= ranges[i][0]);
    }
  }

  test('100,000 messages: those that are kept never overlap, change or lose a change', () => {
    let state = 1;
    const random = (limit) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % limit;
    };
    const kept = [];
    const check = () => {
      for (const { built, expected } of kept) assert.equal(built.toString('latin1'), expected);
      assertDisjoint(kept.map(({ built }) => built));
    };
    for (let i = 0; i < 100_000; i++) {
      const size = random(1000) === 0 ? 60_000 + random(10_000) : random(300);
      const body = String.fromCharCode(97 + (i % 26)).repeat(size);
      const built = buildHttpMessage(200, ['X-Number', i], body, { date: false });
      const expected = message([OK, `X-Number: ${i}`, KEEP, length(size)], body);
      if (random(50) !== 0) continue;
      const entry = { built, expected };
      if (random(2) === 0) {
        built.fill(i & 0xff);
        entry.expected = String.fromCharCode(i & 0xff).repeat(built.length);
      }
      if (kept.length < 1000) kept.push(entry);
      else kept[random(kept.length)] = entry;
      if (random(200) === 0) check();
    }
    check();
  });

  /** A message that shares its memory with later ones. */
  function pooled() {
    for (let tries = 0; tries < 10; tries++) {
      const a = buildHttpMessage(200, ['A', 'a'], 'x');
      const b = buildHttpMessage(200, ['B', 'b'], 'y');
      if (a.buffer === b.buffer) return b;
    }
    assert.fail('messages do not share memory');
  }

  test('a body may be the whole memory that messages lie in', () => {
    for (const make of [
      ({ buffer }) => new Uint8Array(buffer),
      ({ buffer }) => Buffer.from(buffer),
      ({ buffer, byteOffset, length: size }) => new Uint8Array(buffer, byteOffset + size - 10, 20),
      ({ buffer, byteOffset, length: size }) => new Uint8Array(buffer, byteOffset + size),
      ({ buffer, byteOffset, length: size }) =>
        new Uint8Array(buffer, byteOffset + size + 100, 200),
      (built) => built,
    ]) {
      for (const headers of [
        ['X', 'y'],
        ['X', 'y', 'Transfer-Encoding', 'chunked'],
      ]) {
        const built = pooled();
        const own = Buffer.from(built);
        const body = make(built);
        const bytes = copyOf(body);
        const again = buildHttpMessage(200, headers, body, { date: false });
        const start = again.indexOf('\r\n\r\n') + 4;
        const skipped = headers.length > 2 ? `${bytes.length.toString(16)}\r\n`.length : 0;
        assert.ok(again.subarray(start + skipped, start + skipped + bytes.length).equals(bytes));
        assert.ok(built.equals(own), 'the message that the body is of did not change');
        assertDisjoint([built, again]);
      }
    }
  });

  const ways = {
    'structuredClone()': (buffer) => structuredClone(buffer, { transfer: [buffer] }),
    'postMessage()': (buffer) => {
      const { MessageChannel, receiveMessageOnPort } = require('node:worker_threads');
      const { port1, port2 } = new MessageChannel();
      try {
        port1.postMessage(buffer, [buffer]);
        return receiveMessageOnPort(port2)?.message;
      } finally {
        port1.close();
      }
    },
    'transfer()': (buffer) => buffer.transfer(),
    'transferToFixedLength()': (buffer) => buffer.transferToFixedLength(),
    'transfer() to a smaller one': (buffer) => buffer.transfer(10),
    'transfer() to a larger one': (buffer) => buffer.transfer(1 << 20),
  };
  for (const [way, move] of Object.entries(ways)) {
    test(`memory taken away with ${way} is never written again`, (t) => {
      if (way.startsWith('transfer') && ArrayBuffer.prototype.transfer === undefined) {
        t.skip('this Node has no ArrayBuffer.prototype.transfer');
        return;
      }
      for (let round = 0; round < 5; round++) {
        const built = pooled();
        let moved;
        try {
          moved = move(built.buffer);
        } catch (error) {
          // Marked memory cannot be transferred; that is one way to be safe.
          assert.match(error.name, /DataCloneError|TypeError/);
        }
        const theirs = moved && moved !== built.buffer ? Buffer.from(moved).fill(0x2a) : null;
        const messages = [];
        for (let i = 0; i < 500; i++) {
          const later = buildHttpMessage(200, ['X', i], 'z'.repeat(i), { date: false });
          const expected = message([OK, `X: ${i}`, KEEP, length(i)], 'z'.repeat(i));
          assert.equal(later.toString('latin1'), expected);
          messages.push({ later, expected });
        }
        if (theirs) assert.ok(theirs.every((byte) => byte === 0x2a));
        for (const { later, expected } of messages)
          assert.equal(later.toString('latin1'), expected);
      }
    });
  }
});

/** Runs a fixture in a process of its own, which a fault in the addon would take with it. */
function run(fixture, args = [], flags = []) {
  const file = path.join(__dirname, 'fixtures', fixture);
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, file, ...args],
    {
      encoding: 'utf8',
      timeout: 120_000,
    },
  );
  assert.deepEqual({ status, signal, stderr }, { status: 0, signal: null, stderr: '' });
  return stdout.trim();
}

describe('processes', () => {
  test('workers build at the same time', () => {
    assert.equal(run('message-workers.js', ['together']), 'right');
  });

  test('50 workers are started and terminated while they build', () => {
    assert.equal(run('message-workers.js', ['terminated']), 'right');
  });

  // Bounds in MiB, far below what would be lost if each call lost its message; large memory comes
  // and goes in the allocator.
  for (const [what, bound] of Object.entries({ small: 16, large: 128, refused: 16, fields: 16 })) {
    test(`nothing leaks: ${what} messages`, () => {
      const { grown } = JSON.parse(run('message-leak.js', [what], ['--expose-gc']));
      assert.ok(grown < bound, `${grown} MiB more`);
    });
  }
});
