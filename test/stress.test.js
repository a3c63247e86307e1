'use strict';

// A server under clients that vanish and handlers that destroy, throw and close it: it goes on, and leaves nothing.
//
//   ONEWRITE_PROPERTY_SEED=… ONEWRITE_STRESS_CONNECTIONS=… node --test test/stress.test.js

const assert = require('node:assert/strict');
const { randomBytes } = require('node:crypto');
const path = require('node:path');
const { test } = require('node:test');

const { MODES } = require('./modes');
const { run } = require('./program');

const seed = process.env.ONEWRITE_PROPERTY_SEED || randomBytes(4).toString('hex');
const connections = Number(process.env.ONEWRITE_STRESS_CONNECTIONS || 3000);
const repeat = `repeat with ONEWRITE_PROPERTY_SEED=${seed} ONEWRITE_STRESS_CONNECTIONS=${connections}`;
const program = path.join(__dirname, 'fixtures', 'stress.js');

/** A process that takes so long hangs: a minute, and so much for each connection. */
const LIMIT_MS = 60_000 + 30 * connections;

/** Bytes that a process may have more behind so many connections than it had when it was warm. */
const MIB = 2 ** 20;
const LIMITS = { heapUsed: 6 * MIB, external: 6 * MIB, rss: 64 * MIB };

for (const [name, { args, env, native }] of Object.entries(MODES)) {
  test(`${connections} connections with ${name}`, async (t) => {
    t.diagnostic(repeat);
    const own = ['--no-warnings', '--expose-gc', ...args, program, seed, connections];
    const { code, signal, stdout, stderr } = await run(process.execPath, own, {
      env,
      timeout: LIMIT_MS,
    });
    assert.deepEqual({ code, signal }, { code: 0, signal: null }, `${repeat}\n${stderr}`);
    assert.equal(stderr, '');
    const { before, after, served, thrown, last, stats } = JSON.parse(stdout);
    t.diagnostic(JSON.stringify({ before, after, served, thrown, engine: stats.engine }));
    // The slower it is, the more clients vanish before they are served.
    assert.ok(served > connections / 4 && thrown > 0, `served ${served}, thrown ${thrown}`);
    assert.match(last, /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nanswer$/s);
    assert.equal(after.connections, 0);
    assert.equal(after.descriptors, before.descriptors, 'descriptors leak');
    for (const [what, limit] of Object.entries(LIMITS)) {
      assert.ok(
        after[what] - before[what] < limit,
        `${what}: ${before[what]}, then ${after[what]}`,
      );
    }
    if (native) assert.ok(stats.engine.fast > 0.3 * served, JSON.stringify(stats.engine));
  });
}
