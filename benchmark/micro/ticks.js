'use strict';

// What one keep-alive exchange costs a server beside its bytes: ticks, microtasks, promises,
// immediates, timers, emitted events and changes of listeners, by server and Node.

const { once } = require('node:events');
const net = require('node:net');
const path = require('node:path');
const children = require('../../lib/cli/children');
const cli = require('../lib/cli');
const { table } = require('../../lib/cli/table');
const { formatNumber } = require('../../lib/cli/statistics');
const { variants } = require('../lib/variants');

const script = path.join(__dirname, 'ticks-child.js');
const question = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

const options = {
  exchanges: cli.integer(200, 1, 1_000_000),
  servers: cli.text('stock,onewrite', 'stock,onewrite'),
  node: cli.text(process.execPath, 'PATH,…'),
};

/** @typedef {{ [what: string]: number }} Counts per exchange, by kind and name: `tick: endReadableNT` */

/**
 * Asks one question after the other, on one connection, until the server ends it.
 * @param {number} port
 */
function ask(port) {
  const socket = net.connect(port, '127.0.0.1', () => socket.write(question));
  // Small answers of one write: a piece is an answer.
  socket.on('data', () => socket.write(question)).on('error', () => {});
}

/**
 * @param {import('../lib/variants').Variant} variant
 * @param {number} exchanges
 * @returns {Promise<Counts>}
 */
async function countExchange(variant, exchanges) {
  const command = [...variant.command, script, String(exchanges)];
  const env = { ...process.env, ONEWRITE: variant.parts };
  const child = children.start(command, null, ['ignore', 2, 2, 'ipc'], env);
  const death = children.death(child, `the ${variant.name} server`);
  const message = async () => (await Promise.race([once(child, 'message'), death]))[0];
  ask((await message()).port);
  return (await message()).perExchange;
}

/**
 * @param {string} node
 * @param {string} servers names of variants
 * @param {number} exchanges
 * @returns {Promise<{ [server: string]: Counts }>}
 */
async function countAll(node, servers, exchanges) {
  /** @type {{ [server: string]: Counts }} */
  const result = {};
  for (const variant of variants(node, servers)) {
    result[variant.name] = await countExchange(variant, exchanges);
  }
  return result;
}

/**
 * Sums of the counts by their kind: `tick`, `microtask`, `promise`, `immediate`, `timer`,
 * `emit`, `unheard emit`, `listener`.
 * @param {Counts} counts
 * @returns {Counts}
 */
function byKind(counts) {
  /** @type {Counts} */
  const sums = {};
  for (const [what, n] of Object.entries(counts)) {
    const kind = what.split(': ')[0];
    sums[kind] = (sums[kind] ?? 0) + n;
  }
  return sums;
}

/**
 * @param {{ node: string, exchanges: number, counts: { [server: string]: Counts } }} result
 * @returns {string[]} a table with a column a server
 */
function formatCounts({ node, counts }) {
  const servers = Object.keys(counts);
  const rows = (part) => {
    const names = new Set(servers.flatMap((server) => Object.keys(part(counts[server]))));
    return [...names]
      .sort()
      .map((name) => [name, ...servers.map((s) => formatNumber(part(counts[s])[name] ?? 0, 2))]);
  };
  return table([
    [node, ...servers],
    ...rows(byKind),
    ['', ...servers.map(() => '')],
    ...rows((c) => c),
  ]);
}

async function compareCounts({ node, servers, exchanges }) {
  const results = [];
  for (const binary of node.split(',')) {
    results.push({ node: binary, exchanges, counts: await countAll(binary, servers, exchanges) });
  }
  return results;
}

module.exports = { byKind, countAll };

if (require.main === module) {
  const format = (results) => results.map((result) => formatCounts(result).join('\n')).join('\n\n');
  cli.main(options, compareCounts, format);
}
