'use strict';

// autocannon, wherever npm works. It costs more per request than most servers it drives.

/** @type {import('./load').Command} */
module.exports = {
  version() {
    try {
      return `autocannon ${require('autocannon/package.json').version}`;
    } catch {
      return null;
    }
  },

  command({ requests: [request], connections, pipelining, tls }, port, duration) {
    const headers = Object.entries(request.headers).flatMap(([name, value]) => [
      '-H',
      `${name}=${value}`,
    ]);
    return [
      process.execPath,
      require.resolve('autocannon/autocannon.js'),
      '--json',
      '--no-progress',
      '-c',
      String(connections),
      '-d',
      String(duration),
      '-t',
      '20',
      '-p',
      String(pipelining),
      '-m',
      request.method,
      ...headers,
      ...(request.body === '' ? [] : ['-b', request.body]),
      `http${tls ? 's' : ''}://127.0.0.1:${port}${request.path}`,
    ];
  },

  read(stdout) {
    const { requests, duration, errors, timeouts, non2xx } = JSON.parse(stdout);
    return {
      requests: requests.total,
      seconds: duration,
      errors: { status: non2xx, connection: errors, timeout: timeouts },
    };
  },
};
