'use strict';

// Differential property tests: many drawn cases, and stock Node as the oracle.
//
//   ONEWRITE_PROPERTY_SEED=… ONEWRITE_PROPERTY_CASES=… node --test test/property.test.js

const assert = require('node:assert/strict');
const { randomBytes } = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { after, test } = require('node:test');
const { inspect } = require('node:util');

const { buildHttpMessage } = require('..');
const { run } = require('./program');
const { describe, group } = require('./property/cases');
const { DIVERGENCES, someCall, stockMessage } = require('./property/message');
const { Random } = require('./property/random');

const seed = process.env.ONEWRITE_PROPERTY_SEED || randomBytes(4).toString('hex');
const cases = Number(process.env.ONEWRITE_PROPERTY_CASES || 20_000);
const started = Date.now();
/** At least so much of all cases must take the fast path. */
const FAST = 0.4;

const register = path.join(__dirname, '..', 'register.js');
const program = path.join(__dirname, 'property', 'exchange.js');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'onewrite-property-'));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const repeat = `repeat with ONEWRITE_PROPERTY_SEED=${seed} ONEWRITE_PROPERTY_CASES=${cases}`;

/**
 * Has a process of its own serve so many cases.
 * @returns {Promise<{ summary: object, lines: Map<string, string> }>} what it saw, by group
 */
async function serve(name, args, env, count) {
  const file = path.join(folder, name);
  const own = ['--no-warnings', ...args, program, seed, count, file];
  const { code, signal, stdout, stderr } = await run(process.execPath, own, { env });
  if (code !== 0) throw new Error(`${name} ended with ${code ?? signal}; ${repeat}\n${stderr}`);
  const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
  const byGroup = new Map(lines.map((line) => [/"id":"([^"]+)"/.exec(line)[1], line]));
  return { summary: JSON.parse(stdout), lines: byGroup };
}

/** Fails at the first group that went another way than on stock Node. */
function assertSame(stock, other, what) {
  const isTainted = (line) => line.endsWith('"tainted":true}');
  let tainted = 0;
  const different = [];
  for (const [id, line] of other.lines) {
    const stockLine = stock.lines.get(id);
    if (isTainted(line) || isTainted(stockLine)) tainted++;
    else if (line !== stockLine) different.push(id);
  }
  assert.ok(tainted < 0.02 * other.lines.size, `${tainted} groups were not compared; ${repeat}`);
  if (different.length === 0) return;
  const [first] = different;
  assert.deepEqual(
    JSON.parse(other.lines.get(first)),
    JSON.parse(stock.lines.get(first)),
    `${what} (+) and stock Node (-) differ in ${different.length} of ${other.lines.size} groups, ` +
      `first in ${first}; ${repeat}\n${describe(group(seed, first))}`,
  );
}

test(`${cases} responses are the same bytes, errors, states and events with the package`, async (t) => {
  t.diagnostic(repeat);
  const [stock, fast] = await Promise.all([
    serve('stock', [], {}, cases),
    serve('fast', ['-r', register], {}, cases),
  ]);
  assert.deepEqual([stock.summary.installed, fast.summary.installed], [false, true]);
  assert.equal(fast.lines.size, stock.lines.size);
  t.diagnostic(JSON.stringify(fast.summary.stats));
  await t.test('with the fast path', () => {
    assertSame(stock, fast, 'the package');
    assert.deepEqual(fast.summary.uncaught, stock.summary.uncaught, repeat);
  });
  await t.test(`of which at least ${100 * FAST} % took the fast path`, () => {
    const { stats } = fast.summary;
    assert.ok(stats.fast >= FAST * cases, `${inspect(stats)}; ${repeat}`);
  });
  await t.test('with a forced hand-back', async () => {
    const few = Math.ceil(cases / 4);
    const env = { ONEWRITE_FORCE: 'handback' };
    const handback = await serve('handback', ['-r', register], env, few);
    assert.equal(handback.summary.stats.fast, 0);
    assert.ok(handback.summary.stats.handedBack.forced >= FAST * few);
    assertSame(stock, handback, 'the package with a forced hand-back');
  });
});

/** What the builder made of a call: its bytes as text, or its code. */
function built({ status, headers, content, options }) {
  try {
    return mask(buildHttpMessage(status, headers, content, options));
  } catch (error) {
    return error.code;
  }
}

/** A date that may be that of now: within a run the second is renewed only between messages. */
const isNow = (date) => Date.parse(date) > started - 1000 && Date.parse(date) <= Date.now();

function mask(bytes) {
  const dated = /\r\nDate: ([A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)\r\n/;
  return bytes
    .toString('latin1')
    .replace(dated, (line, date) => (isNow(date) ? '\r\nDate: <date>\r\n' : line));
}

const outcome = ({ code, bytes }) => code ?? mask(bytes);

/** What the builder must make of a call: one of these, where a call is wrong in two ways. */
function expectedOf(call) {
  const stock = outcome(stockMessage(call.status, call.headers, call.content, call.options));
  const divergence = DIVERGENCES.find(({ applies }) => applies(call));
  if (divergence === undefined) return { expected: [stock], divergence };
  const diverging = divergence.code ?? outcome(divergence.message(call));
  return { expected: stock.startsWith('HTTP/') ? [diverging] : [diverging, stock], divergence };
}

test(`${cases} messages of the builder are those of stock Node but for the listed divergences`, (t) => {
  const random = new Random(`${seed} messages`);
  const reached = new Map(DIVERGENCES.map(({ name }) => [name, 0]));
  let refused = 0;
  for (let i = 0; i < cases; i++) {
    const call = someCall(random);
    const { expected, divergence } = expectedOf(call);
    const got = built(call);
    if (!expected.includes(got)) {
      assert.equal(
        got,
        expected[0],
        `message ${i}, ${repeat}\n${inspect(call, { depth: 5, maxStringLength: 300 })}`,
      );
    }
    if (divergence) reached.set(divergence.name, reached.get(divergence.name) + 1);
    else if (!got.startsWith('HTTP/')) refused++;
  }
  t.diagnostic(`refused by both: ${refused}`);
  assert.ok(refused > 0);
  for (const [name, count] of reached) t.diagnostic(`${count}: ${name}`);
});

for (const divergence of DIVERGENCES) {
  test(`the builder diverges from stock Node: ${divergence.name}`, () => {
    for (const sample of divergence.samples) {
      const call = { status: 200, headers: [], content: undefined, options: undefined, ...sample };
      const shown = inspect(call);
      const found = expectedOf(call);
      assert.equal(found.divergence?.name, divergence.name, shown);
      assert.equal(built(call), found.expected[0], shown);
    }
  });
}
