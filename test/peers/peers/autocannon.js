'use strict';

// autocannon with pipelining: a fixed number of requests, and as many as fit into a second.

const assert = require('node:assert');

const { HOST } = require('../lib/ports');

const AMOUNT = 1000;

/** What it asks: more arguments, and what the body of each answer must be. */
const LOADS = {
  'a text': { url: '/hello', body: 'hello world' },
  fields: { url: '/fields', body: 'twenty fields' },
  JSON: { url: '/json' },
  chunks: { url: '/chunked', body: 'first,second,third' },
  'chunks, one by one': { url: '/chunked-later', body: 'first,second,third!' },
  'a body': { url: '/hash', args: ['-m', 'POST', '-b', 'the body of the request'] },
  'a body that nobody reads': { url: '/unread', args: ['-m', 'PUT', '-b', 'x'.repeat(300)] },
  'a large answer': { url: '/large-end', amount: 80 },
};

const requestsOf = (events) =>
  Object.entries(events).filter(([event]) => event.endsWith(' HTTP/1.1'));

async function cannon(stage, port, { url, body, args = [] }, limit) {
  const script = require.resolve('autocannon/autocannon.js');
  const expected = body === undefined ? [] : ['-E', body];
  const load = ['--json', '--no-progress', '-c', '10', '-t', '20', ...limit];
  const target = `http://${HOST}:${port}${url}`;
  const command = [process.execPath, script, ...load, ...args, ...expected, target];
  const { code, stdout, stderr } = await stage.run(command);
  assert.strictEqual(code, 0, stderr);
  const result = JSON.parse(stdout);
  const { errors, timeouts, mismatches, non2xx } = result;
  const wrong = { errors, timeouts, mismatches, non2xx };
  assert.deepStrictEqual(wrong, { errors: 0, timeouts: 0, mismatches: 0, non2xx: 0 }, url);
  assert.ok(result['2xx'] > 0, `${url}: nothing was answered`);
  return result;
}

/** @param {import('../lib/stage').Stage} stage */
async function converse(stage) {
  const { program, address } = await stage.start('origin.js');
  for (const [what, load] of Object.entries(LOADS)) {
    const amount = load.amount ?? AMOUNT;
    await cannon(stage, address.port, load, ['-a', String(amount), '-p', '8']);
    // It goes when the last answers are on their way, and does not count these.
    const { connections, events } = await program.ask('counts');
    stage.saw(`${what}, 8 at once`, {
      connections,
      served: requestsOf(events).map(([event]) => event),
    });
  }
  const { requests, statusCodeStats, throughput } = await cannon(stage, address.port, LOADS.JSON, [
    '-a',
    String(AMOUNT),
  ]);
  const { connections, events } = await program.ask('counts');
  const counted = { requests: requests.total, statusCodeStats, bytes: throughput.total };
  stage.saw('one at a time', { ...counted, connections, served: requestsOf(events) });
  const timed = await cannon(stage, address.port, LOADS['a text'], ['-d', '1', '-p', '8']);
  stage.saw('for a second', Object.keys(timed.statusCodeStats));
  await stage.end(program);
}

module.exports = {
  tools: {},
  watches: false,
  version: () => require('autocannon/package.json').version,
  converse,
};
