'use strict';

// `onewrite bench`: programs as people write them, what it reports of them, and how it ends where it cannot.

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { randomUUID } = require('node:crypto');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { setTimeout: delay } = require('node:timers/promises');
const { after, describe, test } = require('node:test');

const { verdictOf } = require('../lib/cli/summary');
const nodes = require('./nodes');
const { plainEnv, run } = require('./program');

const cli = path.join(__dirname, '..', 'bin', 'onewrite.js');
const fixture = (name) => path.join(__dirname, 'fixtures', 'cli', `${name}.js`);
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'onewrite-cli-'));

const TIMEOUT = 120_000; // ms
const SHORT = ['--duration', '0.1', '--rounds', '2', '--warm-up', '0.1', '--connections', '4'];

const skip = process.platform === 'win32' && 'the package does nothing here that could be measured';

after(() => fs.rmSync(scratch, { recursive: true, force: true }));

/** The processes that have a text in their command line. Linux only; elsewhere none. */
function processesWith(mark) {
  if (process.platform !== 'linux') return [];
  return fs.readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return fs.readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(mark);
    } catch {
      return false;
    }
  });
}

/** What was killed takes a moment to be gone. */
async function assertNothingLeft(mark) {
  const until = Date.now() + 10_000;
  while (processesWith(mark).length > 0) {
    assert.ok(Date.now() < until, `left behind: ${processesWith(mark).join(', ')}`);
    await delay(20);
  }
}

/**
 * Runs the bench on a fixture, to whose arguments a mark is added, and checks that no process is left behind.
 * @param {string[]} options of the bench
 * @param {string[]} command fixture and arguments
 */
async function bench(options, [name, ...args], { bin = process.execPath, env, flags = [] } = {}) {
  const mark = randomUUID();
  const result = await run(
    bin,
    [...flags, cli, 'bench', ...SHORT, ...options, '--', bin, fixture(name), ...args, mark],
    { env: { TMPDIR: scratch, ...env }, timeout: TIMEOUT },
  );
  await assertNothingLeft(mark);
  const left = fs.readdirSync(scratch).filter((entry) => entry.startsWith('onewrite-bench-'));
  assert.deepEqual(left, [], 'no folder left behind');
  return result;
}

