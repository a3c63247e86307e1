'use strict';

// Where a conversation takes place: it starts the programs under test in one mode, and the peers
// around them, in a folder of its own; all end with it.

const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const children = require('../../../lib/cli/children');
const { plainEnv } = require('../../program');
const { Program } = require('./program');
const { freePort, untilListening } = require('./ports');
const tools = require('./tools');
const { within } = require('./within');

const PROGRAMS = path.join(__dirname, '..', 'programs');
/** Appends the counters of each process to a file when it ends. */
const COUNT = path.join(__dirname, '..', '..', 'node-core', 'count.js');

/** @typedef {import('../../modes').Mode} Mode */

const startPeer = ([command, ...args], env) =>
  children.start([tools.find(command) ?? command, ...args], null, ['ignore', 'pipe', 'pipe'], env);

/** @type {Set<Stage>} */
const open = new Set();

process.on('exit', () => {
  for (const stage of open) stage.leave();
});

class Stage {
  /** What the peers and the programs saw, by name: what must be the same in each mode. */
  transcript = {};
  #programs = new Map();
  #peers = [];
  #lastly = [];
  #counters;

  /**
   * @param {string} bin the Node binary that runs the programs under test
   * @param {Mode} mode
   */
  constructor(bin, mode) {
    this.bin = bin;
    // A short name, for sockets are put there and the names of these are limited.
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ow-peer-'));
    open.add(this);
    this.#counters = path.join(this.folder, 'counters');
    /** What has Node run a program in this mode. */
    this.args = [...mode.args, '-r', COUNT];
    this.env = { ...plainEnv, ...mode.env, ONEWRITE_NODE_CORE_COUNTERS: this.#counters };
  }

  /** A path in the folder of this stage. */
  place(name) {
    return path.join(this.folder, name);
  }

  /** Writes a file into the folder. @returns {string} its path */
  write(name, content) {
    fs.writeFileSync(this.place(name), content);
    return this.place(name);
  }

  /** Keeps what must be the same in each mode. */
  saw(name, value) {
    if (Object.hasOwn(this.transcript, name)) throw new Error(`seen twice: ${name}`);
    this.transcript[name] = value;
  }

  /**
   * Starts a program of the folder `programs`.
   * @param {string} file
   * @param {string[]} [args]
   * @param {{ name?: string, env?: Record<string, string> }} [options]
   * @returns {Promise<{ program: Program, address: any }>}
   */
  async start(file, args = [], { name = file, env = {} } = {}) {
    const command = [this.bin, ...this.args, path.join(PROGRAMS, file), ...args];
    const program = new Program(name, command, { ...this.env, ...env });
    this.#programs.set(program, name);
    return { program, address: await program.serving() };
  }

  /** Ends a program, and keeps how it ended and what it printed. */
  async end(program) {
    const name = this.#programs.get(program);
    this.#programs.delete(program);
    this.saw(`${name}: its end`, await program.end());
  }

  /**
   * Starts a peer that stays.
   * @param {string[]} command
   * @param {NodeJS.ProcessEnv} [env]
   * @returns {{ child: import('node:child_process').ChildProcess, output: { text: string } }}
   */
  launch(command, env = plainEnv) {
    const child = startPeer(command, env);
    const output = { text: '' };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (data) => {
        output.text += data;
      });
    }
    this.#peers.push(child);
    return { child, output };
  }

  /** Starts a peer that listens on a port. */
  async serve(command, port) {
    const peer = this.launch(command);
    const death = children.death(peer.child, command[0]);
    await within(Promise.race([untilListening(port), death]), `${command[0]} to listen`).catch(
      (error) => {
        throw new Error(`${error.message}\n${peer.output.text}`);
      },
    );
    return peer;
  }

  /** Ends a peer in its own orderly way. @param {NodeJS.Signals} signal */
  async dismiss({ child, output }, signal) {
    if (child.exitCode === null && child.signalCode === null) {
      const closed = once(child, 'close');
      child.kill(signal);
      await within(closed, `${child.spawnfile} to end after ${signal}`);
    }
    return output.text;
  }

  /**
   * Runs a peer to its end.
   * @param {string[]} command
   * @param {{ env?: NodeJS.ProcessEnv }} [options]
   * @returns {Promise<{ code: number | null, signal: string | null, stdout: Buffer, stderr: string }>}
   */
  async run(command, { env = plainEnv } = {}) {
    const child = startPeer(command, env);
    this.#peers.push(child);
    const stdout = [];
    let stderr = '';
    child.stdout.on('data', (data) => stdout.push(data));
    child.stderr.setEncoding('utf8').on('data', (data) => {
      stderr += data;
    });
    const [code, signal] = await within(once(child, 'close'), `${command.join(' ')} to end`);
    return { code, signal, stdout: Buffer.concat(stdout), stderr };
  }

  freePort() {
    return freePort();
  }

  /** The counters of the package in each process that has ended. */
  counters() {
    if (!fs.existsSync(this.#counters)) return [];
    const lines = fs.readFileSync(this.#counters, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line));
  }

  /** Ends what still runs, and removes the folder. */
  async clear() {
    for (const program of this.#programs.keys()) await program.end().catch(() => {});
    for (const child of this.#peers) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    this.leave();
  }

  /** Has something done when the stage is left, even if that is by the end of the suite. */
  lastly(work) {
    this.#lastly.push(work);
  }

  /** Leaves nothing behind; at once, for the process may be about to end. */
  leave() {
    open.delete(this);
    for (const work of this.#lastly.splice(0)) work();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

module.exports = { Stage };
