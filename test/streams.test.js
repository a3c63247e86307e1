'use strict';

// Streams of bytes that clients may send: plain, unusual, malformed and with two readings. Each arrives whole, split at
// each of its bytes, and in random pieces; requests, events and answers are those of stock Node.
//
//   ONEWRITE_PROPERTY_SEED=… node --test test/streams.test.js

const assert = require('node:assert/strict');
const { randomBytes } = require('node:crypto');
const path = require('node:path');
const { test } = require('node:test');

const { MODES, STOCK, skip } = require('./modes');
const { run } = require('./program');

const program = path.join(__dirname, 'streams', 'run.js');
const seed = process.env.ONEWRITE_PROPERTY_SEED || randomBytes(4).toString('hex');
const repeat = `repeat with ONEWRITE_PROPERTY_SEED=${seed}`;

/** How often each stream arrives in random pieces. */
const DRAWN = 4;
/** So much of all requests in plain streams that arrive whole must be served natively. */
const NATIVE = 0.95;

/** A process that takes so long hangs. */
const LIMIT_MS = 600_000;

/**
 * Sends all streams in a process of its own.
 * @returns {Promise<{ cases: Map<string, { records: Map<string, string>, plain: boolean, requests: number, native: number }>,
 *   installed: boolean }>} records by the way in which the stream arrived
 */
async function serve({ args, env }, splits) {
  const own = ['--no-warnings', ...args, program, seed, DRAWN, splits];
  const { code, signal, stdout, stderr } = await run(process.execPath, own, {
    env,
    timeout: LIMIT_MS,
  });
  assert.equal(code, 0, `ended with ${code ?? signal}; ${repeat}\n${stderr}`);
  const lines = stdout.trimEnd().split('\n');
  const { installed } = JSON.parse(lines.pop());
  const cases = new Map();
  for (const line of lines) {
    const { file, name, records, ...rest } = JSON.parse(line);
    const byWay = records.flatMap(([record, ways]) => ways.map((way) => [way, record]));
    cases.set(`${path.basename(file, '.js')}: ${name}`, { records: new Map(byWay), ...rest });
  }
  return { cases, installed };
}

/** Fails at the first way in which another record came of it. */
function assertSame(own, stock) {
  const different = [...own.records].filter(([way, record]) => record !== stock.records.get(way));
  if (different.length === 0) return;
  const [[way, record]] = different;
  const all = own.records.size;
  const where = `${way}; in ${different.length} of ${all} ways; ${repeat}`;
  assert.deepEqual(JSON.parse(record), JSON.parse(stock.records.get(way)), where);
}

test('streams', { skip }, async (t) => {
  t.diagnostic(repeat);
  // The engine is the same in each mode: splits at each byte are tried in one.
  const modes = Object.entries(MODES);
  const [stock, ...all] = await Promise.all([
    serve(STOCK, 'all'),
    ...modes.map(([, mode], i) => serve(mode, i === 0 ? 'all' : 'few')),
  ]);
  assert.equal(stock.installed, false);
  for (const [i, [name, mode]] of modes.entries()) {
    const own = all[i];
    assert.equal(own.installed, true);
    await t.test(`with ${name}`, async (each) => {
      assert.deepEqual([...own.cases.keys()].sort(), [...stock.cases.keys()].sort());
      for (const [what, result] of own.cases) {
        await each.test(what, () => assertSame(result, stock.cases.get(what)));
      }
      if (!mode.native) return;
      await each.test('plain requests are served natively', (last) => {
        const plain = [...own.cases.values()].filter((result) => result.plain);
        const sum = (key) => plain.reduce((all, result) => all + result[key], 0);
        last.diagnostic(`${sum('native')} of ${sum('requests')}`);
        assert.ok(sum('requests') > 0);
        assert.ok(sum('native') >= NATIVE * sum('requests'));
      });
    });
  }
});
