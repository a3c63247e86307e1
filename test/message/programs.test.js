'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { describe, test } = require('node:test');

const {
  buildHttpMessage,
  text,
  message,
  OK,
  DATED,
  KEEP,
  length,
  copyOf,
  refused,
} = require('./common');

describe('programs that reach into a call', () => {
  /** Builds the message with `get` run in the middle of it. */
  const cases = {
    'a getter among the values': (run) => {
      const headers = ['A', 'a', 'B', '', 'C', 'c'];
      Object.defineProperty(headers, 3, { get: () => run() ?? 'b' });
      return text(201, headers, 'body');
    },
    'a getter among the options': (run) =>
      text(201, ['A', 'a', 'B', 'b', 'C', 'c'], 'body', {
        get keepAlive() {
          run();
          return undefined;
        },
      }),
    'a getter of the encoding': (run) =>
      text(201, ['A', 'a', 'B', 'b', 'C', 'c'], 'body', {
        get encoding() {
          run();
          return 'utf8';
        },
      }),
    'a proxy of the headers': (run) =>
      text(
        201,
        new Proxy(['A', 'a', 'B', 'b', 'C', 'c'], {
          get(target, key) {
            if (key === '3') run();
            return target[key];
          },
        }),
        'body',
      ),
  };
  const inner = {
    'another message': () => {
      buildHttpMessage(404, ['X', 'y'.repeat(300), 'Z', 'w'], 'z', {
        keepAlive: false,
        date: false,
        omitBody: true,
      });
    },
    'a message of many fields': () => {
      buildHttpMessage(404, new Array(2000).fill('x'), Buffer.alloc(70_000), {
        keepAlive: 5,
        maxRequests: 3,
      });
    },
    'a message that is refused': () => {
      refused(200, ['A', '\n'], 'x', { omitBody: true });
    },
  };
  for (const [where, build] of Object.entries(cases)) {
    for (const [what, run] of Object.entries(inner)) {
      test(`${what} is built in ${where}`, () => {
        const lines = ['HTTP/1.1 201 Created', 'A: a', 'B: b', 'C: c', DATED, KEEP, length(4)];
        assert.equal(build(run), message(lines, 'body'));
      });
    }
  }

  test('an option is read once', () => {
    for (const name of [
      'statusMessage',
      'date',
      'keepAlive',
      'maxRequests',
      'omitBody',
      'encoding',
    ]) {
      let count = 0;
      const options = {
        keepAlive: 5,
        get [name]() {
          count++;
          return undefined;
        },
      };
      buildHttpMessage(200, [], 'x', options);
      assert.equal(count, 1, name);
    }
  });

  test('headers that change while they are read are refused or framed, and nothing else', () => {
    const shrinking = ['A', '', 'B', 'b'];
    Object.defineProperty(shrinking, 1, {
      get() {
        shrinking.length = 2;
        return 'a';
      },
    });
    const growing = ['A', ''];
    Object.defineProperty(growing, 1, {
      get() {
        if (growing.length < 3000) growing.push('B', 'b'.repeat(growing.length));
        return 'a';
      },
    });
    const lying = new Proxy(['A', 'a', 'B', 'b'], {
      get: (target, key) =>
        key === 'length' ? 4 + 2 * Math.floor(Math.random() * 3) : target[key],
    });
    for (const headers of [shrinking, growing, lying, lying, lying]) {
      try {
        assert.match(
          text(200, headers, 'x'),
          /^HTTP\/1\.1 200 OK\r\nA: a\r\n(B: b+\r\n)*Date: <date>\r\n/,
        );
      } catch (error) {
        assert.match(error.code ?? '', /^ERR_/);
      }
    }
    assert.equal(text(200, ['A', 'b'], 'c'), message([OK, 'A: b', DATED, KEEP, length(1)], 'c'));
  });
});

