'use strict';

// The traps of a response that leaves past its socket's own machinery. Most tests run a program of
// test/fixtures twice, on stock Node and with the package preloaded, and compare what it saw.

const assert = require('node:assert/strict');
const { once } = require('node:events');
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { getDefaultHighWaterMark } = require('node:stream');
const { after, describe, test } = require('node:test');

const { CLASSES, REQUESTS, WRAPPERS } = require('./fixtures/wrapped-end');
const { plainEnv, run } = require('./program');

const root = path.join(__dirname, '..');
const register = path.join(root, 'register.js');
const fixture = (name) => path.join(__dirname, 'fixtures', name);

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'onewrite-traps-'));
after(() => fs.rmSync(scratch, { recursive: true, force: true }));

/** Runs a program to its end and gives what it printed. */
async function output(args, { env = {}, stderr = '' } = {}) {
  const ended = await run(process.execPath, args, { env, timeout: 300_000 });
  const { code, signal } = ended;
  assert.deepEqual(
    { code, signal, stderr: ended.stderr },
    { code: 0, signal: null, stderr },
    args.join(' '),
  );
  return ended.stdout.trim();
}

/** Runs a fixture on stock Node and with the package; both must have seen the same. */
async function assertSame(name, ...args) {
  const program = ['--no-warnings', fixture(name), ...args];
  const [stock, own] = await Promise.all([output(program), output(['-r', register, ...program])]);
  const expected = JSON.parse(stock);
  const { log, stats } = JSON.parse(own);
  assert.equal(expected.stats, null);
  assert.deepEqual(log, expected.log);
  return { log, stats };
}

/** A program that listens, prints its port and then lines. */
class Served {
  #waiting = [];
  #lines = [];

