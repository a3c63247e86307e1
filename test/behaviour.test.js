'use strict';
// Runs the behaviour cases on every Node version and in every mode, and compares: a case passes if its assertions
// hold everywhere and if no mode can be told from another.

const assert = require('node:assert');
const path = require('node:path');
const test = require('node:test');

const { REASONS } = require('../lib/stats');
const { binaries } = require('./nodes');
const { run } = require('./program');

const ROOT = path.join(__dirname, '..');
const RUN = path.join(__dirname, 'behaviour', 'run.js');
const REGISTER = path.join(ROOT, 'register.js');

const NODES = new Map(binaries().map(({ major, bin }) => [major, bin]));
const MODES = {
  stock: { args: [], env: {} },
  fast: { args: ['-r', REGISTER], env: {} },
  teardown: { args: ['-r', REGISTER], env: { ONEWRITE: 'teardown' } },
  handback: { args: ['-r', REGISTER], env: { ONEWRITE_FORCE: 'handback' } },
};
const AT_ONCE = 2;

async function execute(version, mode) {
  const { args, env } = MODES[mode];
  const { code, signal, stdout, stderr } = await run(NODES.get(version), [...args, RUN], { env });
  try {
    return { ...JSON.parse(stdout), errors: stderr };
  } catch {
    const why = `no report (${signal ?? code})\n${stderr}\n${stdout.slice(-2000)}`;
    throw new Error(`node ${version} ${mode}: ${why}`);
  }
}

let active = 0;
const waiting = [];

async function report(version, mode) {
  if (active === AT_ONCE) await new Promise((resolve) => waiting.push(resolve));
  active++;
  try {
    return await execute(version, mode);
  } finally {
    active--;
    waiting.shift()?.();
  }
}

/** One case of one version, in every mode. */
function check(results) {
  const { fast, teardown, handback, stock } = results;
  for (const [mode, result] of Object.entries(results))
    assert.ok(result.ok, `in mode ${mode}: ${result.error}`);
  assert.deepStrictEqual(
    fast.transcript,
    stock.transcript,
    'the fast mode and stock Node can be told apart',
  );
  assert.deepStrictEqual(
    handback.transcript,
    stock.transcript,
    'the handback mode and stock Node can be told apart',
  );

  assert.deepStrictEqual(
    teardown.transcript,
    stock.transcript,
    'the part teardown alone and stock Node can be told apart',
  );

  assert.deepStrictEqual(teardown.stats, { fast: 0, handedBack: {} });
  assert.strictEqual(handback.stats.fast, 0, 'no response may take the fast path in mode handback');
  if (stock.path === 'fast') {
    assert.ok(fast.stats.fast > 0, `meant for the fast path, but ${JSON.stringify(fast.stats)}`);
    assert.deepStrictEqual(fast.stats.handedBack, {});
    assert.ok(
      handback.stats.handedBack.forced > 0,
      `nothing was handed back by force: ${JSON.stringify(handback.stats)}`,
    );
  } else if (stock.path !== 'any') {
    assert.ok(
      fast.stats.handedBack[stock.path] > 0,
      `meant to be handed back as '${stock.path}', but ${JSON.stringify(fast.stats)}`,
    );
    // Which reason wins when one is forced is not fixed.
    assert.notDeepStrictEqual(handback.stats.handedBack, {});
  }
  if (stock.responses !== undefined) {
    for (const [mode, { stats }] of [
      ['fast', fast],
      ['handback', handback],
    ]) {
      const sum = Object.values(stats.handedBack).reduce((a, b) => a + b, stats.fast);
      assert.strictEqual(
        sum,
        stock.responses,
        `mode ${mode} must count each response once: ${JSON.stringify(stats)}`,
      );
    }
  }
}

const taken = new Set();

for (const version of NODES.keys()) {
  const runs = Object.keys(MODES).map((mode) => report(version, mode));
  for (const run of runs) run.catch(() => {});
  test(`Node ${version}`, async (t) => {
    const reports = await Promise.all(runs);
    const [stock, fast, teardown, handback] = reports;
    await t.test(
      'ran the wanted Node, with and without the package, and the same cases in each mode',
      () => {
        for (const { node } of reports) assert.ok(node.startsWith(`v${version}.`), node);
        assert.deepStrictEqual(
          reports.map(({ installed }) => installed),
          [false, true, true, true],
        );
        const names = ({ results }) => results.map(({ file, name }) => `${file}: ${name}`);
        assert.strictEqual(new Set(names(stock)).size, stock.results.length, 'names are unique');
        assert.deepStrictEqual(names(fast), names(stock));
        assert.deepStrictEqual(names(teardown), names(stock));
        assert.deepStrictEqual(names(handback), names(stock));
        assert.deepStrictEqual(
          reports.map(({ errors }) => errors),
          ['', '', '', ''],
          'nothing on standard error',
        );
      },
    );
    for (const { stats } of [...fast.results, ...handback.results]) {
      for (const reason of Object.keys(stats.handedBack)) taken.add(reason);
    }
    const same = (results, { file, name }) =>
      results.find((result) => result.file === file && result.name === name);
    for (const result of stock.results) {
      await t.test(`${result.file.replace(/\.js$/, '')}: ${result.name}`, () => {
        check({
          stock: result,
          fast: same(fast.results, result),
          teardown: same(teardown.results, result),
          handback: same(handback.results, result),
        });
      });
    }
  });
}

test('every reason to hand back was taken, and no other', () => {
  assert.deepStrictEqual([...taken].sort(), Object.keys(REASONS).sort());
});
