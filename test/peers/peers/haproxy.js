'use strict';

// HAProxy as a reverse proxy in mode http that shares its connections to the origin, over TCP and
// over a socket file, and that asks for its health.

const { HOST } = require('../lib/ports');
const proxied = require('../lib/proxied');
const { exchanges, withoutResets } = require('../lib/journals');
const tools = require('../lib/tools');

/** The ways through HAProxy: where they lead, and what is particular of them. */
const WAYS = {
  reuse: { to: 'tcp', lines: ['http-reuse always'] },
  file: { to: 'file', lines: ['http-reuse always'] },
  // One connection an exchange, which HAProxy closes.
  closing: { to: 'tcp', lines: ['option httpclose'] },
};

/** What clients go in the middle of; HAProxy resets that connection, and others as it pleases. */
const ABANDONED = /\/(begun|hash\?)/;

const FORMAT = [
  ['request', '%HM %HU'],
  ['status', '%ST'],
  ['read', '%B'],
  ['uploaded', '%U'],
  ['state', '%tsc'],
  ['retries', '%rc'],
];

function configuration(port, servers) {
  const ways = Object.entries({ ...WAYS, many: { to: 'many', lines: ['http-reuse always'] } });
  const backends = ways.map(
    ([way, { to, lines }]) => `
backend ${way}
  ${lines.join('\n  ')}
  http-request set-path %[path,regsub(^/${way}/,/)]
  server origin ${servers[to]}`,
  );
  return `
global
  nbthread 1
  log stdout format raw local0 info
  # Whatever else is on this machine: this process shall end with the suite.
  hard-stop-after 5s
defaults
  mode http
  log global
  log-format '{${FORMAT.map(([name, value]) => `"${name}":"${value}"`).join(',')}}'
  option abortonclose
  option forwardfor
  retries 0
  timeout connect 10s
  timeout client 60s
  timeout server 60s
frontend front
  bind ${HOST}:${port}
  use_backend %[path,field(2,/)]
${backends.join('\n')}
backend checked
  option httpchk GET /json
  timeout check 20s
  server origin ${servers.checked} check inter 50ms fall 1
`;
}

/** What is logged of exchanges, without what the kernel decides where one was cut. */
function accessLog(output) {
  const entries = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .map(({ request, status, state, retries, ...bytes }) => ({
      request,
      status,
      state,
      retries,
      ...(state.startsWith('--') && !/chunked|echo|hash/.test(request) && bytes),
    }));
  const isMany = ({ request }) => request.includes('number=');
  const many = entries.filter(isMany).sort((a, b) => (a.request < b.request ? -1 : 1));
  return [...entries.filter((entry) => !isMany(entry)), ...many];
}

/**
 * The journals that differ, for how many checks there are is a matter of time; and so is whether
 * Node closes a connection before it hears that HAProxy has reset it, as that does after a check.
 */
function kinds(journal) {
  const { connections, besides } = withoutResets(journal);
  return { kinds: [...new Set(connections.map((events) => events.join('\n')))], besides };
}

/** @param {import('../lib/stage').Stage} stage @param {boolean} watched */
async function converse(stage, watched) {
  const args = watched ? ['--watched'] : [];
  const file = stage.place('origin.sock');
  const tcp = await stage.start('origin.js', args, { name: 'origin on TCP' });
  const many = await stage.start('origin.js', args, { name: 'origin for many' });
  const checked = await stage.start('origin.js', args, { name: 'origin that is checked' });
  const byFile = await stage.start('origin.js', [...args, '--socket', file], {
    name: 'origin on a file',
  });
  const port = await stage.freePort();
  const servers = {
    tcp: `${HOST}:${tcp.address.port}`,
    many: `${HOST}:${many.address.port}`,
    checked: `${HOST}:${checked.address.port}`,
    file: `unix@${file}`,
  };
  const config = stage.write('haproxy.cfg', configuration(port, servers));
  const haproxy = await stage.serve(['haproxy', '-db', '-f', config], port);

  const where = { host: HOST, port };
  for (const [way, { to }] of Object.entries(WAYS)) {
    const { program: origin, address } = to === 'file' ? byFile : tcp;
    const route = { stage, name: way, prefix: `/${way}`, watched, where, origin, address };
    for (const part of ['ordinary', 'abandoned', 'idle', 'restart']) await proxied[part](route);
  }
  await proxied.upgrades({ stage, name: 'upgrades', prefix: '/reuse', where });
  await proxied.parallel({ stage, name: 'many', prefix: '/many', where });
  await checked.program.ask('repeated', 5);

  stage.saw('log', accessLog(await stage.dismiss(haproxy, 'SIGUSR1')));
  for (const [name, { program }] of Object.entries({ TCP: tcp, 'a file': byFile })) {
    const journal = withoutResets(await program.ask('journal'), ABANDONED);
    stage.saw(`journal of the origin on ${name}`, journal);
  }
  stage.saw('exchanges of the origin for many', exchanges(await many.program.ask('journal')));
  stage.saw('journals of the origin that is checked', kinds(await checked.program.ask('journal')));
  for (const { program } of [tcp, byFile, many, checked]) await stage.end(program);
}

module.exports = {
  tools: { haproxy: 'haproxy' },
  version: () => /version (\S+)/.exec(tools.output('haproxy', '-v'))?.[1],
  converse,
};
