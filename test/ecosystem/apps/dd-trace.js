'use strict';
// Preloaded by a case: traces node:http as its users do, before the program loads it.

/** Set by the server of the case. */
const sink = { log: () => {} };

const tracer = require('dd-trace').init({
  // Nobody listens there: what is told is told by the hook below.
  url: 'http://127.0.0.1:1',
  startupLogs: false,
  runtimeMetrics: false,
  remoteConfig: { enabled: false },
});
tracer.use('http', {
  server: {
    hooks: {
      request: (span, req, res) => sink.log('span', req?.method, req?.url, res?.statusCode),
    },
  },
});

module.exports = { sink };
