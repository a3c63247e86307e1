'use strict';

// Runs one test of Node in a process, and a folder for temporary files, of its own.

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const COUNT = path.join(__dirname, 'count.js');

/** What is kept of the output of a test, in bytes. */
const KEPT = 16 * 1024;

/**
 * @typedef {object} Result
 * @property {'passed' | 'skipped' | 'failed' | 'timed out'} outcome
 * @property {number | null} code
 * @property {string | null} signal
 * @property {number} ms
 * @property {string} output the end of it; empty for a test that passed
 * @property {object[]} counters stats() of each process that told them
 */

/**
 * @typedef {object} Mode how a test is started
 * @property {string | null} register the package's preload file; null for stock Node
 * @property {string | null} parts value of ONEWRITE; null to leave it unset
 * @property {'options' | 'arguments' | 'none'} preload by what the preload files
 *   are given: NODE_OPTIONS, the command line of the test alone, or not at all
 */

const running = new Set();

/** Ends what runs; nothing more is to be started. */
function stop() {
  for (const child of running) killGroup(child);
}

// Each test leads a process group, so that what it leaves behind ends with it.
function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nothing was left.
  }
}

/**
 * @param {import('./suite').Test} test
 * @param {Mode} mode
 * @param {{ bin: string, root: string, timeout: number, port: number }} setting
 *   timeout in milliseconds; port for the tests that want a fixed one
 * @returns {Promise<Result>}
 */
async function run(test, mode, setting) {
  // A short name, for tests put pipes there and the names of these are limited.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ow-'));
  const counters = path.join(folder, 'counters');
  const output = path.join(folder, 'output');
  const fd = fs.openSync(output, 'w');
  const files = mode.preload === 'none' ? [] : [mode.register, COUNT].filter((f) => f !== null);
  const byArguments = mode.preload === 'arguments' ? files.flatMap((f) => ['--require', f]) : [];
  try {
    const start = process.hrtime.bigint();
    const child = spawn(setting.bin, [...byArguments, ...test.flags, test.file], {
      cwd: setting.root,
      detached: true,
      env: environment(test, mode, { folder, counters, port: setting.port, files }),
      // A file, as with Node's own runner: writes to it are synchronous.
      stdio: ['ignore', fd, fd],
    });
    const { code, signal, late } = await finished(child, setting.timeout);
    const ms = Number((process.hrtime.bigint() - start) / 1_000_000n);
    const text = tail(output);
    const skipped = code === 0 && /^1\.\.0 # Skipped/m.test(text);
    const outcome = late ? 'timed out' : code !== 0 ? 'failed' : skipped ? 'skipped' : 'passed';
    return {
      outcome,
      code,
      signal,
      ms,
      output: outcome === 'passed' ? '' : text,
      counters: lines(counters).map((line) => JSON.parse(line)),
    };
  } finally {
    fs.closeSync(fd);
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function finished(child, timeout) {
  running.add(child);
  return new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      killGroup(child);
    }, timeout);
    const over = () => {
      clearTimeout(timer);
      running.delete(child);
    };
    child.on('error', (error) => {
      over();
      reject(error);
    });
    child.on('exit', (code, signal) => {
      over();
      killGroup(child);
      resolve({ code, signal, late });
    });
  });
}

function environment(test, mode, { folder, counters, port, files }) {
  const env = { ...process.env };
  // What the runner itself was started with is not for the tests.
  for (const name of Object.keys(env)) {
    if (/^(ONEWRITE|NODE_|npm_|INIT_CWD$)/.test(name)) delete env[name];
  }
  env.NODE_TEST_DIR = folder;
  env.NODE_COMMON_PORT = String(port);
  // Later versions have globals that the tests of 20.19.2 would call leaks.
  env.NODE_TEST_KNOWN_GLOBALS = '0';
  Object.assign(env, test.env);
  if (mode.preload === 'options') {
    const given = env.NODE_OPTIONS === undefined ? [] : [env.NODE_OPTIONS];
    env.NODE_OPTIONS = [...files.map((file) => `--require ${quoted(file)}`), ...given].join(' ');
  }
  if (mode.register !== null) {
    env.ONEWRITE_NODE_CORE_COUNTERS = counters;
    if (mode.parts !== null) env.ONEWRITE = mode.parts;
  }
  return env;
}

/** As NODE_OPTIONS wants a word that may hold blanks. */
function quoted(word) {
  return `"${word.replace(/["\\]/g, '\\$&')}"`;
}

function lines(file) {
  if (!fs.existsSync(file)) return [];
  return fs.readFileSync(file, 'utf8').split('\n').filter(Boolean);
}

function tail(file) {
  const bytes = fs.readFileSync(file);
  return bytes.subarray(Math.max(0, bytes.length - KEPT)).toString('utf8');
}

module.exports = { run, stop };
