'use strict';

// Which of Node's tests are run, and what each says about how it is run.

const fs = require('node:fs');
const path = require('node:path');

const { CannotRun } = require('./cannot-run');

/**
 * The tests by part, as folder and name; a test belongs to the first part that
 * takes it. The dash keeps test-http2-* out, which is no business of the
 * package.
 */
const PARTS = Object.freeze({
  http: [
    ['parallel', /^test-http-/],
    ['sequential', /^test-http-/],
    ['async-hooks', /http(?!2)/],
  ],
  https: [
    ['parallel', /^test-https-/],
    ['sequential', /^test-https-/],
  ],
  net: [['parallel', /^test-net-/]],
  stream: [['parallel', /^test-stream-/]],
  // Tests of other modules that serve or speak HTTP.
  related: [
    ['parallel', /http(?!2)/],
    ['sequential', /http(?!2)/],
    ['es-module', /http(?!2)/],
  ],
});

/**
 * @typedef {object} Test
 * @property {string} name folder and file, such as `parallel/test-http-date.js`
 * @property {string} part
 * @property {string} file absolute
 * @property {string[]} flags of Node, from the test's own line
 * @property {Record<string, string>} env likewise
 * @property {boolean} alone whether no other test may run beside it
 */

/**
 * The tests of a suite, in the order of their parts and names.
 * @param {string} root in which `test` is
 * @param {string[]} parts keys of PARTS
 * @param {RegExp} [match] that the name has to match
 * @returns {Test[]}
 * @throws {CannotRun} when a part that is asked for has no tests at all
 */
function list(root, parts, match = /^/) {
  const taken = new Set();
  const tests = [];
  for (const [part, places] of Object.entries(PARTS)) {
    const names = places
      .flatMap(([folder, pattern]) => inFolder(path.join(root, 'test', folder), folder, pattern))
      .filter((name) => !taken.has(name));
    for (const name of names) taken.add(name);
    if (!parts.includes(part)) continue;
    if (names.length === 0)
      throw new CannotRun(`the suite in ${root} has no tests of the part ${part}`);
    for (const name of names) if (match.test(name)) tests.push(describe(root, part, name));
  }
  return tests;
}

function inFolder(place, folder, pattern) {
  if (!fs.existsSync(place)) return [];
  return fs
    .readdirSync(place)
    .filter((file) => /^test-.*\.(js|mjs|cjs)$/.test(file) && pattern.test(file))
    .sort()
    .map((file) => `${folder}/${file}`);
}

function describe(root, part, name) {
  const file = path.join(root, 'test', name);
  const source = fs.readFileSync(file, 'utf8');
  return {
    name,
    part,
    file,
    flags: words(source, /\/\/\s+Flags:(.*)/),
    env: Object.fromEntries(
      words(source, /\/\/\s+Env:(.*)/).map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at), pair.slice(at + 1)];
      }),
    ),
    alone: name.startsWith('sequential/'),
  };
}

function words(source, pattern) {
  return source.match(pattern)?.[1].trim().split(/\s+/).filter(Boolean) ?? [];
}

module.exports = { PARTS, list };
