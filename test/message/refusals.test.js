'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const { types } = require('node:util');
const { describe, test } = require('node:test');

const {
  buildHttpMessage,
  text,
  message,
  OK,
  DATED,
  KEEP,
  length,
  failure,
  refused,
  assertRefused,
} = require('./common');

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
