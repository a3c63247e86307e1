'use strict';

// Drawn streams: valid, nearly valid and invalid ones, in random pieces, to programs that read, answer and leave in
// random ways. Requests, events and answers are those of stock Node.
//
//   ONEWRITE_PROPERTY_SEED=… ONEWRITE_PROPERTY_STREAMS=… node --test test/drawn-streams.test.js

const assert = require('node:assert/strict');
const { randomBytes } = require('node:crypto');
const path = require('node:path');
const { test } = require('node:test');
const { inspect } = require('node:util');

const { MODES, STOCK, skip } = require('./modes');
const { run } = require('./program');
const { drawStream } = require('./property/stream-cases');

const seed = process.env.ONEWRITE_PROPERTY_SEED || randomBytes(4).toString('hex');
const streams = Number(process.env.ONEWRITE_PROPERTY_STREAMS || 4000);
const repeat = `repeat with ONEWRITE_PROPERTY_SEED=${seed} ONEWRITE_PROPERTY_STREAMS=${streams}`;
const program = path.join(__dirname, 'property', 'streams.js');

/** At least so much of all streams must reach a handler natively. */
const NATIVE = 0.4;
/** Streams that are looked at again, one by one, when they went another way. */
const AGAIN = 20;
/** How often each of them is sent. */
const TIMES = 3;
/** At most so much of all may be told by chance, on a busy machine. */
const CHANCE = 0.001;

/** A process that takes so long hangs: a minute, and a hundredth of a second for each stream. */
const LIMIT_MS = 60_000 + 10 * streams;

/** Sends some of the streams in a process of its own, and gives the lines it printed, the last one parsed. */
async function send({ args, env }, from, to, ...more) {
  const own = ['--no-warnings', ...args, program, seed, from, to, ...more];
  const { code, signal, stdout, stderr } = await run(process.execPath, own, {
    env,
    timeout: LIMIT_MS,
  });
  assert.equal(code, 0, `ended with ${code ?? signal}; ${repeat}\n${stderr}`);
  const lines = stdout.trimEnd().split('\n');
  return { summary: JSON.parse(lines.pop()), lines };
}

/** Records of one stream, sent several times. */
async function records(mode, index) {
  const all = new Set();
  for (let i = 0; i < TIMES; i++) {
    const { lines } = await send(mode, index, index + 1, 'show');
    all.add(lines[0]);
  }
  return all;
}

/** Fails if the records of a stream are none of those of stock Node, whenever it is sent. */
async function assertSame(mode, index) {
  const [stock, own] = await Promise.all([records(STOCK, index), records(mode, index)]);
  for (const record of own) if (stock.has(record)) return;
  const [expected] = stock;
  const [got] = own;
  const drawn = inspect(drawStream(seed, index), { depth: 5, maxStringLength: null });
  assert.deepEqual(JSON.parse(got), JSON.parse(expected), `stream ${index}; ${repeat}\n${drawn}`);
}

for (const [name, mode] of Object.entries(MODES)) {
  test(`${streams} drawn streams with ${name}`, { skip }, async (t) => {
    t.diagnostic(repeat);
    const [stock, own] = await Promise.all([send(STOCK, 0, streams), send(mode, 0, streams)]);
    t.diagnostic(JSON.stringify(own.summary));
    assert.deepEqual([stock.summary.installed, own.summary.installed], [false, true]);
    assert.deepEqual(own.summary.uncaught, stock.summary.uncaught);
    const expected = new Set(stock.lines);
    assert.equal(expected.size, streams);
    const different = own.lines
      .filter((line) => !expected.has(line))
      .map((line) => parseInt(line, 10));
    different.sort((a, b) => a - b);
    t.diagnostic(`${different.length} to be sent again`);
    for (const index of different.slice(0, AGAIN)) await assertSame(mode, index);
    assert.ok(different.length <= Math.max(3, CHANCE * streams), `${different.length} by chance`);
    if (mode.native) {
      assert.ok(own.summary.native >= NATIVE * streams, JSON.stringify(own.summary));
    }
  });
}
