'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const { setTimeout } = require('node:timers/promises');
const vm = require('node:vm');
const { describe, test } = require('node:test');

const {
  buildHttpMessage,
  text,
  message,
  OK,
  DATED,
  KEEP,
  CLOSE,
  CHUNKED,
  length,
  copyOf,
} = require('./common');

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
