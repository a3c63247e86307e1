'use strict';

// nginx as a reverse proxy with kept connections to the origin, over TCP and over a socket file.

const fs = require('node:fs');

const { HOST } = require('../lib/ports');
const proxied = require('../lib/proxied');
const { exchanges } = require('../lib/journals');
const tools = require('../lib/tools');

const kept = 'proxy_http_version 1.1; proxy_set_header Connection "";';
const direct = 'proxy_buffering off; proxy_request_buffering off;';

/** The ways through nginx: what its configuration says of them. */
const WAYS = {
  buffered: `proxy_pass http://tcp/; ${kept}`,
  direct: `proxy_pass http://tcp/; ${kept} ${direct}`,
  file: `proxy_pass http://file/; ${kept} ${direct}`,
  // What nginx does when nothing is configured.
  old: 'proxy_pass http://tcp/; proxy_http_version 1.0;',
};

/** Where the connection that a request takes is a matter of time. */
const MANY = `proxy_pass http://many/; ${kept}`;

/** Not what nginx sends: its chunks are as the bytes happen to come. */
const FORMAT = [
  ['request', '$request'],
  ['status', '$status'],
  ['request_length', '$request_length'],
  ['upstream_status', '$upstream_status'],
  ['received', '$upstream_bytes_received'],
  ['length', '$upstream_response_length'],
  ['complete', '$request_completion'],
];

function configuration(stage, port, { tcp, many, file }) {
  const locations = Object.entries({ ...WAYS, many: MANY }).map(
    ([way, lines]) => `location /${way}/ { ${lines} }`,
  );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${stage.place(name)};`,
  );
  return `
    daemon off;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    worker_processes 1;
    pid ${stage.place('nginx.pid')};
    error_log ${stage.place('error.log')} info;
    events { worker_connections 256; }
    http {
      ${temporary.join('\n      ')}
      log_format journal escape=json '{${FORMAT.map(([name, value]) => `"${name}":"${value}"`).join(',')}}';
      access_log ${stage.place('access.log')} journal;
      client_max_body_size 64m;
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      upstream tcp { server ${HOST}:${tcp} max_fails=0; keepalive 32; }
      upstream many { server ${HOST}:${many} max_fails=0; keepalive 32; }
      upstream file { server unix:${file} max_fails=0; keepalive 32; }
      server {
        listen ${HOST}:${port};
        ${locations.join('\n        ')}
        location /upgrades/ {
          proxy_pass http://tcp/;
          proxy_http_version 1.1;
          proxy_set_header Upgrade $http_upgrade;
          proxy_set_header Connection upgrade;
        }
      }
    }
  `;
}

/** The access log, without what the kernel decides: of what was cut, and of bytes that are echoed as they come. */
function accessLog(stage) {
  const entries = fs
    .readFileSync(stage.place('access.log'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [many, single] = [true, false].map((isMany) =>
    entries.filter(({ request }) => request.startsWith('GET /many/') === isMany),
  );
  // Many at a time end in no order.
  many.sort((a, b) => (a.request < b.request ? -1 : 1));
  return [...single, ...many].map(({ request, status, upstream_status, complete, ...bytes }) => ({
    request,
    status,
    upstream_status,
    complete,
    ...(complete === 'OK' && !request.includes('/echo') && bytes),
  }));
}

/** What nginx complains of, without time, process and number of the connection. */
function complaints(stage, { tcp, many }) {
  return fs
    .readFileSync(stage.place('error.log'), 'utf8')
    .split('\n')
    .filter((line) => /\[(error|crit|alert|emerg)\]|prematurely/.test(line))
    .map((line) =>
      line
        // Which side of the transfer it stands at is a matter of time.
        .replace(/while (reading upstream|sending to client)/, 'in the body')
        .replace(/(closed too) \(\d+: [^)]+\)/, '$1')
        .replace(/^.*?\[(\w+)\] \d+#\d+: (\*\d+ )?/, '$1 ')
        .replaceAll(`:${tcp}`, ':TCP')
        .replaceAll(`:${many}`, ':MANY')
        .replaceAll(stage.folder, 'FOLDER'),
    );
}

/** @param {import('../lib/stage').Stage} stage @param {boolean} watched */
async function converse(stage, watched) {
  const args = watched ? ['--watched'] : [];
  const file = stage.place('origin.sock');
  const tcp = await stage.start('origin.js', args, { name: 'origin on TCP' });
  const many = await stage.start('origin.js', args, { name: 'origin for many' });
  const byFile = await stage.start('origin.js', [...args, '--socket', file], {
    name: 'origin on a file',
  });
  const port = await stage.freePort();
  const ports = { tcp: tcp.address.port, many: many.address.port };
  const config = stage.write('nginx.conf', configuration(stage, port, { ...ports, file }));
  const command = ['nginx', '-p', stage.folder, '-e', stage.place('error.log'), '-c', config];
  const nginx = await stage.serve(command, port);

  const where = { host: HOST, port };
  for (const way of Object.keys(WAYS)) {
    const { program: origin, address } = way === 'file' ? byFile : tcp;
    const isOld = way === 'old';
    const buffers = isOld || way === 'buffered';
    const route = {
      stage,
      name: way,
      prefix: `/${way}`,
      watched,
      where,
      origin,
      address,
      isOld,
      buffers,
    };
    for (const part of ['ordinary', 'abandoned', 'idle', 'restart']) await proxied[part](route);
  }
  await proxied.upgrades({ stage, name: 'upgrades', prefix: '/upgrades', where });
  await proxied.parallel({ stage, name: 'many', prefix: '/many', where });

  await stage.dismiss(nginx, 'SIGQUIT');
  stage.saw('access log', accessLog(stage));
  stage.saw('error log', complaints(stage, ports));
  stage.saw('journal of the origin on TCP', await tcp.program.ask('journal'));
  stage.saw('journal of the origin on a file', await byFile.program.ask('journal'));
  stage.saw('exchanges of the origin for many', exchanges(await many.program.ask('journal')));
  for (const { program } of [tcp, byFile, many]) await stage.end(program);
}

module.exports = {
  tools: { nginx: 'nginx' },
  version: () => tools.output('nginx', '-v').trim().split('/').pop(),
  converse,
};
