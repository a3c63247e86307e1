'use strict';

// PM2, in both of its modes: it starts, reloads and ends a program while clients ask for answers.

const assert = require('node:assert');
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');

const { mask } = require('../../behaviour/text');
const { Client, received } = require('../lib/client');
const { HOST } = require('../lib/ports');
const { within } = require('../lib/within');

const CLI = require.resolve('pm2/bin/pm2');
const PROGRAM = path.join(__dirname, '..', 'programs', 'managed.js');

/** How PM2 may run a program: as workers of its own cluster, or as a process of another binary. */
const MODES = { cluster: 2, fork: 1 };

class Manager {
  /** @param {import('../lib/stage').Stage} stage */
  constructor(stage) {
    this.stage = stage;
    this.home = stage.place('pm2');
    // Its daemon inherits this, and gives it to the programs.
    this.env = { ...stage.env, HOME: stage.folder, PM2_HOME: this.home, PM2_DISCRETE_MODE: 'true' };
  }

  /** Has PM2 do something. @returns {Promise<string>} what it prints */
  async run(...args) {
    const command = [this.stage.bin, CLI, '--no-color', ...args];
    const { code, stdout, stderr } = await this.stage.run(command, { env: this.env });
    assert.strictEqual(code, 0, `pm2 ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout.toString();
  }

  /** The processes as PM2 has them, without what is drawn or measured. */
  async processes() {
    const text = await this.run('jlist');
    const all = JSON.parse(text.slice(text.lastIndexOf('\n[') + 1));
    return all.map(({ name, pm2_env: env }) => ({
      name,
      status: env.status,
      mode: env.exec_mode,
      restarts: env.restart_time,
      unstable: env.unstable_restarts,
    }));
  }

  /** What the program printed. */
  logs() {
    const folder = path.join(this.home, 'logs');
    const files = fs.readdirSync(folder).sort();
    return files.map((file) => [file, mask(fs.readFileSync(path.join(folder, file), 'utf8'))]);
  }

  /**
   * Ends at once what no process of the suite is the parent of: PM2's daemon, which may not have
   * written its id yet, and its programs. The folder in their environment tells them apart.
   */
  stop() {
    for (const id of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const environment = fs.readFileSync(`/proc/${id}/environ`, 'utf8').split('\0');
        if (environment.includes(`PM2_HOME=${this.home}`)) process.kill(Number(id), 'SIGKILL');
      } catch {
        // It has ended, or is not ours.
      }
    }
  }
}

/** Answers that have begun before PM2 does something come to their end in it. */
async function during(where, work) {
  const clients = Array.from({ length: 4 }, () => new Client(where));
  const answers = [];
  // One after the other, so that the workers take turns.
  for (const client of clients) {
    const request = client.begin('/held');
    request.end();
    const [response] = await within(once(request, 'response'), 'an answer to begin');
    answers.push(received(response));
  }
  await work();
  const seen = await within(Promise.all(answers), 'the answers to end');
  for (const client of clients) client.close();
  return seen;
}

async function manage(manager, mode) {
  const { stage } = manager;
  const port = await stage.freePort();
  const config = {
    name: mode,
    script: PROGRAM,
    exec_mode: mode,
    instances: MODES[mode],
    interpreter: mode === 'fork' ? stage.bin : 'node',
    node_args: stage.args,
    env: { PORT: String(port) },
    wait_ready: true,
    listen_timeout: 20_000,
    kill_timeout: 10_000,
    autorestart: false,
  };
  const file = stage.write(`${mode}.json`, JSON.stringify({ apps: [config] }));
  await manager.run('start', file);
  stage.saw(`${mode}: started`, await manager.processes());

  const where = { host: HOST, port };
  const kept = new Client(where);
  for (let i = 0; i < 20; i++) stage.saw(`${mode}: kept ${i}`, await kept.exchange(`/kept?${i}`));
  kept.close();
  const crowd = new Client(where, 10);
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, i) => crowd.exchange(`/crowd?${i}`)),
  );
  crowd.close();
  stage.saw(`${mode}: a crowd`, answers);

  const seen = await during(where, () => manager.run('reload', mode));
  stage.saw(`${mode}: answers around a reload`, seen);
  for (const { body } of seen) assert.strictEqual(body, 'held,released', 'no answer is lost');
  const after = new Client(where);
  stage.saw(`${mode}: after the reload`, await after.exchange('/after'));
  after.close();
  stage.saw(`${mode}: then`, await manager.processes());
  await manager.run('stop', mode);
  stage.saw(`${mode}: stopped`, await manager.processes());
  await manager.run('delete', mode);
}

/** @param {import('../lib/stage').Stage} stage */
async function converse(stage) {
  const manager = new Manager(stage);
  stage.lastly(() => manager.stop());
  for (const mode of Object.keys(MODES)) await manage(manager, mode);
  stage.saw('logs', manager.logs());
  await manager.run('kill');
}

module.exports = {
  tools: {},
  watches: false,
  version: () => require('pm2/package.json').version,
  converse,
};
