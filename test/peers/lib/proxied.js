'use strict';

// The conversation that clients have with the origin through a proxy, whichever it is.

const assert = require('node:assert');
const { once } = require('node:events');

const { digest, pattern, sha256 } = require('./bytes');
const { Client, finished, webSocketTalk } = require('./client');
const { within } = require('./within');

const MIB = 1024 * 1024;
const SMALL = Buffer.from('{"name":"value"}');
const LARGE = pattern(8 * MIB);

/** A body that comes in chunks, for nothing says how long it is. */
const chunked = { 'Transfer-Encoding': 'chunked' };
const expecting = { Expect: '100-continue' };
const hashed = (body) => JSON.stringify({ bytes: body.length, sha256: sha256(body) });

/**
 * @typedef {object} Exchange
 * @property {string} path
 * @property {string} [method]
 * @property {Record<string, any>} [headers]
 * @property {Buffer} [body]
 * @property {number} [status] the answer's, 200 by default
 * @property {string} [answer] what its body must be, as `digest` tells it
 */

/** @type {Exchange[]} what every proxy and both kinds of connection behind it must carry */
const EXCHANGES = [
  { path: '/hello', answer: 'hello world' },
  { path: '/hello', method: 'HEAD', answer: '' },
  { path: '/json' },
  { path: '/fields', answer: 'twenty fields' },
  { path: '/seen?a=1&b=%20', headers: { 'X-Own': 'own', Cookie: 'a=1; b=2' } },
  { path: '/implicit' },
  { path: '/empty', answer: '' },
  { path: '/status?code=204', status: 204, answer: '' },
  { path: '/status?code=404', status: 404 },
  { path: '/status?code=500', status: 500 },
  { path: '/phrase', status: 299 },
  { path: '/redirect', status: 302 },
  { path: '/latin1' },
  { path: '/nowhere', status: 404 },
  { path: '/tagged', answer: 'tagged' },
  { path: '/tagged', headers: { 'If-None-Match': '"tag"' }, status: 304, answer: '' },
  { path: '/range', headers: { Range: 'bytes=10-19' }, status: 206 },
  { path: '/cookie', headers: { Cookie: 'count=4' }, answer: 'visit 5' },
  { path: '/chunked', answer: 'first,second,third' },
  { path: '/chunked-later', answer: 'first,second,third!' },
  { path: '/trailers', answer: 'with trailers' },
  { path: '/large', answer: digest(LARGE) },
  { path: '/large', method: 'HEAD', answer: '' },
  { path: '/large-chunked', answer: digest(LARGE) },
  { path: '/large-end', answer: digest(LARGE.subarray(0, MIB)) },
  { path: '/hash', method: 'POST', body: SMALL, answer: hashed(SMALL) },
  { path: '/hash', method: 'POST', body: LARGE, answer: hashed(LARGE) },
  { path: '/hash', method: 'POST', body: SMALL, headers: chunked, answer: hashed(SMALL) },
  { path: '/hash', method: 'POST', body: LARGE, headers: chunked, answer: hashed(LARGE) },
  { path: '/hash', method: 'PUT', body: Buffer.alloc(0), answer: hashed(Buffer.alloc(0)) },
  { path: '/hash', method: 'PATCH', body: SMALL, headers: expecting, answer: hashed(SMALL) },
  // No more, for not every proxy carries both directions at a time.
  { path: '/echo', method: 'PUT', body: pattern(16_000), answer: digest(pattern(16_000)) },
  { path: '/unread', method: 'POST', body: SMALL, answer: 'not read' },
  { path: '/unread', method: 'POST', body: pattern(40_000), answer: 'not read' },
  { path: '/status?code=200', method: 'DELETE', answer: 'status 200' },
  { path: '/seen', method: 'OPTIONS' },
  { path: '/hello', headers: { Connection: 'close' }, answer: 'hello world' },
  { path: '/close', answer: 'closing' },
];

