'use strict';

// Memory of a server with many idle keep-alive connections, each of which had one exchange.

const { once } = require('node:events');
const net = require('node:net');
const path = require('node:path');
const children = require('../../lib/cli/children');
const cli = require('../lib/cli');
const { table } = require('../../lib/cli/table');
const { formatNumber, summarize } = require('../../lib/cli/statistics');
const { variants } = require('../lib/variants');

const script = path.join(__dirname, 'idle-child.js');
const question = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
/** Connections that are being made at a time: fewer than a server's backlog. */
const atOnce = 100;

const options = {
  connections: cli.integer(10_000, 1, 50_000),
  starts: cli.integer(3, 1, 100),
  servers: cli.text('stock,onewrite', 'stock,onewrite'),
  node: cli.text(process.execPath, 'PATH'),
};

/** @param {number} port @returns {Promise<net.Socket>} a connection that has had its answer */
async function exchange(port) {
  const socket = net.connect(port, '127.0.0.1', () => socket.write(question));
  await once(socket, 'data');
  return socket;
}

/**
 * @param {import('../lib/variants').Variant} variant
 * @param {number} connections
 * @returns {Promise<{ rss: number, heap: number }>} bytes a connection, resident and in use of the heap
 */
async function measureIdle(variant, connections) {
  const env = { ...process.env, ONEWRITE: variant.parts };
  const stdio = /** @type {const} */ (['ignore', 2, 2, 'ipc']);
  const child = children.start([...variant.command, '--expose-gc', script], null, stdio, env);
  const death = children.death(child, `the ${variant.name} server`);
  const message = async () => (await Promise.race([once(child, 'message'), death]))[0];
  const memory = () => {
    child.send('measure');
    return message();
  };
  const { port } = await message();
  const sockets = [await exchange(port)];
  const before = await memory();
  while (sockets.length <= connections) {
    const count = Math.min(atOnce, connections + 1 - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: count }, () => exchange(port)))));
  }
  const after = await memory();
  if (after.connections !== connections + 1) {
    throw new Error(`the ${variant.name} server has ${after.connections} connections`);
  }
  for (const socket of sockets) socket.destroy();
  child.kill('SIGKILL');
  const per = (name) => (after[name] - before[name]) / connections;
  return { rss: per('rss'), heap: per('heapUsed') };
}

/** @returns {Promise<object[]>} of each server */
async function compareIdle({ connections, starts, servers, node }) {
  const list = variants(node, servers);
  const results = list.map(({ name }) => ({ name, rss: [], heap: [] }));
  for (let start = 0; start < starts; start++) {
    for (const [i, variant] of list.entries()) {
      const { rss, heap } = await measureIdle(variant, connections);
      results[i].rss.push(rss);
      results[i].heap.push(heap);
    }
  }
  return results.map(({ name, rss, heap }) => ({
    name,
    rss: summarize(rss).median,
    heap: summarize(heap).median,
  }));
}

/** @returns {string} */
function formatIdle(results) {
  return table([
    ['bytes a connection', 'resident', 'heap'],
    ...results.map(({ name, rss, heap }) => [name, formatNumber(rss, 0), formatNumber(heap, 0)]),
  ]).join('\n');
}

if (require.main === module) cli.main(options, compareIdle, formatIdle);
