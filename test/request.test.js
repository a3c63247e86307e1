'use strict';

// The request parser against Node's own: whatever it takes for a whole request, Node's parser
// reads in the very same way. What it leaves to Node needs no comparison.
//
//   ONEWRITE_PROPERTY_SEED=… ONEWRITE_PROPERTY_CASES=… node --test test/request.test.js

const assert = require('node:assert/strict');
const { randomBytes } = require('node:crypto');
const { METHODS, maxHeaderSize } = require('node:http');
const { test } = require('node:test');
const { isDeepStrictEqual } = require('node:util');

const { Random } = require('./property/random');
const { draw } = require('./request/draw');
const { expected, numbers, read, readAsNode } = require('./request/node-parser');
const { parseAll } = require('./request/parser');
const { LEFT, TEMPLATES, WHOLE } = require('./request/shapes');

const seed = process.env.ONEWRITE_PROPERTY_SEED || randomBytes(4).toString('hex');
const cases = Number(process.env.ONEWRITE_PROPERTY_CASES || 40_000);
const repeat = `repeat with ONEWRITE_PROPERTY_SEED=${seed} ONEWRITE_PROPERTY_CASES=${cases}`;
/** At least so much of the drawn inputs must be whole requests. */
const WHOLE_SHARE = 0.35;

/**
 * Fails at the first input that Node's parser reads otherwise.
 * @param {Buffer[]} inputs
 * @param {string} [hint] how to repeat
 * @returns {Map<string, number>} how many inputs are whole requests or are left for a reason
 */
function assertReadAlike(inputs, hint = '') {
  const counts = new Map();
  for (const [place, result] of parseAll(inputs, maxHeaderSize).entries()) {
    const outcome = result.reason ?? 'whole';
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (outcome !== 'whole') continue;
    const input = inputs[place];
    const { whole, early, ended } = readAsNode(input, result);
    const got = { whole, early, ended: [ended.complete, ended.error] };
    const asked = { whole: expected(input, result), early: false, ended: [true, undefined] };
    if (isDeepStrictEqual(got, asked)) continue;
    const text = JSON.stringify(input.toString('latin1'));
    assert.deepEqual(got, asked, `input ${place} is read otherwise: ${text} ${hint}`);
  }
  return counts;
}

const shown = (counts) => JSON.stringify(Object.fromEntries([...counts].sort()));
const bytes = (text) => Buffer.from(text, 'latin1');

test(`${cases} drawn inputs are read as Node reads them, or left to it`, (t) => {
  t.diagnostic(repeat);
  const random = new Random(`${seed} requests`);
  const counts = assertReadAlike(
    random.list(cases, () => draw(random)),
    repeat,
  );
  t.diagnostic(shown(counts));
  assert.ok(counts.get('whole') >= WHOLE_SHARE * cases, shown(counts));
  // A shorter run need not meet the rare ones.
  if (cases < 10_000) return;
  const reasons = new Set(LEFT.map(({ reason }) => reason));
  for (const reason of reasons) assert.ok(counts.get(reason) > 0, `${reason}; ${repeat}`);
});

for (const [name, text] of Object.entries(TEMPLATES)) {
  test(`${name}, with every byte in every place, is read as Node reads it, or left to it`, (t) => {
    const inputs = [];
    for (let place = 0; place <= text.length; place++) {
      for (let code = 0; code < 256; code++) {
        const byte = String.fromCharCode(code);
        const [start, end] = [text.slice(0, place), text.slice(place)];
        inputs.push(bytes(start + byte + end), bytes(start + byte + end.slice(1)));
      }
      inputs.push(bytes(text.slice(0, place) + text.slice(place + 1)));
    }
    const counts = assertReadAlike(inputs);
    t.diagnostic(shown(counts));
    assert.ok(counts.get('whole') > 0.1 * inputs.length);
  });
}

test('common shapes are whole requests', () => {
  const inputs = WHOLE.map(bytes);
  assert.deepEqual(assertReadAlike(inputs), new Map([['whole', inputs.length]]));
});

test('every method of Node but CONNECT is read', () => {
  const results = parseAll(
    METHODS.map((name) => bytes(`${name} / HTTP/1.1\r\n\r\n`)),
    maxHeaderSize,
  );
  for (const [place, name] of METHODS.entries()) {
    const { reason, method } = results[place];
    assert.deepEqual(
      [reason, method],
      name === 'CONNECT' ? ['method', undefined] : [undefined, name],
    );
  }
  assert.equal(new Set(numbers.values()).size, METHODS.length);
});

test('shapes of request smuggling, and all that is uncommon, are left to Node', () => {
  const results = parseAll(
    LEFT.map(({ text }) => bytes(text)),
    maxHeaderSize,
  );
  for (const [place, { name, reason }] of LEFT.entries()) {
    assert.deepEqual(results[place], { reason }, name);
  }
});

test('a head is left to Node before it is too long for it', () => {
  const head = (length) => {
    const [start, end] = ['GET / HTTP/1.1\r\nA: ', '\r\n\r\n'];
    return bytes(start + 'a'.repeat(length - start.length - end.length) + end);
  };
  const results = parseAll([head(maxHeaderSize - 1), head(maxHeaderSize)], maxHeaderSize);
  assert.equal(results[0].head, maxHeaderSize - 1);
  assert.deepEqual(results[1], { reason: 'large' });
  assert.equal(read([head(maxHeaderSize - 1)]).complete, true);
  assert.equal(read([head(maxHeaderSize + 100)]).error, 'HPE_HEADER_OVERFLOW');
});
