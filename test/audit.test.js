'use strict';

// The audit of the lock files, with programs that stand in for npm and cargo: an advisory fails,
// and a database that does not answer is said.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { after, test } = require('node:test');

const { run } = require('./program');

const audit = path.join(__dirname, '..', 'scripts', 'audit.js');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'onewrite-audit-'));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const skip = process.platform === 'win32' && 'the programs that stand in are scripts';

/** What the databases answer: a text on stdout or on stderr, and an exit code. */
const NPM = {
  none: { stdout: { auditReportVersion: 2, vulnerabilities: {} } },
  one: {
    stdout: {
      auditReportVersion: 2,
      vulnerabilities: {
        // The dependent is no second advisory.
        above: { name: 'above', severity: 'high', via: ['beneath'] },
        beneath: {
          name: 'beneath',
          severity: 'high',
          via: [{ title: 'It is wrong', url: 'https://example.com/1' }],
        },
      },
    },
    code: 1,
  },
  silent: { stdout: { message: '405 Method Not Allowed', statusCode: 405 }, code: 1 },
  broken: { stderr: 'npm error A bad day\nnpm error A complete log of this run is there', code: 1 },
};
const CARGO = {
  none: { stdout: { vulnerabilities: { found: false, list: [] } } },
  one: {
    stdout: {
      vulnerabilities: {
        list: [
          {
            advisory: { id: 'RUSTSEC-2000-0001', title: 'It is wrong' },
            package: { name: 'beneath', version: '1.0.0' },
          },
        ],
      },
    },
    code: 1,
  },
  absent: { stderr: 'error: no such command: `audit`\n\nhelp: a command', code: 101 },
  silent: { stderr: 'error: the database cannot be fetched', code: 1 },
};

function standIn(name, { stdout, stderr = '', code = 0 }) {
  const file = path.join(folder, name);
  fs.writeFileSync(
    file,
    `#!${process.execPath}
    process.stdout.write(${JSON.stringify(stdout === undefined ? '' : JSON.stringify(stdout))});
    process.stderr.write(${JSON.stringify(stderr)});
    process.exitCode = ${code};`,
    { mode: 0o755 },
  );
  return file;
}

async function audited(npm, cargo, args = []) {
  standIn('cargo', cargo);
  const env = { npm_execpath: standIn('npm.cjs', npm), PATH: folder };
  const { code, stdout, stderr } = await run(process.execPath, [audit, ...args], { env });
  assert.equal(stderr, '');
  return { code, stdout };
}

test('lock files without advisories pass', { skip }, async () => {
  const { code, stdout } = await audited(NPM.none, CARGO.none, ['--require']);
  assert.equal(code, 0);
  for (const file of ['package-lock.json', 'Cargo.lock', path.join('fuzz', 'Cargo.lock')]) {
    assert.ok(stdout.split('\n').includes(`${file}: no advisories`), stdout);
  }
  assert.match(stdout, /\d+ without advisories, 0 with, 0 not audited\n$/);
});

test('an advisory fails the audit and is named once for each lock file', { skip }, async () => {
  const byNpm = await audited(NPM.one, CARGO.none);
  assert.equal(byNpm.code, 1);
  assert.match(
    byNpm.stdout,
    /^package-lock\.json: ADVISORIES\n {2}beneath \(high\): It is wrong https:\/\/example\.com\/1\n\S/m,
  );
  const byCargo = await audited(NPM.none, CARGO.one);
  assert.equal(byCargo.code, 1);
  assert.match(
    byCargo.stdout,
    /^Cargo\.lock: ADVISORIES\n {2}beneath 1\.0\.0: It is wrong RUSTSEC-2000-0001\n/m,
  );
});

test('a database that does not answer is said, and fails where answers are required', {
  skip,
}, async () => {
  const SAID = [
    [NPM.silent, CARGO.none, /^NOT AUDITED package-lock\.json: the registry does not .*405/m],
    [NPM.broken, CARGO.none, /^NOT AUDITED package-lock\.json: .*A bad day\)$/m],
    [NPM.none, CARGO.absent, /^NOT AUDITED Cargo\.lock: cargo-audit is not there/m],
    [
      NPM.none,
      CARGO.silent,
      /^NOT AUDITED Cargo\.lock: cargo-audit made no report \(error: the database .*\)$/m,
    ],
  ];
  for (const [npm, cargo, said] of SAID) {
    const { code, stdout } = await audited(npm, cargo);
    assert.match(stdout, said);
    assert.equal(code, 0);
    assert.equal((await audited(npm, cargo, ['--require'])).code, 1);
  }
});
