'use strict';

// ab: a fixed number of requests by HTTP/1.0, each on a connection of its own or on kept ones.

const assert = require('node:assert');

const { pattern } = require('../lib/bytes');
const { HOST } = require('../lib/ports');
const tools = require('../lib/tools');

const REQUESTS = 500;
const CONNECTIONS = 10;

/** What ab counts that is no matter of time; some lines are there only where there is something to say. */
const COUNTED = [
  'Document Length',
  'Complete requests',
  'Failed requests',
  'Non-2xx responses',
  'Keep-Alive requests',
  'Total transferred',
  'Total body sent',
  'HTML transferred',
];

const BODY = pattern(600);

/** @param {string} file that holds the body */
const loads = (file) => ({
  'chunks that 1.0 does not know': ['/hello'],
  'a length': ['/json'],
  'many fields': ['/fields'],
  'a head': ['/json', '-i'],
  'a large answer': ['/large-end', '-n', '30'],
  'a body': ['/hash', '-p', file, '-T', 'application/octet-stream'],
  'a body that nobody reads': ['/unread', '-p', file, '-T', 'application/octet-stream'],
  'what is not there': ['/nowhere'],
});

function read(output) {
  const lines = output.split('\n').map((line) => /^([\w -]+):\s+(\d+)/.exec(line));
  const all = Object.fromEntries(lines.filter(Boolean).map(([, name, value]) => [name, value]));
  return Object.fromEntries(COUNTED.map((name) => [name, Number(all[name] ?? 0)]));
}

/** @param {import('../lib/stage').Stage} stage */
async function converse(stage) {
  const { program, address } = await stage.start('origin.js');
  const file = stage.write('body', BODY);
  for (const kept of [false, true]) {
    for (const [name, [url, ...args]] of Object.entries(loads(file))) {
      const what = `${name}${kept ? ', kept' : ''}`;
      const load = [
        '-q',
        '-n',
        String(REQUESTS),
        '-c',
        String(CONNECTIONS),
        ...(kept ? ['-k'] : []),
      ];
      const target = `http://${HOST}:${address.port}${url}`;
      const { code, stdout, stderr } = await stage.run(['ab', ...load, ...args, target]);
      const counted = read(stdout.toString());
      const { events } = await program.ask('counts');
      const requests = Object.entries(events).filter(([event]) => event.endsWith(' HTTP/1.0'));
      // Not the connections: at its end ab opens some more that it does not use.
      stage.saw(what, { code, counted, requests });
      assert.strictEqual(code, 0, `${what}: ${stdout}${stderr}`);
      assert.strictEqual(counted['Failed requests'], 0, `${what}: ${stdout}`);
      const wanted = args[0] === '-n' ? Number(args[1]) : REQUESTS;
      assert.strictEqual(counted['Complete requests'], wanted, `${what}: ${stdout}`);
    }
  }
  await stage.end(program);
}

module.exports = {
  tools: { ab: 'apache2-utils' },
  watches: false,
  version: () => /Version (\S+)/.exec(tools.output('ab', '-V'))?.[1],
  converse,
};
