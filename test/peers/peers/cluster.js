'use strict';

// node:cluster: workers that share a port, one of which is killed, crashes or is replaced while
// clients wait for its answers. Each connection belongs to one worker, which its answers name.

const assert = require('node:assert');

const { Client } = require('../lib/client');
const { HOST } = require('../lib/ports');

const CLIENTS = 12;
const EACH = 50;

/** The worker that an answer is of. */
const workerOf = ({ fields = [] }) =>
  Number(fields.find((line) => line.startsWith('X-Worker: '))?.slice('X-Worker: '.length));

/** What an answer is without its worker. */
const plain = ({ fields = [], ...rest }) => ({
  ...rest,
  fields: fields.filter((line) => !line.startsWith('X-Worker: ')),
});

class Scene {
  /** @param {import('../lib/stage').Stage} stage @param {string} policy */
  constructor(stage, policy, program, port) {
    this.stage = stage;
    this.policy = policy;
    this.program = program;
    this.where = { host: HOST, port };
    /** Whether it is known which worker gets a connection: they take turns, until one is killed. */
    this.inTurn = policy === 'rr';
  }

  saw(what, value) {
    this.stage.saw(`${this.policy}: ${what}`, value);
  }

  /** Connections that are opened one after the other, with the worker of each. */
  async clients(count) {
    const clients = [];
    for (let i = 0; i < count; i++) {
      const client = new Client(this.where);
      clients.push({ client, worker: workerOf(await client.exchange('/first')) });
    }
    return clients;
  }
}

const all = (clients, path) => Promise.all(clients.map(({ client }) => client.exchange(path)));

function close(clients) {
  for (const { client } of clients) client.close();
}

/** Workers serve their connections, each its own. */
async function serve(scene) {
  const clients = await scene.clients(CLIENTS);
  const rounds = [];
  for (let i = 0; i < EACH; i++) rounds.push(...(await all(clients, `/round?${i}`)));
  scene.saw('rounds', scene.inTurn ? rounds : rounds.map(plain));
  rounds.forEach((answer, i) => {
    assert.strictEqual(
      workerOf(answer),
      clients[i % CLIENTS].worker,
      'a connection keeps its worker',
    );
  });
  const served = await scene.program.ask('served');
  const total = served.reduce((sum, count) => sum + count, 0);
  assert.strictEqual(total, CLIENTS * (EACH + 1), 'the workers served each request once');
  if (scene.inTurn) scene.saw('served by each worker', served);
  close(clients);
}

/** A worker is killed while all clients wait: its own clients lose that answer, no other does. */
async function killWaiting(scene) {
  const clients = await scene.clients(CLIENTS);
  const victim = clients[0].worker;
  const waiting = all(clients, '/held');
  await scene.program.ask('held', CLIENTS);
  scene.saw('a killed worker', await scene.program.ask('kill', victim));
  await scene.program.ask('release');
  const answers = await waiting;
  answers.forEach((answer, i) => {
    const outcome = clients[i].worker === victim ? 'ECONNRESET' : undefined;
    assert.strictEqual(answer.error, outcome, `client ${i}: ${JSON.stringify(answer)}`);
  });
  if (scene.inTurn) scene.saw('answers around a killed worker', answers);
  scene.saw('answers after it', (await all(clients, '/after')).map(plain));
  close(clients);
  await scene.program.ask('fork');
}

/** A worker is killed under load: no connection loses more than what was under way on it. */
async function killUnderLoad(scene) {
  const clients = await scene.clients(CLIENTS);
  const victim = clients[0].worker;
  let asked = 0;
  let killed;
  const lost = clients.map(() => 0);
  const load = clients.map(async ({ client }, i) => {
    for (let number = 0; number < EACH; number++) {
      if (++asked === (CLIENTS * EACH) / 2) killed = scene.program.ask('kill', victim);
      const answer = await client.exchange(`/load?${number}`);
      if (answer.error !== undefined) {
        assert.strictEqual(answer.error, 'ECONNRESET');
        lost[i]++;
        number--;
        // Until the primary knows, it gives connections to a worker that is gone, on stock Node too.
        await killed;
        continue;
      }
      assert.strictEqual(answer.body, `answer to /load?${number}`);
    }
  });
  await Promise.all(load);
  scene.saw('a worker killed under load', await killed);
  lost.forEach((count, i) => {
    const most = clients[i].worker === victim ? 1 : 0;
    assert.ok(count <= most, `client ${i} lost ${count} answers`);
  });
  close(clients);
  await scene.program.ask('fork');
}

/** A worker ends the process in the middle of a request. */
async function crash(scene) {
  const [crashing, ...others] = await scene.clients(CLIENTS);
  const waiting = all(others, '/held');
  await scene.program.ask('held', CLIENTS - 1);
  scene.saw('the answer of a crash', await crashing.client.exchange('/crash'));
  scene.saw('a crash', await scene.program.ask('ended', crashing.worker));
  await scene.program.ask('release');
  (await waiting).forEach((answer, i) => {
    const outcome = others[i].worker === crashing.worker ? 'ECONNRESET' : undefined;
    assert.strictEqual(answer.error, outcome, `client ${i}: ${JSON.stringify(answer)}`);
  });
  close([crashing, ...others]);
  await scene.program.ask('fork');
}

/** A worker is replaced while all clients wait: it gives the answers that it owes, and ends. */
async function replace(scene) {
  const clients = await scene.clients(CLIENTS);
  const [idle, ...others] = clients;
  const old = idle.worker;
  const closed = idle.client.idleClosed();
  const waiting = all(others, '/held');
  await scene.program.ask('held', CLIENTS - 1);
  await scene.program.ask('fork');
  await scene.program.ask('disconnect', old);
  await closed;
  await scene.program.ask('release');
  const answers = await waiting;
  for (const answer of answers) assert.strictEqual(answer.error, undefined, 'no answer is lost');
  scene.saw('answers around a worker that is replaced', answers.map(plain));
  scene.saw('answers after that', (await all(clients, '/after')).map(plain));
  close(clients);
  scene.saw('its end', await scene.program.ask('ended', old));
}

/** @param {import('../lib/stage').Stage} stage */
async function converse(stage) {
  for (const policy of ['rr', 'none']) {
    const { program, address } = await stage.start('workers.js', [policy], {
      name: `primary, ${policy}`,
    });
    const scene = new Scene(stage, policy, program, address.port);
    for (const act of [serve, killWaiting, killUnderLoad, crash, replace]) await act(scene);
    await stage.end(program);
  }
}

module.exports = { tools: {}, watches: false, version: () => 'of Node', converse };
