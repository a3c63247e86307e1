'use strict';

// wrk, the cheapest load per request. Its script sets the request and prints the outcome as JSON.

const { spawnSync } = require('node:child_process');
const path = require('node:path');

const script = path.join(__dirname, 'load-wrk.lua');

/** @type {import('./load').Command} */
module.exports = {
  version() {
    // Prints its version with its usage, and fails.
    const { error, stdout } = spawnSync('wrk', ['-v'], { encoding: 'utf8' });
    return error ? null : stdout.split(' [')[0].trim();
  },

  command({ requests: [request], connections, pipelining, tls }, port, duration) {
    const url = `http${tls ? 's' : ''}://127.0.0.1:${port}${request.path}`;
    return [
      'wrk',
      '-t',
      '1',
      '-c',
      String(connections),
      '-d',
      `${duration}s`,
      '--timeout',
      '20s',
      '-s',
      script,
      url,
      '--',
      String(pipelining),
      request.method,
      request.body,
      ...Object.entries(request.headers).flat(),
    ];
  },

  read(stdout) {
    return JSON.parse(stdout.trimEnd().split('\n').pop());
  },
};