async function measured(options, command, settings) {
  const { code, stdout, stderr } = await bench(['--json', ...options], command, settings);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

const isNumber = (value) => assert.ok(Number.isFinite(value) && value >= 0, String(value));

function assertSummary(summary) {
  for (const value of [summary.median, summary.low, summary.high, summary.error]) isNumber(value);
  assert.ok(summary.low <= summary.median && summary.median <= summary.high);
}

function assertSide(side) {
  for (const name of ['requestsPerSecond', 'cpuPerRequest', 'memory']) {
    assertSummary(side[name]);
    assert.ok(side[name].median > 0, name);
  }
  const percentiles = side.latency.map(({ percentile }) => percentile);
  assert.deepEqual(percentiles, [1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100]);
  side.latency.forEach(assertSummary);
  assert.equal(side.rounds.length, 2);
  for (const round of side.rounds) {
    assert.ok(round.requests > 0);
    assert.ok(round.seconds > 0.09, String(round.seconds));
    assert.deepEqual(round.errors, {});
    assert.equal(
      Object.values(round.statuses).reduce((sum, count) => sum + count, 0),
      round.requests,
    );
  }
}

/** What every result has. */
function assertResult(result) {
  assert.deepEqual(Object.keys(result.sides), ['stock', 'onewrite']);
  Object.values(result.sides).forEach(assertSide);
  const ratios = ['requestsPerSecond', 'cpuPerRequest', 'memory', 'latency50', 'latency90'];
  assert.deepEqual(Object.keys(result.ratio), [...ratios, 'latency99']);
  for (const ratio of Object.values(result.ratio)) {
    assertSummary(ratio);
    assert.equal(ratio.verdict, 'same', 'two rounds can tell nothing');
  }
  assert.equal(result.onewrite, require('../package.json').version);
  assert.equal(typeof result.machine.cpu, 'string');
  for (const { part, reason, count, share, cause, advice } of result.reasons) {
    assert.ok(part in result.fastPath);
    assert.ok(count > 0 && share > 0 && share <= 1);
    assert.ok([reason, cause, advice].every((text) => typeof text === 'string' && text !== ''));
  }
}

const sharesOf = ({ fastPath }) =>
  Object.fromEntries(Object.entries(fastPath).map(([part, { share }]) => [part, share]));

const withoutBusyLoad = (notes) => notes.filter((note) => !note.includes('the load used all'));

/** What the program with a port in its code changes, beside its port and the last in order. */
const VOLATILE = ['date', 'expires', 'set-cookie', 'x-instance'];

const ALL_FAST = { responses: 1, teardown: 1, engine: 1 };

test('a ratio is told apart from 1 when so many rounds agree that it is no luck', () => {
  const nine = [0.8, 0.9, 0.7, 0.8, 0.9, 0.8, 0.9, 0.8, 0.9];
  assert.equal(verdictOf([...nine, 1.3], 0.85, false), 'better');
  assert.equal(verdictOf([...nine, 1.3], 0.85, true), 'worse');
  assert.equal(verdictOf([...nine.slice(1), 1.3, 1.1], 0.85, false), 'same');
  assert.equal(verdictOf(nine.slice(0, 5), 0.8, false), 'same', 'five of five may be luck');
  assert.equal(verdictOf(nine.slice(0, 6), 0.8, false), 'better');
  assert.equal(verdictOf(Array(10).fill(1.01), 1.01, false), 'same', 'a trifle');
  assert.equal(verdictOf(Array(10).fill(1.2), 1.2, true), 'better');
});

describe('a bench', { skip }, () => {
  for (const { major, bin } of nodes.binaries()) {
    test(`measures a small server on Node ${major}`, async () => {
      const result = await measured([], ['plain'], { bin });
      assertResult(result);
      assert.equal(Number.parseInt(result.node.slice(1), 10), major);
      assert.deepEqual(sharesOf(result), ALL_FAST);
      const requests = result.sides.onewrite.rounds.reduce((sum, round) => sum + round.requests, 0);
      for (const { fast } of Object.values(result.fastPath)) assert.equal(fast, requests);
      assert.deepEqual(result.reasons, []);
      // The load may well be slower than so small a server.
      assert.deepEqual(withoutBusyLoad(result.notes), []);
      assert.deepEqual(result.answers, {
        status: 200,
        bytes: 5,
        volatile: ['date'],
        bodyCompared: true,
      });
      assert.equal(result.sides.stock.processes, 1);
    });

    test(`measures all workers of a cluster on Node ${major}`, async () => {
      const result = await measured([], ['cluster'], { bin });
      assertResult(result);
      assert.equal(result.sides.stock.processes, 3);
      assert.equal(result.sides.onewrite.processes, 3);
      assert.deepEqual(sharesOf(result), ALL_FAST);
    });
  }

  test('gives two runs of a program with a port in its code a port each', async () => {
    const result = await measured([], ['hard-coded']);
    assertResult(result);
    assert.deepEqual(result.answers.volatile, [...VOLATILE, 'x-port', 'x-request-id']);
    assert.equal(result.answers.bodyCompared, true);
    assert.deepEqual(sharesOf(result), ALL_FAST);
  });

  test('runs a program one at a time on its own port', async () => {
    const result = await measured(['--one-at-a-time'], ['hard-coded']);
    assertResult(result);
    assert.equal(result.options.oneAtATime, true);
    assert.deepEqual(result.answers.volatile, [...VOLATILE, 'x-request-id']);
    assert.deepEqual(sharesOf(result), ALL_FAST);
  });

  test('names why responses are left to Node, and what to change', async () => {
    const options = ['--url', '/streamed'];
    const result = await measured(options, ['hard-coded']);
    assert.equal(sharesOf(result).responses, 0);
    const [first] = result.reasons;
    assert.deepEqual(
      { part: first.part, reason: first.reason, share: first.share },
      { part: 'responses', reason: 'started', share: 1 },
    );
    const { stdout } = await bench(options, ['hard-coded']);
    assert.ok(stdout.includes(first.cause), stdout);
    assert.ok(stdout.includes(first.advice), stdout);
    assert.match(stdout, /^CPU per request, µs +[\d.]+ \([\d.]+-[\d.]+\)/m);
  });

  test('asks for a path with fields of the user, and accepts any status', async () => {
    const options = ['--url', '/missing?a=b', '--header', 'X-By: me'];
    const result = await measured(options, ['hard-coded']);
    assert.equal(result.answers.status, 200);
    assert.equal(result.answers.bytes, '{"url":"/missing?a=b","by":"me","time":0}'.length);
    const missing = await measured(['--url', '/missing'], ['hard-coded']);
    assert.equal(missing.answers.status, 404);
    assert.deepEqual(Object.keys(missing.sides.stock.rounds[0].statuses), ['404']);
  });

  test('does not compare a body that changes without the package, too', async () => {
    const result = await measured(['--url', '/time'], ['hard-coded']);
    assert.equal(result.answers.bodyCompared, false);
    assert.match(result.notes.join('\n'), /bodies were not compared/);
  });

  test('measures a server in a worker thread', async () => {
    const result = await measured([], ['threads']);
    assertResult(result);
    assert.equal(result.sides.stock.processes, 1);
    assert.deepEqual(sharesOf(result), ALL_FAST);
  });

  test('drives the server that --port chooses, and says that there is a choice', async () => {
    const first = await measured([], ['two-ports']);
    assert.equal(first.answers.bytes, 'metrics'.length);
    assert.match(first.notes.join('\n'), /HTTP ports 28183, 28184; --port chooses/);
    const chosen = await measured(['--port', '28184'], ['two-ports']);
    assert.equal(chosen.answers.bytes, 'application'.length);
  });

  test('measures the parts that ONEWRITE names, and says what is off', async () => {
    const result = await measured([], ['plain'], { env: { ONEWRITE: 'responses' } });
    assert.deepEqual(sharesOf(result), { responses: 1, teardown: null, engine: 0 });
    assert.match(result.notes.join('\n'), /the part engine was off: ONEWRITE=responses/);
  });

  test('says that a rate limit answers, and that connections are not kept', async () => {
    const result = await measured(['--warm-up', '0'], ['limited']);
    assertResult(result);
    const notes = result.notes.join('\n');
    assert.match(notes, /stock and onewrite: not all answers under load had status 200 \(.*429/);
    assert.match(notes, /closes its connections/);
    for (const round of result.sides.stock.rounds) assert.ok(round.reconnects > 0);
  });

  test('keeps the NODE_OPTIONS of the user', async () => {
    const env = { NODE_OPTIONS: '--title=kept' };
    const result = await measured([], ['plain'], { env });
    assert.deepEqual(sharesOf(result), ALL_FAST);
  });

  test('writes a page that needs no network', async () => {
    const file = path.join(scratch, 'page.html');
    const options = ['--html', file, '--url', '/streamed', '--header', 'X-By: <b>&"'];
    const { code, stderr } = await bench(options, ['hard-coded', '<i>&amp;']);
    assert.equal(code, 0, stderr);
    const html = fs.readFileSync(file, 'utf8');
    assert.match(html, /^<!doctype html>/);
    assert.equal(html.match(/<svg /g).length, 4);
    assert.ok(!/(?:https?:)?\/\/[a-z]/i.test(html.replaceAll(process.execPath, '')), 'no address');
    assert.ok(!/<(?:script|link|img|iframe|object|use)\b|@import|url\(|\bsrc=|\bhref=/i.test(html));
    assert.match(html, /default-src 'none'/);
    assert.ok(html.includes('&lt;i&gt;&amp;amp;') && !html.includes('<i>&amp;'), 'text is escaped');
    assert.ok(!/NaN|undefined|Infinity/.test(html));
  });
});

describe('a bench of a program that cannot be measured', { skip }, () => {
  const fails = async (options, command, exitCode, message, settings) => {
    const { code, stdout, stderr } = await bench(options, command, settings);
    assert.match(stderr, message);
    assert.equal(code, exitCode, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, /^error: /m);
    assert.doesNotMatch(stderr, /^ +at /m, 'no stack');
  };
  const brief = ['--timeout', '4'];

  test('ends with 3 when the program ends, and shows what it printed', () =>
    fails(
      [],
      ['failing', 'exits'],
      3,
      /exit code 7\)\nit printed:\n {2}\| cannot find its database/,
    ));

  test('ends with 3 when the program ends under load', () =>
    fails([], ['failing', 'dies'], 3, /ended \(exit code 9\)/));

  test('ends with 4 when the program opens no port', () =>
    fails(brief, ['failing', 'silent'], 4, /opened no HTTP port within 4 s; it called no listen/));

  test('ends with 4 when the program serves something else', () =>
    fails(brief, ['failing', 'other'], 4, /it serves another protocol on port 28181/));

  test('ends with 4 when no server has the port that was chosen', () =>
    fails([...brief, '--port', '1'], ['two-ports'], 4, /HTTP on port 28183, HTTP on port 28184/));

  test('ends with 5 when heads differ', () =>
    fails([], ['failing', 'differs'], 5, /heads differ\n.*X-Side: stock.*\n.*X-Side: onewrite/));

  test('ends with 5 when bodies differ', () =>
    fails([], ['failing', 'differs-in-body'], 5, /bodies differ\n.*from off"\n.*from onewrite"/));

  test('ends with 6 when requests are not answered', () =>
    fails([], ['failing', 'drops'], 6, /requests failed under load/));

  test('ends with 1 when there is nothing to compare', () =>
    fails([], ['plain'], 1, /addon did not load/, { flags: ['--no-addons'] }));

  test('ends with 3 when there is no such program', async () => {
    const args = [cli, 'bench', ...SHORT, '--', path.join(scratch, 'nothing')];
    const { code, stderr } = await run(process.execPath, args, { timeout: TIMEOUT });
    assert.equal(code, 3, stderr);
    assert.match(stderr, /^error: the program \((stock|onewrite)\)/m);
  });

  test('ends with 4 when the program is none of Node.js', async () => {
    const args = [cli, 'bench', ...SHORT, ...brief, '--', 'sleep', '60'];
    const { code, stderr } = await run(process.execPath, args, { timeout: TIMEOUT });
    assert.equal(code, 4, stderr);
    assert.match(stderr, /is it run by Node\.js/);
  });

  for (const [options, message] of [
    [['--conections', '5'], /Unknown option '--conections'/],
    [['--rounds', '0'], /--rounds 0: must be a whole number from 1/],
    [['--rounds', '1.5'], /--rounds 1\.5/],
    [['--duration', 'long'], /--duration long: must be a number/],
    [['--connections', ''], /--connections/],
    [['--port', '65536'], /--port 65536/],
    [['--url', 'users'], /--url users: must be a path/],
    [['--header', 'X-By'], /--header X-By/],
    [['--html', path.join(scratch, 'no', 'page.html')], /--html .*ENOENT/],
    [['server.js'], /unexpected argument 'server\.js'/],
  ]) {
    test(`ends with 2 for ${options.join(' ').replace(scratch, '')}`, () =>
      fails(options, ['plain'], 2, message));
  }

  test('ends with 2 without a program, and where ONEWRITE=off leaves nothing to compare', async () => {
    for (const args of [['bench'], ['bench', '--'], ['bench', '--json']]) {
      const { code, stderr } = await run(process.execPath, [cli, ...args], { timeout: TIMEOUT });
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, /no program/);
    }
    await fails([], ['plain'], 2, /ONEWRITE=off/, { env: { ONEWRITE: 'off' } });
  });
});

describe('a bench that is ended', { skip }, () => {
  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    // With the helpless end only what is Node.js, or in the group of the program, notices.
    ['SIGKILL', null],
  ])) {
    test(`by ${signal} leaves no process behind`, async () => {
      const mark = randomUUID();
      const program = [process.execPath, fixture('failing'), 'parent', mark];
      const child = spawn(process.execPath, [cli, 'bench', '--duration', '60', '--', ...program], {
        env: { ...plainEnv, TMPDIR: scratch },
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: TIMEOUT,
      });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text) => {
        stderr += text;
      });
      const ended = once(child.stderr, 'end');
      // Behind the check both programs run, with all that they start.
      while (!stderr.includes('warm-up')) {
        if ((await Promise.race([once(child.stderr, 'data'), ended])).length === 0) break;
      }
      assert.match(stderr, /warm-up/);
      if (process.platform === 'linux') assert.ok(processesWith(mark).length > 2);
      child.kill(signal);
      const [actual] = await once(child, 'exit');
      assert.equal(actual, code);
      await assertNothingLeft(mark);
    });
  }
});
