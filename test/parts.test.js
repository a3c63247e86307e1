'use strict';

// Switching the parts on and off: what install() does where it cannot, and what a preload loads.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');

const { METHODS } = require('./fixtures/patched-early');
const { run } = require('./program');

const root = path.join(__dirname, '..');
const register = path.join(root, 'register.js');

/** Runs a script that has `onewrite` and `report` at hand; what it gives to `report` comes back. */
async function reported(script, { args = [], env = {} } = {}) {
  const program = `
    const onewrite = () => require(${JSON.stringify(root)});
    const report = (value) => process.stdout.write(JSON.stringify(value));
    ${script}`;
  const { stdout, stderr } = await run(process.execPath, [...args, '-e', program], { env });
  return { value: JSON.parse(stdout), stderr };
}

test('a part that could not be switched on changed nothing, and can be once nothing hinders it', async () => {
  const { value } = await reported(`
    const http = require('node:http');
    const { prototype } = http.ServerResponse;
    const names = () => Object.getOwnPropertyNames(prototype).sort();
    const { end } = http.OutgoingMessage.prototype;
    const before = names();
    const describe = (writable) =>
      Object.defineProperty(prototype, '_finish', { writable, configurable: true });
    describe(false);
    const refused = onewrite().install({ teardown: false }).parts.responses;
    const unchanged = http.OutgoingMessage.prototype.end === end && String(names()) === String(before);
    describe(true);
    const on = onewrite().install().parts.responses;
    http.createServer((req, res) => res.end('x')).listen(0, function () {
      http.get({ port: this.address().port, agent: false }, (res) => {
        res.resume();
        report({ refused, unchanged, on, fast: onewrite().stats().responses.fast });
        this.close();
      });
    });`);
  assert.equal(value.refused.on, false);
  assert.match(value.refused.reason, /_finish/);
  assert.equal(value.unchanged, true);
  assert.deepEqual(value.on, { on: true, reason: null });
  assert.equal(value.fast, 1);
});

test('a preload that is switched off loads nothing else of the package', async () => {
  const loaded = `report(Object.keys(require.cache).map((file) => file.replace(/.*[\\\\/]/, '')))`;
  const args = ['-r', register];
  const off = await reported(loaded, { args, env: { ONEWRITE: 'off' } });
  assert.deepEqual(off.value.sort(), ['environment.js', 'register.js']);
  const on = await reported(loaded, { args });
  assert.ok(on.value.includes('preload.js'));
  assert.ok(!on.value.includes('index.js'));
});

test('ONEWRITE that names no part is said once, and switches on what it names', async () => {
  const script = `report([onewrite().install(), onewrite().install()]);`;
  const { value, stderr } = await reported(script, { env: { ONEWRITE: 'responses, nonsense' } });
  for (const { parts } of value) {
    assert.deepEqual(parts.responses, { on: true, reason: null });
    assert.deepEqual(parts.teardown, { on: false, reason: 'ONEWRITE=responses, nonsense' });
  }
  assert.equal(stderr.match(/ONEWRITE_UNKNOWN_PART/g).length, 1);
});

test('options that are none are refused with the code of Node', async () => {
  const { value } = await reported(`
    report([null, 5, 'responses'].map((options) => {
      try { onewrite().install(options); } catch (error) { return [error.name, error.code]; }
    }));`);
  for (const refusal of value) assert.deepEqual(refusal, ['TypeError', 'ERR_INVALID_ARG_TYPE']);
});

test('a preload lets a program put its own parser in the place of the one that http takes when it is loaded', async () => {
  const script = `
    const { internalBinding } = require('internal/test/binding');
    const binding = internalBinding('http_parser');
    const early = process.moduleLoadList.includes('NativeModule _http_common');
    binding.HTTPParser = class Own extends binding.HTTPParser {};
    report([early, require('node:_http_common').HTTPParser === binding.HTTPParser]);`;
  const args = ['--expose-internals', '--no-warnings'];
  const stock = await reported(script, { args });
  const own = await reported(script, { args: [...args, '-r', register] });
  assert.deepEqual(own.value, stock.value);
});

test('an addon of another version is not used, and the program runs on', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'onewrite-version-'));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  for (const name of ['index.js', 'lib', 'package.json']) {
    fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  for (const suffix of ['', '-gnu', '-musl', '-msvc']) {
    const name = `onewrite-${process.platform}-${process.arch}${suffix}`;
    const addon = path.join(folder, 'node_modules', name);
    fs.mkdirSync(addon, { recursive: true });
    fs.writeFileSync(path.join(addon, 'index.js'), 'exports.send = () => -1;');
  }
  const { value } = await reported(`
    const { parts } = require(${JSON.stringify(folder)}).install();
    require('node:http').createServer((req, res) => res.end('x')).listen(0, function () {
      require('node:http').get({ port: this.address().port, agent: false }, (res) => {
        res.resume();
        report({ parts, status: res.statusCode });
        this.close();
      });
    });`);
  assert.equal(value.parts.responses.on, false);
  assert.match(value.parts.responses.reason, /another version/);
  assert.equal(value.status, 200);
});

test('what a program has put in the place of methods before the first connection is called as on stock Node', async (t) => {
  const program = path.join(__dirname, 'fixtures', 'patched-early.js');
  for (const method of Object.keys(METHODS)) {
    await t.test(method, async () => {
      const args = ['--no-warnings', program, method];
      const stock = await run(process.execPath, args);
      const own = await run(process.execPath, ['-r', register, ...args], {
        env: { ONEWRITE: 'teardown' },
      });
      assert.equal(own.stderr, '');
      assert.deepEqual(JSON.parse(own.stdout), JSON.parse(stock.stdout));
    });
  }
});

test('ticks that a method of sockets schedules, put there before the first connection, come when they come on stock Node', async () => {
  const script = `
    const http = require('node:http');
    const net = require('node:net');
    const { setTimeout: set } = net.Socket.prototype;
    const log = [];
    net.Socket.prototype.setTimeout = function (...args) {
      if (this.server) process.nextTick(() => log.push(args[0]));
      return set.apply(this, args);
    };
    let count = 0;
    http.createServer((req, res) => {
      count++;
      req.on('close', () => log.push('close'));
      setImmediate(() => res.end('x'));
    }).listen(0, function () {
      const client = net.connect(this.address().port);
      const ask = () => client.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n');
      ask();
      client.on('data', () => setTimeout(() => {
        if (count < 3) return ask();
        report(log);
        process.exit();
      }, 5));
    });`;
  const stock = await reported(script);
  const own = await reported(script, { args: ['-r', register] });
  assert.ok(stock.value.includes('close'));
  assert.deepEqual(own.value, stock.value);
});