  constructor(command, args) {
    this.child = spawn(command, args, { env: plainEnv, stdio: ['pipe', 'pipe', 'inherit'] });
    let rest = '';
    this.child.stdout.setEncoding('utf8').on('data', (data) => {
      rest += data;
      const lines = rest.split('\n');
      rest = lines.pop();
      this.#lines.push(...lines);
      while (this.#waiting.length > 0 && this.#lines.length > 0) this.#waiting.shift()();
    });
  }

  async line() {
    if (this.#lines.length === 0) await new Promise((resolve) => this.#waiting.push(resolve));
    return this.#lines.shift();
  }

  async end() {
    const ended = once(this.child, 'exit');
    this.child.stdin.end();
    await ended;
  }
}

/** Sends a request on a connection of its own and gives all that comes until it closes. */
function exchange(port, url, { leave } = {}) {
  return new Promise((resolve) => {
    let text = '';
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.write(`GET ${url} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      // Long enough for the request to be served; what counts is checked by the server.
      if (leave) setTimeout(() => socket.resetAndDestroy(), 50);
    });
    socket.setEncoding('latin1');
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

describe('a descriptor that was reused', () => {
  const ENDS = [
    'socket.destroy()',
    'socket.destroy() behind writeHead()',
    'socket.resetAndDestroy()',
    'res.destroy()',
    'server.closeAllConnections()',
    'the handle closed by hand',
    'socket.destroySoon()',
    'by the client',
    'by the client, the head not written',
  ];

  async function outcomes(args) {
    const served = new Served(process.execPath, [
      '--no-warnings',
      ...args,
      fixture('descriptor-reuse.js'),
    ]);
    const port = Number(await served.line());
    const all = [];
    for (const name of ENDS) {
      const leave = name.startsWith('by the client') || name.includes('by hand');
      await exchange(port, `/first/${encodeURIComponent(name)}`, { leave });
      // The server has closed its side, too, once another round trip is done.
      await new Promise((resolve) => setTimeout(resolve, 20));
      const text = await exchange(port, '/second');
      all.push({ text: text.replace(/Date: .*\r\n/, ''), ...JSON.parse(await served.line()) });
    }
    served.child.kill();
    return all;
  }

  test('gets nothing of the response of the connection before', async () => {
    const [stock, own] = await Promise.all([outcomes([]), outcomes(['-r', register])]);
    for (const all of [stock, own]) {
      assert.deepEqual(
        all.map(({ reused, name }) => [name, reused]),
        ENDS.map((name) => [name, true]),
        'the descriptors were reused',
      );
    }
    for (const { name, text } of own) {
      assert.equal(
        text,
        'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 8\r\n\r\nnewcomer',
        name,
      );
    }
    assert.deepEqual(own, stock);
  });
});

describe('a socket that does not take the whole message', () => {
  for (const scenario of ['slow reader, TCP', 'slow reader, pipe', 'slow reader, chunked']) {
    test(`${scenario}: bytes, order and the time of finish are those of stock Node`, async () => {
      const { log, stats } = await assertSame('transport.js', scenario);
      assert.ok(stats.handedBack.short >= 1, JSON.stringify(stats));
      const place = log.indexOf('reading now');
      const finished = log.findIndex(([what]) => what === '0 finish');
      assert.ok(finished > place && place > 0, 'no finish before the kernel has taken all');
    });
  }

  test('full buffer: one that is refused altogether is sent later, behind those before', async () => {
    const { stats } = await assertSame('transport.js', 'full buffer');
    // Those that wait behind it may be refused as well when their turn comes.
    const { fast, handedBack } = stats;
    assert.deepEqual(Object.keys(handedBack), ['short']);
    assert.ok(fast > 0 && handedBack.short > 0, JSON.stringify(stats));
    assert.equal(fast + handedBack.short, 20);
  });
});

describe('a send that fails', () => {
  for (const scenario of [
    'failing send, text',
    'failing send, bytes',
    'failing send, chunked',
    'failing send, large',
    'failing send, no body',
    'second send fails',
  ]) {
    test(`${scenario}: errors and events are those of stock Node`, async () => {
      const { log, stats } = await assertSame('transport.js', scenario);
      assert.equal(stats.handedBack.short, 1, JSON.stringify(stats));
      assert.ok(JSON.stringify(log).match(/"code":"(ECONNRESET|EPIPE)"/), JSON.stringify(log));
    });
  }
});

describe('a socket that is not one of the kernel for plain bytes', () => {
  for (const scenario of ['TLS', 'TLS by hand']) {
    test(`${scenario}: nothing is sent past it`, async () => {
      const { stats } = await assertSame('transport.js', scenario);
      assert.deepEqual(stats, { fast: 0, handedBack: { socket: 13 } });
    });
  }

  test('a stream that is no socket', async () => {
    const { stats } = await assertSame('transport.js', 'no socket of the kernel');
    assert.equal(stats.fast, 0);
  });
});

describe('characters that could make a field', () => {
  test('in values, names and reasons, also in arrays that changed after setHeader()', async () => {
    const { log, stats } = await assertSame('characters.js');
    assert.ok(stats.fast > 0);
    assert.ok(log.length > 100);
  });
});

describe('install() and uninstall() with responses under way', () => {
  for (const scenario of [
    'uninstall',
    'uninstall, waiting',
    'install',
    'install, waiting',
    'cycles',
  ]) {
    test(`${scenario}: bytes and events are as if nothing had happened`, async () => {
      const [never, own] = await Promise.all([
        output([fixture('lifecycle.js'), scenario, 'never']),
        output([fixture('lifecycle.js'), scenario]),
      ]);
      const { log, stats } = JSON.parse(own);
      assert.deepEqual(log, JSON.parse(never).log);
      if (!scenario.startsWith('uninstall,')) assert.ok(stats.fast > 0, JSON.stringify(stats));
    });
  }
});

describe('functions of Node, and of others in their place', () => {
  const copy = path.join(scratch, 'copy');
  fs.mkdirSync(copy);
  for (const entry of ['index.js', 'register.js', 'lib', 'package.json']) {
    fs.cpSync(path.join(root, entry), path.join(copy, entry), { recursive: true });
  }
  for (const entry of fs.readdirSync(root).filter((name) => name.endsWith('.node'))) {
    fs.cpSync(path.join(root, entry), path.join(copy, entry));
  }

  for (const scenario of [
    'uninstall() restores the very functions',
    'install() and uninstall() again and again',
    'install({ responses: false })',
    'two copies of the package',
    'a wrapper that was there before',
    'a wrapper that came later',
    'a wrapper that came later, and install() again',
  ]) {
    test(scenario, async () => {
      assert.equal(await output([fixture('patches.js'), scenario, copy]), 'right');
    });
  }

  for (const [target, names] of Object.entries({
    'Writable.prototype': ['write', 'cork', 'uncork'],
    'net.Socket.prototype': ['write', '_write', '_writev', '_writeGeneric'],
    'TCP.prototype': ['writev', 'writeBuffer', 'writeUtf8String', 'writeLatin1String'],
    'http.OutgoingMessage.prototype': ['end', 'write', 'setHeader'],
    'http.ServerResponse.prototype': ['writeHead', '_finish', '_implicitHeader'],
  })) {
    for (const name of names) {
      test(`${target}.${name} that a preloaded program replaces is called as on stock Node`, async () => {
        await assertSame('replaced.js', target, name);
      });
    }
  }
});

describe('ONEWRITE', () => {
  const program = `
    const onewrite = require(${JSON.stringify(root)});
    const http = require('node:http');
    const { parts } = onewrite.install();
    const server = http.createServer((req, res) => res.end('body')).listen(0, '127.0.0.1', () => {
      http.get({ port: server.address().port, agent: false }, (res) => {
        res.resume().on('end', () => {
          console.log(JSON.stringify({ parts, fast: onewrite.stats().responses.fast }));
          server.close();
        });
      });
    });
    process.on('warning', ({ code, message }) => console.log(JSON.stringify({ code, message })));
  `;
  const isOn = { on: true, reason: null };
  const isOff = (value) => ({ on: false, reason: `ONEWRITE=${value}` });
  const on = { parts: { responses: isOn, teardown: isOn, engine: isOn }, fast: 1 };
  const responsesOn = (value) => ({
    parts: { responses: isOn, teardown: isOff(value), engine: isOff(value) },
    fast: 1,
  });
  const off = (value) => ({
    parts: { responses: isOff(value), teardown: isOff(value), engine: isOff(value) },
    fast: 0,
  });

  async function lines(env) {
    const text = await output(['--no-warnings', '-e', program], { env });
    return text.split('\n').map((line) => JSON.parse(line));
  }

  test('is not set, empty, or names the parts: they are on', async () => {
    for (const env of [
      {},
      { ONEWRITE: '' },
      { ONEWRITE: 'all' },
      { ONEWRITE: 'responses,teardown,engine' },
      { ONEWRITE: ' teardown, engine, responses ' },
    ]) {
      assert.deepEqual(await lines(env), [on], JSON.stringify(env));
    }
    assert.deepEqual(await lines({ ONEWRITE: 'responses' }), [responsesOn('responses')]);
  });

  test('off: nothing is on, without a warning', async () => {
    assert.deepEqual(await lines({ ONEWRITE: 'off' }), [off('off')]);
  });

  test('an unknown part is said and does nothing; known ones beside it are on', async () => {
    const [warning, outcome] = await lines({ ONEWRITE: 'response' });
    assert.deepEqual(outcome, off('response'));
    assert.match(warning.code, /^ONEWRITE_/);
    assert.match(warning.message, /\bresponse\b/);
    const [again, beside] = await lines({ ONEWRITE: 'responses,other' });
    assert.deepEqual(beside, responsesOn('responses,other'));
    assert.match(again.message, /\bother\b/);
  });

  test('holds for the preloaded package', async () => {
    const count = `
      const http = require('node:http');
      const server = http.createServer((req, res) => res.end('body')).listen(0, '127.0.0.1', () => {
        http.get({ port: server.address().port, agent: false }, (res) => {
          res.resume().on('end', () => {
            console.log(require(${JSON.stringify(root)}).stats().responses.fast);
            server.close();
          });
        });
      });
    `;
    for (const [env, fast] of [
      [{}, '1'],
      [{ ONEWRITE: 'responses' }, '1'],
      [{ ONEWRITE: 'off' }, '0'],
      [{ ONEWRITE: 'other' }, '0'],
    ]) {
      assert.equal(await output(['--no-warnings', '-r', register, '-e', count], { env }), fast);
    }
  });
});

describe('threads', () => {
  test('serve at the same time, count for themselves, and may be terminated in the middle', async () => {
    assert.equal(await output([fixture('worker-servers.js')]), 'right');
  });
});

describe('a faked time', () => {
  for (const when of ['before', 'after']) {
    test(`${when} the first response: Date is the true one, as on stock Node`, async () => {
      await assertSame('dates.js', when);
    });
  }
});

describe('system calls', () => {
  const hasLargeLimit = getDefaultHighWaterMark(false) > 40_000;

  /** Why calls cannot be traced here, null when they can. */
  function noTrace() {
    const { error, status, stderr } = spawnSync('strace', ['-f', '-e', 'trace=write', 'true'], {
      encoding: 'utf8',
    });
    if (error) return `strace cannot be run: ${error.code}`;
    return status === 0 ? null : `strace is refused: ${stderr.trim()}`;
  }

  /** Each response by its path: the calls that sent bytes of it. */
  async function traced(args) {
    const file = path.join(scratch, `trace-${args.length}`);
    const served = new Served('strace', [
      ...['-f', '-o', file, '-s', '100000', '-xx', '-e', 'trace=sendto,sendmsg,write,writev'],
      ...[process.execPath, ...args, fixture('answer.js')],
    ]);
    const port = Number(await served.line());
    const texts = {};
    for (const url of require('./fixtures/answer-paths.js')) texts[url] = await exchange(port, url);
    await served.end();
    const calls = fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => {
        const [, name, rest, result] = /^\d+ +(\w+)\((.*)\) += (-?\d+)/.exec(line) ?? [];
        const strings = [...(rest ?? '').matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex]) =>
          Buffer.from(hex.replaceAll('\\x', ''), 'hex').toString('latin1'),
        );
        return { name, text: strings.join(''), result: Number(result) };
      });
    return Object.entries(texts).map(([url, text]) => {
      const sending = calls.filter(
        (call) => call.text.length > 0 && text.includes(call.text) && call.name !== undefined,
      );
      return { url, text, sending };
    });
  }

  test('each response leaves in one send of the whole message', async (t) => {
    const reason = process.platform === 'linux' ? noTrace() : 'strace is for Linux';
    if (reason !== null) {
      t.skip(reason);
      return;
    }
    for (const { url, text, sending } of await traced(['-r', register])) {
      const [{ name }] = sending;
      assert.deepEqual([sending.length, sending[0].result], [1, text.length], url);
      // A large body leaves from where it lies, where a socket's limit lets it leave at all.
      const pieces = url === '/pieces';
      assert.equal(name, !pieces ? 'sendto' : hasLargeLimit ? 'sendmsg' : 'writev', url);
      assert.equal(sending[0].text, text, url);
    }
    // And what is looked for here is there on stock Node.
    for (const { url, text, sending } of await traced([])) {
      assert.ok(sending.length > 0, url);
      assert.equal(
        sending.reduce((sum, { result }) => sum + result, 0),
        text.length,
        url,
      );
      assert.ok(
        sending.every(({ name }) => !name.startsWith('send')),
        url,
      );
    }
  });
});

describe('a wrapper of end() that was there before the package', () => {
  for (const className of CLASSES) {
    for (const wrapper of WRAPPERS) {
      test(`${className}, which ${wrapper}: as on stock Node`, async () => {
        const { stats } = await assertSame('wrapped-end.js', className, wrapper);
        if (wrapper === 'calls through') assert.equal(stats.fast, REQUESTS, JSON.stringify(stats));
      });
    }
  }
});

test('a parser that is not quite Node’s is given nothing', async () => {
  await assertSame('foreign-parser.js');
});

test('answers that were given to the kernel arrive when the server dies', async () => {
  const { log } = await assertSame('dying-server.js');
  assert.deepEqual(
    log.map(([, answers]) => answers?.length),
    [1, 1, 4],
  );
});

test('the first answer of several requests leaves before the second handler has run', async () => {
  const { stats } = await assertSame('first-answer.js');
  if (process.platform === 'linux') assert.equal(stats.engine.fast, 10);
});
