'use strict';

// Who is compared. The first is the one the others are measured against.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { UsageError } = require('./cli');
const peers = require('./peers');

const root = path.join(__dirname, '..', '..');
const register = path.join(root, 'register.js');

/**
 * @typedef {object} Variant
 * @property {string} name
 * @property {string[]} command program and arguments in front of the server's script
 * @property {boolean} node whether the program is Node
 * @property {string} parts value of ONEWRITE in its environment
 * @property {string | null} stats the module whose `stats()` counts the responses, if any
 * @property {boolean} canned whether a bare `node:net` server sends the workload's answer from memory
 */

/** @type {{ [name: string]: string[] }} other runtimes: arguments in front of the server's script */
const runtimes = { bun: [], deno: ['run', '--allow-all', '--no-lock', '--quiet'] };

/**
 * @param {string} node the Node binary to measure
 * @param {string} names of servers, with commas: `stock`, `onewrite` for all parts, the parts that are to be on,
 *   joined by a plus, `net`, `bun`, `deno`
 * @returns {Variant[]}
 */
function variants(node, names) {
  const probe = spawnSync(node, ['-p', 'process.version'], { encoding: 'utf8' });
  if (probe.status !== 0) {
    throw new UsageError(
      `node=${node}: does not run${probe.error ? ` (${probe.error.message})` : ''}`,
    );
  }
  if (!fs.existsSync(register)) throw new Error(`${register} is missing`);
  const known = require(path.join(root, 'lib', 'parts.js')).names;
  return names.split(',').map((name) => {
    const stock = { name, command: [node], node: true, parts: '', stats: null, canned: false };
    if (name === 'stock') return stock;
    if (name === 'net') return { ...stock, canned: true };
    if (Object.hasOwn(runtimes, name)) {
      return { ...stock, command: [peers.binaryOf(name), ...runtimes[name]], node: false };
    }
    const parts = name === 'onewrite' ? 'all' : name.replaceAll('+', ',');
    const unknown = name.split('+').filter((part) => !known.includes(part));
    if (name !== 'onewrite' && unknown.length > 0) {
      const others = ['stock', 'onewrite', 'net', ...Object.keys(runtimes)];
      throw new UsageError(
        `servers=${names}: unknown ${unknown}; servers: ${others.join()}; parts: ${known}`,
      );
    }
    const stats = path.join(root, 'index.js');
    return { ...stock, command: [node, '-r', register], parts, stats };
  });
}

module.exports = { variants };