/** Exchanges one after the other. */
async function ordinary({ stage, name, prefix, where, origin, isOld, watched }) {
  const client = new Client(where);
  for (const [i, exchange] of EXCHANGES.entries()) {
    const { path, method = 'GET', answer } = exchange;
    // Without chunks there are no trailers, and Node refuses to announce them.
    const status = isOld && path === '/trailers' ? 500 : (exchange.status ?? 200);
    const what = `${name} ${String(i).padStart(2, '0')} ${method} ${path}`;
    const target = path === '/unread' ? `${path}?${name}-${i}` : path;
    const seen = await client.exchange(prefix + target, exchange);
    stage.saw(what, seen);
    // The proxy has the answer before the origin has all of the request, which is then to end
    // before the next one comes on its connection.
    if (path === '/unread' && watched && !isOld) {
      await origin.ask('noted', `${method} ${target}: request close`);
    }
    assert.strictEqual(seen.status, status, `${what}: ${JSON.stringify(seen)}`);
    if (answer !== undefined && status !== 500) assert.strictEqual(seen.body, answer, what);
  }
  for (const path of ['/cut-before', '/cut-within', '/hello']) {
    stage.saw(`${name} then ${path}`, await client.exchange(prefix + path));
  }
  client.close();
}

/** A client that goes in the middle of an answer, and one in the middle of its request. */
async function abandoned({ stage, name, prefix, where, origin, buffers }) {
  const client = new Client(where);
  const download = client.begin(`${prefix}/begun?${name}`);
  const begun = once(download, 'response');
  download.end();
  await origin.ask('noted', `GET /begun?${name}`);
  if (!buffers) await within(begun, 'the head of the answer');
  begun.catch(() => {});
  download.destroy();
  await origin.ask('closed', `GET /begun?${name}`);
  await origin.ask('release');
  if (!buffers) {
    const headers = { 'Content-Length': LARGE.length };
    const upload = client.begin(`${prefix}/hash?${name}`, { method: 'POST', headers });
    upload.on('error', () => {}).write(LARGE.subarray(0, 100_000));
    await origin.ask('noted', `POST /hash?${name}`);
    upload.destroy();
    await origin.ask('closed', `POST /hash?${name}`);
  }
  stage.saw(`${name} after clients that went`, await client.exchange(`${prefix}/hello`));
  client.close();
}

/** Many at a time: all are answered, and each with its own answer. */
async function parallel({ stage, name, prefix, where }) {
  const client = new Client(where, 20);
  const all = await Promise.all(
    Array.from({ length: 200 }, (_, i) => client.exchange(`${prefix}/seen?number=${i}`)),
  );
  stage.saw(`${name} 200 requests on 20 connections`, all);
  client.close();
}

/** The origin closes connections that are idle; the proxy opens another. */
async function idle({ stage, name, prefix, where, origin }) {
  const client = new Client(where);
  await origin.ask('keepAlive', 100);
  stage.saw(`${name} on a connection that idles`, await client.exchange(`${prefix}/hello?${name}`));
  await origin.ask('closed', `GET /hello?${name}`);
  await origin.ask('keepAlive', 60_000);
  stage.saw(`${name} after a connection that idled`, await client.exchange(`${prefix}/hello`));
  client.close();
}

/** The origin stops to accept while an answer is under way, and comes back at the same place. */
async function restart({ stage, name, prefix, where, origin, address }) {
  const client = new Client(where, 2);
  const last = client.begin(`${prefix}/held?${name}`);
  last.end();
  const answer = finished(last);
  await origin.ask('noted', `GET /held?${name}`);
  await origin.ask('close');
  stage.saw(`${name} while the origin closes`, await client.exchange(`${prefix}/hello`));
  await origin.ask('release');
  stage.saw(`${name} the last answer`, await within(answer, 'the last answer'));
  // The proxy may keep that connection; then Node waits for it, as long as it is idle.
  await origin.ask('listen', address);
  stage.saw(`${name} after the restart`, await client.exchange(`${prefix}/hello`));
  client.close();
}

/** @param {{ stage: any, name: string, prefix: string, where: { host: string, port: number } }} route */
async function upgrades({ stage, name, prefix, where }) {
  const url = `ws://${where.host}:${where.port}${prefix}/socket`;
  stage.saw(`${name} WebSocket`, await webSocketTalk(url));
}

/**
 * @typedef {object} Route one way through a proxy
 * @property {import('./stage').Stage} stage
 * @property {string} name
 * @property {string} prefix of the paths, by which the proxy knows the way
 * @property {{ host: string, port: number }} where the proxy listens
 * @property {import('./program').Program} origin behind it
 * @property {any} address where that listens
 * @property {boolean} watched whether the origin's journal has all events
 * @property {boolean} isOld whether the proxy speaks HTTP/1.0 with the origin
 * @property {boolean} buffers whether the proxy gives each side only what is there completely
 */

module.exports = { abandoned, idle, ordinary, parallel, restart, upgrades };
