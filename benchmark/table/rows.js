'use strict';

// The rows of the whole table, and its columns.

/**
 * @typedef {object} Row
 * @property {string} name of the row, and of its cells
 * @property {string} says what it is, for a reader
 * @property {string} workload its file in benchmark/http
 * @property {string[]} [options] `name=value` of the workload
 * @property {boolean} [tls]
 * @property {boolean} [several] whether its requests differ, so that no canned answer serves them
 */

/** Where a round of the short kind has too few requests of each sort. */
const LONGER = 'duration=0.5';

/** @type {Row[]} */
const ROWS = [
  { name: 'simple', says: '`writeHead()` with two fields, 4 bytes', workload: 'simple' },
  { name: 'hello', says: "`end('hello world')`", workload: 'hello' },
  { name: 'json', says: 'JSON with three fields', workload: 'json' },
  { name: 'headers', says: '20 request fields, two of them read', workload: 'headers' },
  { name: 'post', says: '1 KiB of JSON, read by the handler', workload: 'post' },
  { name: 'pipelined', says: '16 requests at once', workload: 'pipelined' },
  { name: 'fastify', says: 'Fastify 5, an object', workload: 'fastify' },
  { name: 'koa', says: 'Koa 3', workload: 'koa' },
  { name: 'express', says: 'Express 5', workload: 'express' },
  { name: 'one', says: 'one connection', workload: 'hello', options: ['c=1'] },
  {
    name: 'new',
    says: 'a connection for every request',
    workload: 'new-connection',
    options: [LONGER],
  },
  { name: 'writes', says: 'four writes', workload: 'simple', options: ['chunks=4'] },
  { name: '64k', says: 'a body of 64 KiB', workload: 'simple', options: ['len=65536'] },
  { name: '1m', says: 'a body of 1 MiB', workload: 'simple', options: ['len=1048576', 'c=10'] },
  { name: 'file', says: 'a file of 64 KiB, piped', workload: 'file' },
  {
    name: 'uploads',
    says: 'one request in ten uploads 1 MiB',
    workload: 'uploads',
    options: [LONGER],
    several: true,
  },
  { name: 'tls', says: 'over TLS', workload: 'tls', tls: true },
];

/** Servers by the order of columns; the first is the base. */
const SERVERS = ['stock', 'responses', 'responses+teardown', 'onewrite', 'net', 'bun', 'deno'];

/** Those of the servers that can serve a row. @param {Row} row @param {string[]} servers */
function serversOf({ tls, several }, servers) {
  const hasNoCanned = tls || several;
  return servers.filter((name) => !(hasNoCanned && name === 'net'));
}

module.exports = { ROWS, SERVERS, serversOf };
