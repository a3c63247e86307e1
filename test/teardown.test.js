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
        assert.ok(fast > 0.15 * cases, JSON.stringify(stats.teardown));
        for (const reason of ['touched', 'connection', 'heard', 'scheduled'])
          assert.ok(handedBack[reason] > 0);
      }
    });
  }
});

const none = { microtask: 0, promise: 0, immediate: 0 };
// The meter sees emits that nobody listens to, and so they are made. A timer that is let go counts
// as made: its async resource is a new one.
const older = { ...none, tick: 4, timer: 2, emit: 3, 'unheard emit': 6, listener: 4 };
const newer = { ...none, tick: 2, timer: 2, emit: 3, 'unheard emit': 4, listener: 4 };

/** What a keep-alive exchange may schedule, emit and arm with all parts, by major version. */
const LIMITS = { 20: older, 22: older, 24: newer, 26: newer };
const MAJOR = Number.parseInt(process.versions.node, 10);

test('a keep-alive exchange schedules, emits and arms no more than it has to', async () => {
  const servers = ['stock', 'responses', 'teardown', 'onewrite'];
  const counts = await countAll(process.execPath, servers.join(','), 100);
  const sums = Object.fromEntries(servers.map((server) => [server, byKind(counts[server])]));
  const assertWithin = (server, limits) => {
    for (const [kind, count] of Object.entries(sums[server])) {
      // A timer of the process that has nothing to do with the exchanges may run out meanwhile.
      const limit = (limits[kind] ?? 0) + 0.05;
      assert.ok(count <= limit, `${server}: ${kind} ${count}, at most ${limit}`);
    }
  };
  for (const server of servers) assertWithin(server, sums.stock);
  assertWithin('onewrite', LIMITS[MAJOR] ?? sums.stock);
});
