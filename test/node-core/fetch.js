'use strict';

// Obtains the tests of Node itself, from the source package of Debian. No text
// of them is kept in this repository.

const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const { CannotRun } = require('./cannot-run');

/** The upstream tarball of the source package, whose folder `test` is wanted. */
const SOURCE = Object.freeze({
  package: 'nodejs',
  suite: 'trixie',
  file: 'nodejs_20.19.2+dfsg.orig.tar.xz',
  sha256: '5e5559381ad031d245a8efa403458abbb73755f74c3e6380f185a4dd342b7949',
  folder: 'node-v20.19.2',
});

// Not below test/: there the linter, and the search for our own test files,
// would find it; nor below node_modules, where Node itself warns less.
const CACHE = path.join(__dirname, '..', '..', 'target', 'node-core');

const APT_HELPER = '/usr/lib/apt/apt-helper';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * The root of a suite: the folder in which `test/parallel` is.
 * @param {string} [given] a folder of the user's, the root or its `test`
 * @param {(line: string) => void} log
 * @returns {string} absolute
 * @throws {CannotRun}
 */
function obtain(given, log) {
  if (given !== undefined) return existing(path.resolve(given));
  const root = path.join(CACHE, SOURCE.folder);
  if (isSuite(root)) return root;
  fs.mkdirSync(CACHE, { recursive: true });
  extract(tarball(log), root);
  return existing(root);
}

function isSuite(root) {
  return fs.existsSync(path.join(root, 'test', 'parallel'));
}

function existing(folder) {
  for (const root of [folder, path.dirname(folder)]) if (isSuite(root)) return root;
  throw new CannotRun(`${folder} holds no test/parallel`);
}

/** The verified tarball in the cache. */
function tarball(log) {
  const file = path.join(CACHE, SOURCE.file);
  if (fs.existsSync(file)) {
    if (hashOf(file) === SOURCE.sha256) return file;
    fs.rmSync(file);
  }
  const failures = [];
  for (const mirror of mirrors()) {
    for (const uri of candidates(mirror, failures)) {
      log(`fetching ${uri}`);
      const failure = attempt(() => {
        const partial = `${file}.partial`;
        apt(APT_HELPER, ['download-file', uri, partial, `SHA256:${SOURCE.sha256}`]);
        const hash = hashOf(partial);
        if (hash !== SOURCE.sha256) throw new Error(`its SHA-256 is ${hash}`);
        fs.renameSync(partial, file);
      });
      if (failure === null) return file;
      failures.push(`${uri}: ${failure}`);
    }
  }
  throw new CannotRun(
    [
      `${SOURCE.file} (SHA-256 ${SOURCE.sha256}) cannot be had from the Debian mirrors of apt:`,
      ...failures.map((failure) => `  ${failure}`),
      `Name a folder that holds the tests of Node with --suite, or put the file into ${CACHE}.`,
    ].join('\n'),
  );
}

/** The Debian mirrors that the machine's own apt is set to use. */
function mirrors() {
  let text;
  try {
    text = apt('apt-get', ['indextargets', '--no-release-info', '--format', '$(SITE) $(RELEASE)']);
  } catch (error) {
    throw new CannotRun(
      `apt, which fetches the tests of Node, does not run here (${error.message}): name a folder that holds them with --suite`,
    );
  }
  const sites = text
    .split('\n')
    .map((line) => line.split(' ')[0].replace(/\/$/, ''))
    // The suites of third parties and of security updates are elsewhere.
    .filter((site) => path.posix.basename(site) === 'debian');
  if (sites.length === 0) {
    throw new CannotRun(
      'the sources of apt name no Debian mirror: name a folder that holds the tests of Node with --suite',
    );
  }
  return [...new Set(sites)];
}

/** Where a mirror may have the tarball: where its index says, and where it is by custom. */
function candidates(mirror, failures) {
  const uris = new Set();
  const failure = attempt(() => {
    const indexed = inIndex(mirror);
    if (indexed !== undefined) uris.add(indexed);
  });
  if (failure !== null) failures.push(`index of ${mirror}: ${failure}`);
  const { package: name, file } = SOURCE;
  uris.add(`${mirror}/pool/main/${name[0]}/${name}/${encodeURIComponent(file)}`);
  return uris;
}

/** Asks apt, with lists of its own that hold nothing but the one suite. */
function inIndex(mirror) {
  const state = path.join(CACHE, 'apt');
  const sources = path.join(state, 'sources.list');
  const lists = path.join(state, 'lists');
  const cache = path.join(state, 'cache');
  fs.mkdirSync(path.join(lists, 'partial'), { recursive: true });
  fs.mkdirSync(path.join(cache, 'archives', 'partial'), { recursive: true });
  const signed = fs.existsSync(KEYRING) ? ` [signed-by=${KEYRING}]` : '';
  fs.writeFileSync(sources, `deb-src${signed} ${mirror} ${SOURCE.suite} main\n`);
  const options = [
    `Dir::State=${state}`,
    `Dir::State::lists=${lists}`,
    `Dir::Cache=${cache}`,
    `Dir::Etc::sourcelist=${sources}`,
    'Dir::Etc::sourceparts=/dev/null',
  ].flatMap((option) => ['-o', option]);
  try {
    apt('apt-get', [...options, '-q', 'update']);
    const text = apt('apt-get', [
      ...options,
      'source',
      '--print-uris',
      '--download-only',
      SOURCE.package,
    ]);
    return text
      .split('\n')
      .find((line) => line.includes(` ${SOURCE.file} `))
      ?.match(/^'([^']+)'/)?.[1];
  } finally {
    fs.rmSync(state, { recursive: true, force: true });
  }
}

function apt(command, args) {
  return execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    // Words that are searched for above.
    env: { ...process.env, LC_ALL: 'C' },
  });
}

/** @returns {string | null} why it failed */
function attempt(action) {
  try {
    action();
    return null;
  } catch (error) {
    const words = String(error.stderr || error.message);
    return words.trim().split('\n').pop();
  }
}

function hashOf(file) {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}

/** Unpacks the tests; the folder has its name only when it is complete. */
function extract(file, root) {
  const partial = `${root}.partial`;
  fs.rmSync(partial, { recursive: true, force: true });
  fs.mkdirSync(partial);
  const args = ['-xJf', file, '-C', partial, '--no-same-owner', '--strip-components=1'];
  try {
    execFileSync('tar', [...args, `${SOURCE.folder}/test`], {
      stdio: ['ignore', 'inherit', 'pipe'],
    });
  } catch (error) {
    throw new CannotRun(`${file} cannot be unpacked: ${error.stderr || error.message}`);
  }
  fs.rmSync(root, { recursive: true, force: true });
  fs.renameSync(partial, root);
}

module.exports = { obtain };
