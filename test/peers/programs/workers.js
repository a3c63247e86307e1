'use strict';

// Workers of node:cluster that share a port, and the primary that has them work for the suite.
//
//   workers.js rr|none

const cluster = require('node:cluster');
const { once } = require('node:events');
const http = require('node:http');

const COUNT = 3;

function work() {
  const held = [];
  let served = 0;
  const server = http.createServer((req, res) => {
    served++;
    const { id } = cluster.worker;
    const answer = () => res.setHeader('X-Worker', id).end(`answer to ${req.url}`);
    if (req.url.startsWith('/crash')) process.exit(7);
    if (!req.url.startsWith('/held')) return answer();
    held.push(answer);
    return process.send('held');
  });
  // Nobody but the suite is to end a connection.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  process.on('message', (message) => {
    if (message === 'release') for (const answer of held.splice(0)) answer();
    // Asked by its primary's disconnect(), it would hear of no release.
    if (message === 'leave') cluster.worker.disconnect();
    if (message === 'count') process.send({ served });
  });
}

async function lead() {
  // Loaded by the primary alone: a worker talks with nobody but its primary.
  const remote = require('./remote');
  const [, , policy] = process.argv;
  cluster.schedulingPolicy = policy === 'rr' ? cluster.SCHED_RR : cluster.SCHED_NONE;

  let heldNow = 0;
  let wake = () => {};
  cluster.on('message', (worker, message) => {
    if (message !== 'held') return;
    heldNow++;
    wake();
  });

  /** How a worker ended, for which the suite may ask later. @type {Map<number, Promise<object>>} */
  const ends = new Map();

  async function fork() {
    const worker = cluster.fork();
    ends.set(
      worker.id,
      once(worker, 'exit').then(([code, signal]) => ({
        code,
        signal,
        asked: worker.exitedAfterDisconnect,
      })),
    );
    const [address] = await once(worker, 'listening');
    return { id: worker.id, port: address.port };
  }

  const served = async (worker) => {
    const told = new Promise((resolve) => {
      worker.on('message', ({ served: count }) => count !== undefined && resolve(count));
    });
    worker.send('count');
    return told;
  };

  remote.answer({
    fork,
    /** Resolves once so many answers are held. */
    held: (count) =>
      new Promise((resolve) => {
        wake = () => heldNow >= count && resolve(undefined);
        wake();
      }),
    release: () => {
      heldNow = 0;
      for (const worker of Object.values(cluster.workers)) worker.send('release');
    },
    kill: (id) => {
      cluster.workers[id].process.kill('SIGKILL');
      return ends.get(id);
    },
    /** Has a worker end when its connections have, not waiting for that. */
    disconnect: (id) => void cluster.workers[id].send('leave'),
    ended: (id) => ends.get(id),
    served: () => Promise.all(Object.values(cluster.workers).map(served)),
    // Not cluster.disconnect(): a worker may still write to the channel that it closes.
    end: async () => {
      for (const worker of Object.values(cluster.workers)) worker.send('leave');
      await Promise.all(ends.values());
      process.exit();
    },
  });

  const [{ port }] = [await fork(), await fork(), await fork()].slice(-COUNT);
  remote.ready({ port });
}

if (cluster.isPrimary) lead();
else work();
