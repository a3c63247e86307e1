'use strict';

// The end of exchanges: drawn programs see the same events, in the same order, states and async contexts as on stock
// Node, and a keep-alive exchange schedules no more than it has to.
//
//   ONEWRITE_PROPERTY_SEED=… ONEWRITE_PROPERTY_CASES=… node --test test/teardown.test.js

const assert = require('node:assert/strict');
const { randomBytes } = require('node:crypto');
const path = require('node:path');
const { test } = require('node:test');

const { byKind, countAll } = require('../benchmark/micro/ticks');
const { run } = require('./program');
const { draw } = require('./property/teardown');

const seed = process.env.ONEWRITE_PROPERTY_SEED || randomBytes(4).toString('hex');
const cases = Number(process.env.ONEWRITE_PROPERTY_CASES || 1000);
const repeat = `repeat with ONEWRITE_PROPERTY_SEED=${seed} ONEWRITE_PROPERTY_CASES=${cases}`;

const register = path.join(__dirname, '..', 'register.js');
const program = path.join(__dirname, 'property', 'teardown.js');

/**
 * Has a process of its own serve the drawn cases.
 * @param {string | null} parts value of ONEWRITE, null for stock Node
 * @returns {Promise<{ exchanges: { index: number, heads: number, log: string[] }[], stats: object | null }>}
 */
async function serve(parts) {
  const args = ['--no-warnings', ...(parts === null ? [] : ['-r', register])];
  const { code, signal, stdout, stderr } = await run(
    process.execPath,
    [...args, program, seed, String(cases)],
    { env: { ONEWRITE: parts ?? '' } },
  );
  assert.equal(code, 0, `ended with ${code ?? signal}; ${repeat}\n${stderr}`);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { stats: lines.pop().stats, exchanges: lines };
}

test(`${cases} drawn ends of exchanges are those of stock Node`, async (t) => {
  t.diagnostic(repeat);
  const stock = await serve(null);
  assert.equal(stock.stats, null);
  assert.equal(stock.exchanges.length, cases);
  for (const parts of ['', 'teardown', 'responses']) {
    await t.test(parts === '' ? 'with all parts' : `with ${parts} alone`, async () => {
      const { exchanges, stats } = await serve(parts);
      assert.equal(exchanges.length, cases);
      for (const exchange of exchanges) {
        const { index } = exchange;
        const what = `exchange ${index}; ${repeat}\n${JSON.stringify(draw(seed, index))}`;
        assert.deepEqual(exchange, stock.exchanges[index], what);
      }
      const { fast, handedBack } = stats.teardown;
      if (parts === 'responses') {
        assert.deepEqual(stats.teardown, { fast: 0, handedBack: {} });
      } else {
        assert.ok(fast > 0.2 * cases, JSON.stringify(stats.teardown));
        for (const reason of ['touched', 'heard', 'scheduled']) assert.ok(handedBack[reason] > 0);
      }
    });
  }
});

/** What a keep-alive exchange may schedule, by major version. */
const TICKS = { 20: 4, 22: 4, 24: 2, 26: 2 };
const MAJOR = Number.parseInt(process.versions.node, 10);

test('a keep-alive exchange schedules, emits and arms no more than on stock Node', async () => {
  const servers = ['stock', 'responses', 'teardown', 'onewrite'];
  const counts = await countAll(process.execPath, servers.join(','), 100);
  const stock = byKind(counts.stock);
  for (const server of servers) {
    for (const [kind, count] of Object.entries(byKind(counts[server]))) {
      assert.ok(count <= (stock[kind] ?? 0), `${server}: ${kind} ${count}, stock ${stock[kind]}`);
    }
  }
  for (const server of ['teardown', 'onewrite']) {
    const { tick } = byKind(counts[server]);
    assert.ok(tick <= (TICKS[MAJOR] ?? stock.tick), `${server}: ${tick} ticks`);
  }
});
