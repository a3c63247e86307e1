'use strict';

// The inactivity timers of kept connections: the same happens on them as on stock Node, at the same time.

const assert = require('node:assert/strict');
const path = require('node:path');
const { test } = require('node:test');

const { run } = require('./program');

const register = path.join(__dirname, '..', 'register.js');
const program = path.join(__dirname, 'fixtures', 'keep-alive.js');

/** ms by which a machine may be late; what the scenarios tell apart is further apart. */
const LATE = 400;

async function serve(args) {
  const { code, stdout, stderr } = await run(process.execPath, [...args, program]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

const whats = (log) => log.map(([what]) => what);

test('connections time out as on stock Node', async (t) => {
  const [stock, own] = await Promise.all([serve([]), serve(['-r', register])]);
  assert.deepEqual(Object.keys(own), Object.keys(stock));
  for (const [name, log] of Object.entries(stock)) {
    await t.test(name, () => {
      assert.ok(log.length > 1);
      assert.deepEqual(whats(own[name]), whats(log));
      for (const [i, [what, ms]] of log.entries()) {
        const difference = own[name][i][1] - ms;
        assert.ok(
          Math.abs(difference) < LATE,
          `${what}: ${difference} ms later than on stock Node`,
        );
      }
    });
  }
});
