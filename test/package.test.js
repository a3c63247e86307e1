'use strict';

// What a user gets: the tarball of `npm pack`, installed without Rust and without install scripts,
// on every Node; and what is left of it where the addon cannot be loaded.

const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { after, before, describe, test } = require('node:test');

const { crateSection } = require('../scripts/third-party-licenses.js');
const nodes = require('./nodes');

const root = path.join(__dirname, '..');
const programs = path.join(__dirname, 'package');
// In the target folder, at a constant path, so that a second run compiles nothing twice.
const work = path.join(root, 'target', 'package-test');
const copy = path.join(work, 'copy');

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'onewrite-package-'));
const emptyFolder = path.join(scratch, 'empty');
fs.mkdirSync(emptyFolder);

/** What a user's machine has: no compiler, no package manager's settings, no network. */
const plainEnv = {
  HOME: scratch,
  USERPROFILE: scratch,
  PATH: emptyFolder,
  SystemRoot: process.env.SystemRoot,
  npm_config_cache: path.join(scratch, 'cache'),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
};

const npm =
  process.env.npm_execpath ??
  path.join(
    execFileSync('npm', ['root', '-g'], {
      encoding: 'utf8',
      shell: process.platform === 'win32',
    }).trim(),
    'npm/bin/npm-cli.js',
  );

/** The environment of a developer, without what an outer `npm run` put there. */
function developerEnv() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_(config|package|lifecycle)_/i.test(name) && !/^NODE_/.test(name),
  );
  return { ...Object.fromEntries(kept), CARGO_TARGET_DIR: path.join(work, 'cargo') };
}

function run(command, args, cwd, env) {
  const result = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 300_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  assert.equal(
    result.status,
    0,
    `${path.basename(command)} ${args.join(' ')}: ${result.error ?? `exit ${result.status ?? result.signal}`}\n${result.stdout}\n${result.stderr}`,
  );
  return result;
}

