'use strict';

// A user's folder: a small server beside the packed package, and the commands that start it.

const assert = require('node:assert/strict');
const { execFileSync, spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');

const { plainEnv, run } = require('../program');

const root = path.join(__dirname, '..', '..');

/** Longer than any server here takes to start. */
const LIMIT_MS = 30_000;

/** What an outer `npm run` put into the environment, taken out. */
const withoutNpm = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^npm_(config|package|lifecycle)_/i.test(name))
    .map((name) => [name, undefined]),
);

/** The running Node comes first; npm asks no registry. */
const env = {
  ...withoutNpm,
  PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
};

function runNpm(args, cwd) {
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  execFileSync(command, [...first, ...args], {
    cwd,
    env: { ...plainEnv, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Packs the package as it is built. @returns {{ install: () => string, remove: () => void }} */
function pack() {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'onewrite-docs-'));
  const packed = path.join(scratch, 'packed');
  fs.mkdirSync(packed);
  runNpm(['pack', '--ignore-scripts', '--pack-destination', packed], root);
  const [tarball] = fs.readdirSync(packed).map((name) => path.join(packed, name));
  return {
    /** Makes the folder of a user who has run `npm install onewrite`. */
    install() {
      const folder = path.join(fs.mkdtempSync(path.join(scratch, 'user-')), 'app');
      fs.cpSync(path.join(__dirname, 'app'), folder, { recursive: true });
      runNpm(['install', '--ignore-scripts', tarball], folder);
      return folder;
    },
    remove: () => fs.rmSync(scratch, { recursive: true, force: true }),
  };
}

/** Gets a text over a kept connection. */
function get(url, agent) {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent }, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (chunk) => {
        text += chunk;
      });
      res.on('end', () => resolve(text));
      res.on('error', reject);
    });
    request.on('error', reject);
  });
}

/** The parts that served something, after a few requests. */
async function partsOf(url) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (let i = 0; i < 5; i++) assert.equal(await get(url, agent), 'hello');
    const stats = JSON.parse(await get(`${url}stats`, agent));
    return Object.keys(stats).filter((part) => stats[part].fast > 0);
  } finally {
    agent.destroy();
  }
}

/**
 * Starts a server with a command as a user types it, and stops it.
 * @param {string} command
 * @param {string} cwd
 * @returns {Promise<string[]>} the parts that were on
 */
async function serve(command, cwd) {
  // In a group of its own, for the shell has children.
  const child = spawn('sh', ['-c', command], {
    cwd,
    env: { ...plainEnv, ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const closed = once(child, 'close');
  const timer = setTimeout(() => stop(child), LIMIT_MS);
  const printed = { stdout: '', stderr: '' };
  try {
    const url = await new Promise((resolve, reject) => {
      for (const stream of ['stdout', 'stderr']) {
        child[stream].setEncoding('utf8').on('data', (data) => {
          printed[stream] += data;
          const [found] = /http:\/\/localhost:\d+\/(?=\n)/.exec(printed.stdout) ?? [];
          if (found !== undefined) resolve(found);
        });
      }
      closed.then(() => reject(new Error(`no server: ${printed.stdout}${printed.stderr}`)), reject);
    });
    const parts = await partsOf(url);
    assert.equal(printed.stderr, '');
    return parts;
  } finally {
    clearTimeout(timer);
    stop(child);
    await closed;
  }
}

/** Ends a command with all that it has started. */
function stop({ pid }) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Runs a program of JavaScript in the folder. */
function runProgram(text, folder) {
  const isModule = /^import /m.test(text);
  const file = path.join(folder, `program.${isModule ? 'mjs' : 'cjs'}`);
  fs.writeFileSync(file, text);
  return run(process.execPath, [file], { env, timeout: LIMIT_MS });
}

/** Runs commands in the folder, to the first that fails. */
function runCommands(text, folder) {
  return run('sh', ['-e', '-c', `cd "$0"\n${text}`, folder], { env, timeout: LIMIT_MS });
}

module.exports = { pack, runCommands, runProgram, serve };
