'use strict';
// The process in which a case runs, as the harness sees it.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { STOCK, preloaded } = require('../modes');
const { plainEnv } = require('../program');

const PROGRAM = path.join(__dirname, 'child', 'program.js');
const LIMIT_MS = 30_000;

/** With more threads, of two files that are asked for at once either may come first. */
const SAME = { NODE_ENV: 'production', TZ: 'UTC', UV_THREADPOOL_SIZE: '1' };

class Child {
  #process;
  #waiting = new Map();
  #read = 0;
  #log;
  /** @type {number | string | null} the exit code or the signal, once it has ended */
  exit = null;
  printed = { stdout: '', stderr: '' };

  /**
   * @param {string} bin the Node binary
   * @param {string} file of the case
   * @param {{ preload: boolean, watched: boolean, env?: Record<string, string>, args?: string[] }} options
   */
  constructor(bin, file, { preload, watched, env = {}, args = [] }) {
    this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ecosystem-'));
    this.#log = path.join(this.folder, 'log');
    fs.writeFileSync(this.#log, '');
    const mode = preload ? preloaded('all') : STOCK;
    this.#process = spawn(
      bin,
      [
        ...mode.args,
        ...args,
        PROGRAM,
        file,
        this.folder,
        this.#log,
        ...(watched ? ['watched'] : []),
      ],
      {
        cwd: this.folder,
        env: { ...plainEnv, ...SAME, ...env, ...mode.env },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    );
    for (const stream of ['stdout', 'stderr']) {
      this.#process[stream].setEncoding('utf8').on('data', (data) => {
        this.printed[stream] += data;
      });
    }
    this.#process.on('message', ({ id, result, error }) => {
      const { resolve, reject } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) resolve(result);
      else reject(new Error(error));
    });
    this.ready = this.#answer('ready');
    // Not 'close', which does not come where the parent has disconnected.
    const over = ['stdout', 'stderr'].map((stream) => once(this.#process[stream], 'close'));
    this.exited = Promise.all([once(this.#process, 'exit'), ...over]).then(([[code, signal]]) => {
      this.exit = code ?? signal;
      for (const { reject } of this.#waiting.values()) {
        reject(new Error(`the program ended: ${this.exit}`));
      }
    });
  }

  #answer(id) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${id}: no answer`)), LIMIT_MS);
      const over = (settle) => (value) => {
        clearTimeout(timer);
        settle(value);
      };
      this.#waiting.set(id, { resolve: over(resolve), reject: over(reject) });
    });
  }

  /** Has the program do one of the things that child/program.js knows. */
  request(name, ...args) {
    const id = `${name} ${this.#waiting.size} ${performance.now()}`;
    const answer = this.#answer(id);
    this.#process.send({ id, name, args });
    return answer;
  }

  /** What the program has noted since this was asked last. */
  newLines() {
    const text = fs.readFileSync(this.#log, 'utf8');
    const lines = text.slice(this.#read).split('\n').slice(0, -1);
    this.#read = text.length;
    return lines;
  }

  kill(signal) {
    this.#process.kill(signal);
  }

  /** Lets go of the program, which has to end by itself then unless it is known to linger. */
  async end(lingers) {
    if (this.exit === null) {
      this.#process.disconnect();
      if (lingers) this.kill('SIGKILL');
      const timer = setTimeout(() => this.kill('SIGKILL'), LIMIT_MS);
      await this.exited;
      clearTimeout(timer);
    }
    return lingers ? null : this.exit;
  }

  /** Leaves nothing behind. */
  async dispose() {
    if (this.exit === null) this.kill('SIGKILL');
    await this.exited;
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

module.exports = { Child };
