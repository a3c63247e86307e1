'use strict';

// wrk: as many requests as fit into a second, one at a time on each connection and several at once.

const assert = require('node:assert');
const path = require('node:path');

const { HOST } = require('../lib/ports');
const tools = require('../lib/tools');

const SCRIPT = path.join(__dirname, '..', 'lib', 'answers.lua');

/** How many requests at once, and what is asked. */
const LOADS = [
  [1, 'GET', '/hello'],
  [1, 'GET', '/json'],
  [1, 'GET', '/fields'],
  [1, 'GET', '/chunked'],
  [1, 'GET', '/close'],
  [1, 'POST', '/hash', 'the body of the request'],
  [8, 'GET', '/hello'],
  [8, 'GET', '/chunked-later'],
  [8, 'POST', '/hash', 'the body of the request'],
];

/** @param {import('../lib/stage').Stage} stage */
async function converse(stage) {
  const { program, address } = await stage.start('origin.js');
  for (const [atOnce, method, url, body = ''] of LOADS) {
    const what = `${method} ${url}, ${atOnce} at once`;
    const load = ['-t', '1', '-c', '20', '-d', '1s', '--timeout', '20s', '-s', SCRIPT];
    const target = `http://${HOST}:${address.port}${url}`;
    const command = ['wrk', ...load, target, '--', String(atOnce), method, body];
    const { code, stdout, stderr } = await stage.run(command);
    assert.strictEqual(code, 0, `${what}: ${stdout}${stderr}`);
    const { requests, errors, kinds } = JSON.parse(stdout.toString().trimEnd().split('\n').pop());
    // The server has served these, and those that came while wrk stopped.
    const { events } = await program.ask('counts');
    const name = `${method} ${url} HTTP/1.1`;
    assert.ok(requests > 0 && events[name] >= requests, `${what}: ${requests} of ${events[name]}`);
    // Of /close wrk takes each end of a connection for an error, where it comes in time.
    if (url === '/close') delete errors.read;
    stage.saw(what, { errors, kinds: Object.keys(kinds) });
    assert.deepStrictEqual([...new Set(Object.values(errors))], [0], `${what}: ${stdout}`);
  }
  await stage.end(program);
}

module.exports = {
  tools: { wrk: 'wrk' },
  watches: false,
  version: () => /wrk \D*(\S+)/.exec(tools.output('wrk', '-v'))?.[1],
  converse,
};
