'use strict';
// The process of one run: starts the servers of a case, and does over IPC what the harness asks for.
//   node [-r ../../register.js] test/ecosystem/child/program.js CASE FOLDER LOG [watched]

const path = require('node:path');
const { Exchanges } = require('./exchanges');
const { Toolbox } = require('./toolbox');
const { watch } = require('./watch');

const ROOT = path.join(__dirname, '..', '..', '..');

const [file, folder, log, watched] = process.argv.slice(2);
const preloaded = Object.hasOwn(require.cache, path.join(ROOT, 'register.js'));

/** @typedef {import('node:http').Server} Server */

/** @param {Server} server that listens when this resolves */
function listen(server) {
  if (server.listening) return server;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => resolve(server));
  });
}

/** @param {Server} server */
const closed = (server) =>
  new Promise((resolve) => {
    if (!server.listening) resolve();
    else server.close(resolve);
  });

async function main() {
  const t = new Toolbox(folder, log);
  const started = await require(file).server(t);
  const { servers = [started], behind = [], calls = {}, close } = started.servers ? started : {};
  const exchanges = new Exchanges();
  let isOver = false;
  for (const server of servers) {
    await listen(server);
    exchanges.follow(server);
    if (watched) watch(server, t);
  }
  for (const server of behind) exchanges.followRequests(server);

  const requests = {
    ports: () => servers.map((server) => server.address().port),
    call: (name, ...args) => calls[name](...args),
    /** All that the log says, once what has been answered is over. */
    async quiet(connections) {
      await exchanges.quiet(connections);
      // On stock Node the package must not even be loaded.
      return { requests: exchanges.count, stats: preloaded ? require(ROOT).stats() : null };
    },
    /** What the package says of itself. */
    parts: () => (preloaded ? require(ROOT).install().parts : null),
    until: (text) => t.logged(text),
    /** From here on only what the program itself does keeps it alive. */
    release: () => process.channel.unref(),
    async close() {
      isOver = true;
      await close?.();
      for (const server of [...servers, ...behind]) await closed(server);
    },
  };

  // The harness lets go once the servers are closed; before that it is gone.
  process.on('disconnect', () => {
    if (!isOver) process.exit(1);
  });
  process.on('message', async ({ id, name, args }) => {
    let answer;
    try {
      answer = { id, result: await requests[name](...args) };
    } catch (error) {
      answer = { id, error: String(error?.stack ?? error) };
    }
    if (process.connected) process.send(answer);
  });
  process.send({ id: 'ready' });
}

main();
