'use strict';

// Connections as a program sees them. Each scenario of test/fixtures/engine runs on stock Node and in each mode of the
// package, and must not be able to tell them apart.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');

const { MODES, STOCK, skip } = require('./modes');
const { run } = require('./program');

const RUN = path.join(__dirname, 'behaviour', 'run.js');
const SCENARIOS = path.join(__dirname, 'fixtures', 'engine', 'scenarios');

/** A process that takes so long hangs. */
const LIMIT_MS = 300_000;

/** Runs all scenarios of a file in a process of their own. */
async function report(file, { args, env }) {
  const program = ['--no-warnings', ...args, RUN, path.join(SCENARIOS, file)];
  const { code, signal, stdout, stderr } = await run(process.execPath, program, {
    env,
    timeout: LIMIT_MS,
  });
  try {
    return { ...JSON.parse(stdout), stderr };
  } catch {
    throw new Error(`${file} ended with ${signal ?? code}\n${stderr}\n${stdout.slice(-2000)}`);
  }
}

/** What can be told of a scenario, a line each, as JSON. */
const linesOf = ({ transcript: { log, wire, ...rest } }) =>
  [...log, ...wire, rest].map((entry) => JSON.stringify(entry));

/** Fails at the first line that differs, with those around it. */
function assertSameLines(own, stock) {
  if (own.join('\n') === stock.join('\n')) return;
  let at = 0;
  while (own[at] === stock[at]) at++;
  const around = (lines) => lines.slice(Math.max(0, at - 5), at + 6);
  assert.deepEqual(around(own), around(stock), `line ${at} is another than on stock Node`);
}

function assertSame(stock, own, { native }) {
  assert.ok(own.ok, own.error);
  assertSameLines(linesOf(own), linesOf(stock));
  assert.deepEqual(
    own.near.map(([label]) => label),
    stock.near.map(([label]) => label),
  );
  for (const [i, [label, value, tolerance]] of stock.near.entries()) {
    const got = own.near[i][1];
    assert.ok(Math.abs(got - value) <= tolerance, `${label}: ${got}, on stock Node ${value}`);
  }
  if (native && stock.native !== false) {
    assert.ok(own.engine.fast > 0, `none was served natively: ${JSON.stringify(own.engine)}`);
  }
}

for (const file of fs.readdirSync(SCENARIOS)) {
  test(path.basename(file, '.js'), { skip }, async (t) => {
    const names = Object.keys(MODES);
    const [stock, ...own] = await Promise.all(
      [STOCK, ...Object.values(MODES)].map((mode) => report(file, mode)),
    );
    for (const { stderr } of [stock, ...own]) assert.equal(stderr, '');
    assert.deepEqual(
      [stock, ...own].map(({ installed }) => installed),
      [false, ...own.map(() => true)],
    );
    for (const [i, expected] of stock.results.entries()) {
      await t.test(expected.name, async (each) => {
        assert.ok(expected.ok, expected.error);
        for (const [place, mode] of names.entries()) {
          await each.test(mode, () => assertSame(expected, own[place].results[i], MODES[mode]));
        }
      });
    }
  });
}
