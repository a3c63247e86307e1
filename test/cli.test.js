'use strict';

// The command line: what it takes, `onewrite doctor`, and ONEWRITE_DEBUG. The bench has files of its own.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { describe, test } = require('node:test');

const advice = require('../lib/advice');
const { isDebugging } = require('../lib/environment');
const stats = require('../lib/stats');
const nodes = require('./nodes');
const { run } = require('./program');

const root = path.join(__dirname, '..');
const cli = path.join(root, 'bin', 'onewrite.js');
const register = path.join(root, 'register.js');
const handsBack = path.join(__dirname, 'fixtures', 'cli', 'hands-back.js');

const TIMEOUT = 60_000; // ms

const onewrite = (args, options = {}) =>
  run(options.bin ?? process.execPath, [...(options.flags ?? []), cli, ...args], {
    timeout: TIMEOUT,
    ...options,
  });

describe('the command', () => {
  test('says its version', async () => {
    const { code, stdout } = await onewrite(['--version']);
    assert.equal(code, 0);
    assert.equal(stdout.trim(), require('../package.json').version);
  });

  test('says how it is used, on stdout when asked', async () => {
    for (const args of [['--help'], ['doctor', '--help'], ['bench', '--help'], ['bench', '-h']]) {
      const { code, stdout, stderr } = await onewrite(args);
      assert.equal(code, 0, args.join(' '));
      assert.match(stdout, /^usage: onewrite /);
      assert.equal(stderr, '');
    }
    const { code, stdout, stderr } = await onewrite([]);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /^usage: onewrite /);
  });

  for (const args of [
    ['cure'],
    ['doctor', '--jason'],
    ['doctor', 'server.js'],
    ['doctor', '--', 'server.js'],
  ]) {
    test(`refuses ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await onewrite(args);
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.match(stderr, /^error: /);
    });
  }

  test('is what package.json says, and may be executed', () => {
    const { bin } = require('../package.json');
    assert.equal(path.join(root, bin.onewrite), cli);
    assert.match(fs.readFileSync(cli, 'utf8'), /^#!\/usr\/bin\/env node\n/);
    if (process.platform !== 'win32') fs.accessSync(cli, fs.constants.X_OK);
  });
});

for (const { major, bin } of nodes.binaries()) {
  describe(`the doctor on Node ${major}`, () => {
    const doctor = async (options) => {
      const { code, stdout, stderr } = await onewrite(['doctor', '--json'], { bin, ...options });
      assert.equal(stderr, '');
      return { code, found: JSON.parse(stdout) };
    };

    test('finds all parts on, and has them serve', async () => {
      const { code, found } = await doctor();
      assert.equal(code, 0);
      assert.equal(found.onewrite, require('../package.json').version);
      assert.equal(Number.parseInt(found.node.version.slice(1), 10), major);
      assert.equal(found.node.tested, true);
      const on = { on: true, reason: null };
      assert.deepEqual(found.parts, { responses: on, teardown: on, engine: on });
      assert.deepEqual(found.trial.fast, { responses: 3, teardown: 3, engine: 3 });
      assert.equal(found.trial.passed, true);
      assert.equal(found.addon.reason, null);
      assert.match(found.addon.file, /onewrite\..*\.node$/);
      assert.deepEqual(found.warnings, []);
    });

    test('says so as text', async () => {
      const { code, stdout, stderr } = await onewrite(['doctor'], { bin });
      assert.equal(code, 0);
      assert.equal(stderr, '');
      assert.match(stdout, /^Node\.js +v\d+/m);
      for (const part of ['responses', 'teardown', 'engine']) {
        assert.match(stdout, new RegExp(`^${part} +on `, 'm'));
      }
      assert.match(stdout, /All parts are on\.\n$/);
      assert.ok(!stdout.includes('\x1b'), 'no colour off a terminal');
    });

    test('says why parts are off without addons', async () => {
      const { code, found } = await doctor({ flags: ['--no-addons'] });
      assert.equal(code, 1);
      for (const part of ['responses', 'engine']) {
        assert.equal(found.parts[part].on, false);
        assert.match(found.parts[part].reason, /addon did not load/);
      }
      assert.equal(found.addon.file, null);
      assert.equal(found.addon.reason, found.parts.responses.reason);
    });

    test('says what ONEWRITE switches off', async () => {
      const off = await doctor({ env: { ONEWRITE: 'off' } });
      assert.equal(off.code, 1);
      assert.equal(off.found.environment.ONEWRITE, 'off');
      for (const { on, reason } of Object.values(off.found.parts)) {
        assert.deepEqual({ on, reason }, { on: false, reason: 'ONEWRITE=off' });
      }
      const some = await doctor({ env: { ONEWRITE: 'responses,nonsense' } });
      assert.equal(some.code, 1);
      assert.equal(some.found.parts.responses.on, true);
      assert.equal(some.found.parts.engine.on, false);
      assert.deepEqual(
        some.found.warnings.map(({ code }) => code),
        ['ONEWRITE_UNKNOWN_PART'],
      );
      const { stdout } = await onewrite(['doctor'], { bin, env: { ONEWRITE: 'off' } });
      assert.match(stdout, /^engine +off +ONEWRITE=off$/m);
    });
  });

  describe(`ONEWRITE_DEBUG on Node ${major}`, () => {
    const serve = async (env) => {
      const args = ['-r', register, handsBack];
      const { code, stdout, stderr } = await run(bin, args, { env, timeout: TIMEOUT });
      assert.equal(code, 0, stderr);
      return { result: JSON.parse(stdout), stderr };
    };

    test('says each reason once, with what to change', async () => {
      const plain = await serve({});
      assert.equal(plain.stderr, '');
      assert.deepEqual(plain.result.handedBack, { encoding: 3, started: 3 });
      for (const off of ['0', '']) assert.deepEqual(await serve({ ONEWRITE_DEBUG: off }), plain);

      const { result, stderr } = await serve({ ONEWRITE_DEBUG: '1' });
      assert.deepEqual(result, plain.result);
      const lines = stderr.trim().split('\n');
      const expected = ['started', 'encoding'].map(
        (reason) =>
          `onewrite: responses hands back to Node (${reason}): ${stats.REASONS[reason]}. ${advice.responses[reason]}`,
      );
      assert.deepEqual(
        lines.filter((line) => line.startsWith('onewrite: responses')),
        expected,
      );
      assert.equal(new Set(lines).size, lines.length, 'no line twice');
    });

    test('says which parts are off', async () => {
      const { stderr } = await serve({ ONEWRITE_DEBUG: '1', ONEWRITE: 'responses' });
      assert.match(stderr, /^onewrite: engine is off: ONEWRITE=responses$/m);
      assert.doesNotMatch(stderr, /responses is off/);
    });
  });
}

describe('ONEWRITE_DEBUG', () => {
  test('is off unless it says something', () => {
    const before = process.env.ONEWRITE_DEBUG;
    try {
      for (const [value, on] of Object.entries({ 1: true, true: true, 0: false, '': false })) {
        process.env.ONEWRITE_DEBUG = value;
        assert.equal(isDebugging(), on, JSON.stringify(value));
      }
      delete process.env.ONEWRITE_DEBUG;
      assert.equal(isDebugging(), false);
    } finally {
      if (before !== undefined) process.env.ONEWRITE_DEBUG = before;
    }
  });

  test('leaves the counters plain properties when it is off', () => {
    for (const part of ['responses', 'teardown', 'engine']) {
      for (const [reason, property] of Object.entries(
        Object.getOwnPropertyDescriptors(stats[part].handedBack),
      )) {
        assert.equal(property.get, undefined, `${part} ${reason}`);
      }
    }
  });

  test('has advice for each reason, and for no other', () => {
    for (const [part, reasons] of Object.entries({
      responses: stats.REASONS,
      teardown: stats.TEARDOWN_REASONS,
      engine: stats.ENGINE_REASONS,
    })) {
      assert.deepEqual(Object.keys(advice[part]).sort(), Object.keys(reasons).sort(), part);
    }
  });

  test('survives a stderr that is closed', { skip: process.platform === 'win32' }, async () => {
    const command = `exec "${process.execPath}" -r "${register}" "${handsBack}" 2>&-`;
    const { code, stdout } = await run('sh', ['-c', command], {
      env: { ONEWRITE_DEBUG: '1' },
      timeout: TIMEOUT,
    });
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout).handedBack, { encoding: 3, started: 3 });
  });
});
