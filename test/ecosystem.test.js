'use strict';

// The ecosystem suite sees what differs: programs of the fixtures tell by themselves whether the package is preloaded.

const assert = require('node:assert');
const path = require('node:path');
const { test } = require('node:test');
const { difference } = require('./ecosystem/compare');
const { runOnce } = require('./ecosystem/one');
const { skip } = require('./modes');

const file = path.join(__dirname, 'fixtures', 'telling.js');

/** @param {string} telling how the program tells @returns {Promise<string | null>} the first difference */
async function judge(telling, watched = false) {
  const item = { file, env: { TELLING: telling }, ...require(file) };
  const stock = await runOnce(process.execPath, item, { preload: false, watched });
  const other = await runOnce(process.execPath, item, { preload: true, watched });
  return difference(stock, other);
}

test('a program that does the same differs in nothing', { skip }, async () => {
  assert.strictEqual(await judge('nothing'), null);
  assert.strictEqual(await judge('nothing', true), null);
});

for (const [telling, said] of [
  ['a byte', /^step 2 \(connection 1: GET \/\): bytes differ at character \d+ of \d+ and \d+\n/],
  ['a field', /^step 2 .*: bytes differ/],
  ['a line of the log', /^step 2 .*: what the program noted differs/],
  ['a line on stdout', /^stdout differs/],
  ['the exit code', /^the program ends with 3 instead of 0$/],
  ['a status', /^step 2 .*: bytes differ .*GET \/: 500 instead of 200/s],
  ['an end', /^step 2 .*: bytes differ .*it failed: closed before/s],
]) {
  test(`${telling} that differs is found`, { skip }, async () => {
    assert.match(await judge(telling), said);
  });
}

test('an event that differs is found where events are watched', { skip }, async () => {
  assert.strictEqual(await judge('an event'), null);
  assert.match(await judge('an event', true), /^step 2 .*: what the program noted differs/);
});