/** Packs a folder and gives the tarball and the sorted paths in it. */
function pack(folder, options = []) {
  const destination = fs.mkdtempSync(path.join(scratch, 'pack-'));
  run(
    process.execPath,
    [npm, 'pack', '--pack-destination', destination, ...options],
    folder,
    developerEnv(),
  );
  const [name, ...more] = fs.readdirSync(destination);
  assert.deepEqual(more, [], 'one tarball');
  const tarball = path.join(destination, name);
  const files = run('tar', ['-tzf', tarball], destination, process.env)
    .stdout.trim()
    .split('\n')
    .map((file) => file.replace(/^package\//, ''))
    .sort();
  return { tarball, files };
}

/** An empty folder into which one Node's npm has installed tarballs. */
function consumer(bin, tarballs) {
  const folder = fs.mkdtempSync(path.join(scratch, 'consumer-'));
  run(
    bin,
    [
      npm,
      'install',
      '--prefix',
      folder,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      ...tarballs,
    ],
    folder,
    plainEnv,
  );
  fs.cpSync(programs, folder, { recursive: true });
  return folder;
}

function runProgram(bin, folder, args) {
  const { stdout, stderr } = run(bin, args, folder, plainEnv);
  return { ...JSON.parse(stdout), stderr };
}

function assertServed(answer) {
  assert.equal(answer.status, 200);
  assert.equal(answer.body, 'served');
  assert.equal(answer.headers['x-case'], 'package');
}

function assertFast(result) {
  assertServed(result.answer);
  assert.ok(result.stats.responses.fast > 0, JSON.stringify(result.stats));
}

function assertUnavailable(result) {
  for (const report of result.reports) {
    assert.equal(report.parts.responses.on, false);
    assert.equal(typeof report.parts.responses.reason, 'string');
    assert.notEqual(report.parts.responses.reason, '');
  }
  for (const error of result.errors) {
    assert.equal(error?.isError, true, 'buildHttpMessage throws an Error');
    assert.equal(error.code, 'ONEWRITE_UNAVAILABLE');
    assert.ok(
      error.message.includes(result.reports[0].parts.responses.reason),
      `the message says why: ${error.message}`,
    );
  }
  assertServed(result.answer);
  assert.equal(result.stats.responses.fast, 0);
  const ours = result.warnings.filter(({ code }) => code === 'ONEWRITE_UNAVAILABLE');
  assert.equal(ours.length, 1, `one warning: ${JSON.stringify(result.warnings)}`);
  assertWarnedOnce(result);
}

/** Preloaded, the warning can come before the program listens: look at what a person sees. */
function assertWarnedOnce({ stderr }) {
  assert.equal(stderr.match(/ONEWRITE_UNAVAILABLE/g)?.length, 1, stderr);
}

function permissionFlags(major) {
  const flags = [major < 22 ? '--experimental-permission' : '--permission', '--allow-fs-read=*'];
  // From Node 25 on the permission model also covers the network.
  return major < 25 ? flags : [...flags, '--allow-net'];
}

/** The addon's file name in a folder; there is one, for this platform. */
function addonOf(folder) {
  const [name, ...more] = fs.readdirSync(folder).filter((file) => file.endsWith('.node'));
  assert.deepEqual(more, []);
  return name;
}

function platformOf(addon) {
  return /^onewrite\.(.+)\.node$/.exec(addon)[1];
}

before(() => {
  fs.rmSync(copy, { recursive: true, force: true });
  fs.mkdirSync(copy, { recursive: true });
  const left = ['.git', 'node_modules', 'target', 'THIRD_PARTY_LICENSES', 'npm', 'artifacts'];
  left.push('biome.json'); // a second one inside the first one's folder is an error
  for (const entry of fs.readdirSync(root)) {
    if (left.includes(entry)) continue;
    fs.cpSync(path.join(root, entry), path.join(copy, entry), {
      recursive: true,
      preserveTimestamps: true,
      filter: (source) => path.basename(source) !== 'node_modules' && !/\.(node|tgz)$/.test(source),
    });
  }
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
});

after(() => {
  fs.rmSync(scratch, { recursive: true, force: true });
});

test('a crate without a licence, or without its text, stops the packing', () => {
  const crate = { name: 'nameless', version: '1.0.0', manifest_path: path.join(emptyFolder, 'x') };
  assert.throws(() => crateSection(crate), /nameless 1\.0\.0 names no licence/);
  assert.throws(() => crateSection({ ...crate, license: 'MIT' }), /carries no licence text/);
});

describe('the tarball', () => {
  let packed;

  before(() => {
    packed = pack(copy);
  });

  test('holds the allow-listed files and nothing else', () => {
    const filesIn = (folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) =>
          path
            .relative(root, path.join(entry.parentPath ?? entry.path, entry.name))
            .replaceAll(path.sep, '/'),
        );
    const expected = [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'THIRD_PARTY_LICENSES',
      'bin/onewrite.js',
      'index.d.ts',
      'index.js',
      'package.json',
      'register.d.ts',
      'register.js',
      addonOf(copy),
      ...filesIn('docs'),
      ...filesIn('lib'),
    ];
    assert.deepEqual(packed.files, expected.sort());
  });

  test('needs no install script and no other package', () => {
    const manifest = JSON.parse(
      run('tar', ['-xzOf', packed.tarball, 'package/package.json'], scratch, process.env).stdout,
    );
    for (const name of ['preinstall', 'install', 'postinstall']) {
      assert.equal(manifest.scripts[name], undefined, name);
    }
    assert.equal(manifest.dependencies, undefined);
    assert.equal(manifest.optionalDependencies, undefined);
    assert.ok(!packed.files.includes('binding.gyp'), 'npm would run node-gyp for a binding.gyp');
  });

  test('names each crate of the addon with its licence text', () => {
    const notice = run(
      'tar',
      ['-xzOf', packed.tarball, 'package/THIRD_PARTY_LICENSES'],
      scratch,
      process.env,
    ).stdout;
    for (const crate of ['httpdate', 'itoa', 'memchr', 'napi', 'napi-sys']) {
      assert.match(notice, new RegExp(`^${crate} \\d`, 'm'));
    }
    // Used by tests or at build time only, so not in the addon.
    for (const crate of ['proptest', 'napi-build', 'napi-derive', 'syn']) {
      assert.doesNotMatch(notice, new RegExp(`^${crate} \\d`, 'm'));
    }
    assert.match(notice, /^The Rust standard library/m);
    assert.match(notice, /Permission is hereby granted, free of charge/);
  });

  for (const { major, bin } of nodes.binaries()) {
    describe(`installed on Node ${major} without Rust`, () => {
      let folder;

      before(() => {
        assert.equal(spawnSync('cargo', ['-V'], { env: plainEnv }).error?.code, 'ENOENT');
        folder = consumer(bin, [packed.tarball]);
      });

      test('require gives a working buildHttpMessage', () => {
        const result = runProgram(bin, folder, ['build.js']);
        assert.equal(result.isBuffer, true);
        assert.match(
          result.text,
          /^HTTP\/1\.1 200 OK\r\n(?:[\w-]+: [^\r\n]*\r\n)*Content-Length: 1\r\n\r\nx$/,
        );
        assert.equal(result.stderr, '');
      });

      test('-r onewrite/register puts responses on the fast path', () => {
        const result = runProgram(bin, folder, ['-r', 'onewrite/register', 'served.js']);
        assertFast(result);
        assert.equal(result.stderr, '');
      });

      test('--import onewrite/register does, and an ES module imports every name', () => {
        const result = runProgram(bin, folder, ['--import', 'onewrite/register', 'served.mjs']);
        assertFast(result);
        assert.deepEqual(result.same.sort(), result.names.sort());
        assert.equal(result.stderr, '');
      });

      test('under --no-addons the program runs on stock code and is told so', () => {
        assertUnavailable(runProgram(bin, folder, ['--no-addons', 'unavailable.js']));
        const preloaded = ['-r', 'onewrite/register', 'served.js'];
        const result = runProgram(bin, folder, ['--no-addons', ...preloaded]);
        assertServed(result.answer);
        assertWarnedOnce(result);
      });

      test('under the permission model it runs on stock code and is told so', () => {
        const flags = permissionFlags(major);
        assertUnavailable(runProgram(bin, folder, [...flags, 'unavailable.js']));
        const preloaded = ['-r', 'onewrite/register', 'served.js'];
        const result = runProgram(bin, folder, [...flags, ...preloaded]);
        assertServed(result.answer);
        assertWarnedOnce(result);
      });

      test('under the permission model with --allow-addons responses take the fast path', () => {
        const flags = [...permissionFlags(major), '--allow-addons'];
        assertFast(runProgram(bin, folder, [...flags, '-r', 'onewrite/register', 'served.js']));
      });

      describe('when the addon', () => {
        let addon;

        before(() => {
          const installed = path.join(folder, 'node_modules', 'onewrite');
          addon = path.join(installed, addonOf(installed));
        });

        const check = () => {
          assertUnavailable(runProgram(bin, folder, ['unavailable.js']));
          for (const args of [
            ['-r', 'onewrite/register', 'served.js'],
            ['--import', 'onewrite/register', 'served.mjs'],
          ]) {
            const result = runProgram(bin, folder, args);
            assertServed(result.answer);
            assert.equal(result.stats.responses.fast, 0);
            assertWarnedOnce(result);
          }
        };

        test('is corrupt, the program runs on stock code and is told so', () => {
          fs.writeFileSync(addon, 'not an addon\n'.repeat(100));
          check();
        });

        test('is missing, the program runs on stock code and is told so', () => {
          fs.rmSync(addon);
          check();
        });
      });
    });
  }
});

// The order of things is that of the release workflow.
describe('a release', () => {
  let rootPackage;
  let platformPackage;

  before(() => {
    const { targets } = require('../package.json').napi;
    const folder = path.join(work, 'release');
    fs.rmSync(folder, { recursive: true, force: true });
    fs.cpSync(copy, folder, { recursive: true, filter: (file) => !file.endsWith('node_modules') });
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    const cli = path.join(root, 'node_modules', '@napi-rs', 'cli', 'cli.mjs');
    const napi = (...args) => run(process.execPath, [cli, ...args], folder, developerEnv());
    const addon = addonOf(folder);
    napi('create-npm-dirs');
    const platforms = fs.readdirSync(path.join(folder, 'npm'));
    assert.equal(platforms.length, targets.length);
    // Stand-ins for what the other machines build.
    fs.mkdirSync(path.join(folder, 'artifacts'));
    for (const platform of platforms) {
      const place = (from, to) =>
        fs.copyFileSync(path.join(folder, from), path.join(folder, 'artifacts', to));
      place(addon, `onewrite.${platform}.node`);
      place('THIRD_PARTY_LICENSES', `THIRD_PARTY_LICENSES.${platform}`);
    }
    napi('artifacts');
    run(process.execPath, ['scripts/platform-packages.js'], folder, developerEnv());
    for (const file of fs.readdirSync(folder)) {
      if (file.endsWith('.node')) fs.rmSync(path.join(folder, file));
    }
    napi('pre-publish', '--skip-optional-publish', '--no-gh-release');
    platformPackage = pack(path.join(folder, 'npm', platformOf(addon)));
    rootPackage = pack(folder, ['--ignore-scripts']);
    rootPackage.manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    rootPackage.platforms = platforms;
  });

  test('has one package a platform, each with the licences of its addon', () => {
    const { files } = platformPackage;
    assert.deepEqual(
      files.filter((file) => !file.endsWith('.node')),
      ['LICENSE', 'README.md', 'THIRD_PARTY_LICENSES', 'package.json'],
    );
    assert.equal(files.length, 5);
  });

  test('has package managers choose the one for the platform', () => {
    const { engines, version } = require('../package.json');
    for (const platform of rootPackage.platforms) {
      const [system, processor, abi] = platform.split('-');
      const libc = { gnu: ['glibc'], musl: ['musl'] }[abi];
      const manifest = JSON.parse(
        fs.readFileSync(path.join(work, 'release', 'npm', platform, 'package.json'), 'utf8'),
      );
      const addon = `onewrite.${platform}.node`;
      assert.deepEqual(
        {
          name: manifest.name,
          version: manifest.version,
          os: manifest.os,
          cpu: manifest.cpu,
          libc: manifest.libc,
          engines: manifest.engines,
          main: manifest.main,
          files: manifest.files,
        },
        {
          name: `onewrite-${platform}`,
          version,
          os: [system],
          cpu: [processor],
          libc,
          engines,
          main: addon,
          files: [addon, 'THIRD_PARTY_LICENSES'],
        },
      );
    }
  });

  test('names the platform packages as optional dependencies and holds no addon itself', () => {
    const { files, manifest, platforms } = rootPackage;
    assert.deepEqual(
      manifest.optionalDependencies,
      Object.fromEntries(platforms.map((platform) => [`onewrite-${platform}`, manifest.version])),
    );
    assert.deepEqual(
      files.filter((file) => file.endsWith('.node')),
      [],
    );
    assert.ok(files.includes('THIRD_PARTY_LICENSES'));
  });

  for (const { major, bin } of nodes.binaries()) {
    test(`loads the addon of its platform package on Node ${major}`, () => {
      const folder = consumer(bin, [platformPackage.tarball, rootPackage.tarball]);
      assertFast(runProgram(bin, folder, ['-r', 'onewrite/register', 'served.js']));
      assert.equal(runProgram(bin, folder, ['build.js']).isBuffer, true);
    });
  }
});