describe('memory', () => {
  /** Fails if two of the Buffers share a byte. */
  function assertDisjoint(buffers) {
    const byMemory = new Map();
    for (const { buffer, byteOffset, length: size } of buffers) {
      if (!byMemory.has(buffer)) byMemory.set(buffer, []);
      byMemory.get(buffer).push([byteOffset, byteOffset + size]);
    }
    for (const ranges of byMemory.values()) {
      ranges.sort((a, b) => a[0] - b[0]);
      for (let i = 1; i < ranges.length; i++) assert.ok(ranges[i - 1][1] <= ranges[i][0]);
    }
  }

  test('100,000 messages: those that are kept never overlap, change or lose a change', () => {
    let state = 1;
    const random = (limit) => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 8) % limit;
    };
    const kept = [];
    const check = () => {
      for (const { built, expected } of kept) assert.equal(built.toString('latin1'), expected);
      assertDisjoint(kept.map(({ built }) => built));
    };
    for (let i = 0; i < 100_000; i++) {
      const size = random(1000) === 0 ? 60_000 + random(10_000) : random(300);
      const body = String.fromCharCode(97 + (i % 26)).repeat(size);
      const built = buildHttpMessage(200, ['X-Number', i], body, { date: false });
      const expected = message([OK, `X-Number: ${i}`, KEEP, length(size)], body);
      if (random(50) !== 0) continue;
      const entry = { built, expected };
      if (random(2) === 0) {
        built.fill(i & 0xff);
        entry.expected = String.fromCharCode(i & 0xff).repeat(built.length);
      }
      if (kept.length < 1000) kept.push(entry);
      else kept[random(kept.length)] = entry;
      if (random(200) === 0) check();
    }
    check();
  });

  /** A message that shares its memory with later ones. */
  function pooled() {
    for (let tries = 0; tries < 10; tries++) {
      const a = buildHttpMessage(200, ['A', 'a'], 'x');
      const b = buildHttpMessage(200, ['B', 'b'], 'y');
      if (a.buffer === b.buffer) return b;
    }
    assert.fail('messages do not share memory');
  }

  test('a body may be the whole memory that messages lie in', () => {
    for (const make of [
      ({ buffer }) => new Uint8Array(buffer),
      ({ buffer }) => Buffer.from(buffer),
      ({ buffer, byteOffset, length: size }) => new Uint8Array(buffer, byteOffset + size - 10, 20),
      ({ buffer, byteOffset, length: size }) => new Uint8Array(buffer, byteOffset + size),
      ({ buffer, byteOffset, length: size }) =>
        new Uint8Array(buffer, byteOffset + size + 100, 200),
      (built) => built,
    ]) {
      for (const headers of [
        ['X', 'y'],
        ['X', 'y', 'Transfer-Encoding', 'chunked'],
      ]) {
        const built = pooled();
        const own = Buffer.from(built);
        const body = make(built);
        const bytes = copyOf(body);
        const again = buildHttpMessage(200, headers, body, { date: false });
        const start = again.indexOf('\r\n\r\n') + 4;
        const skipped = headers.length > 2 ? `${bytes.length.toString(16)}\r\n`.length : 0;
        assert.ok(again.subarray(start + skipped, start + skipped + bytes.length).equals(bytes));
        assert.ok(built.equals(own), 'the message that the body is of did not change');
        assertDisjoint([built, again]);
      }
    }
  });

  const ways = {
    'structuredClone()': (buffer) => structuredClone(buffer, { transfer: [buffer] }),
    'postMessage()': (buffer) => {
      const { MessageChannel, receiveMessageOnPort } = require('node:worker_threads');
      const { port1, port2 } = new MessageChannel();
      try {
        port1.postMessage(buffer, [buffer]);
        return receiveMessageOnPort(port2)?.message;
      } finally {
        port1.close();
      }
    },
    'transfer()': (buffer) => buffer.transfer(),
    'transferToFixedLength()': (buffer) => buffer.transferToFixedLength(),
    'transfer() to a smaller one': (buffer) => buffer.transfer(10),
    'transfer() to a larger one': (buffer) => buffer.transfer(1 << 20),
  };
  for (const [way, move] of Object.entries(ways)) {
    test(`memory taken away with ${way} is never written again`, (t) => {
      if (way.startsWith('transfer') && ArrayBuffer.prototype.transfer === undefined) {
        t.skip('this Node has no ArrayBuffer.prototype.transfer');
        return;
      }
      for (let round = 0; round < 5; round++) {
        const built = pooled();
        let moved;
        try {
          moved = move(built.buffer);
        } catch (error) {
          // Marked memory cannot be transferred; that is one way to be safe.
          assert.match(error.name, /DataCloneError|TypeError/);
        }
        const theirs = moved && moved !== built.buffer ? Buffer.from(moved).fill(0x2a) : null;
        const messages = [];
        for (let i = 0; i < 500; i++) {
          const later = buildHttpMessage(200, ['X', i], 'z'.repeat(i), { date: false });
          const expected = message([OK, `X: ${i}`, KEEP, length(i)], 'z'.repeat(i));
          assert.equal(later.toString('latin1'), expected);
          messages.push({ later, expected });
        }
        if (theirs) assert.ok(theirs.every((byte) => byte === 0x2a));
        for (const { later, expected } of messages)
          assert.equal(later.toString('latin1'), expected);
      }
    });
  }
});

/** Runs a fixture in a process of its own, which a fault in the addon would take with it. */
function run(fixture, args = [], flags = []) {
  const file = path.join(__dirname, '..', 'fixtures', fixture);
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, file, ...args],
    {
      encoding: 'utf8',
      timeout: 300_000,
    },
  );
  assert.deepEqual({ status, signal, stderr }, { status: 0, signal: null, stderr: '' });
  return stdout.trim();
}

describe('processes', () => {
  test('workers build at the same time', () => {
    assert.equal(run('message-workers.js', ['together']), 'right');
  });

  test('50 workers are started and terminated while they build', () => {
    assert.equal(run('message-workers.js', ['terminated']), 'right');
  });

  // Bounds in MiB, far below what would be lost if each call lost its message; large memory comes
  // and goes in the allocator.
  for (const [what, bound] of Object.entries({ small: 16, large: 128, refused: 16, fields: 16 })) {
    test(`nothing leaks: ${what} messages`, () => {
      const { grown } = JSON.parse(run('message-leak.js', [what], ['--expose-gc']));
      assert.ok(grown < bound, `${grown} MiB more`);
    });
  }
});
