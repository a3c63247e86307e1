'use strict';

// A load tool that keeps its connections from round to round, so that rounds may
// be as short as the moods of a shared machine are. load-kept.rs does the work.

const { execFileSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const readline = require('node:readline');
const children = require('../../lib/cli/children');

const source = path.join(__dirname, 'load-kept.rs');
const binary = path.join(__dirname, '..', '..', 'target', 'load-kept');

/** Compiles the tool unless that was done. */
function build() {
  const made = (file) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (made(binary) > made(source)) return;
  fs.mkdirSync(path.dirname(binary), { recursive: true });
  execFileSync('rustc', ['--edition', '2021', '-O', '-o', binary, source], {
    stdio: ['ignore', 2, 2],
  });
}

/** @param {import('./requests').Request} request @param {number} port */
function requestBytes({ method, path: target, headers, body }, port) {
  const fields = { Host: `127.0.0.1:${port}`, ...headers };
  if (body !== '') fields['Content-Length'] = Buffer.byteLength(body);
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** @type {import('./load').Tool} */
module.exports = {
  version() {
    return 'kept connections';
  },

  unable({ tls }) {
    return tls ? 'has no TLS' : null;
  },

  open({ requests, connections, pipelining, newConnections }, port, core) {
    build();
    const numbers = [port, connections, pipelining, Number(newConnections)];
    const child = children.start([binary, ...numbers.map(String)], core, ['pipe', 'pipe', 2]);
    const death = children.death(child, 'the load');
    child.stdin.on('error', () => {});
    const texts = requests.map((request) => requestBytes(request, port).toString('hex'));
    child.stdin.write(`${texts.join(' ')}\n`);
    const lines = readline.createInterface({ input: child.stdout });
    return {
      async run(duration) {
        child.stdin.write(`${duration}\n`);
        const [line] = await Promise.race([once(lines, 'line'), death]);
        const [requests, seconds] = line.split(' ').map(Number);
        return { requests, seconds, errors: {} };
      },
      close() {
        child.kill('SIGKILL');
      },
    };
  },
};
