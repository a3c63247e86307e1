'use strict';

const path = require('node:path');
const { typical } = require('../typical');

module.exports = {
  packages: ['dd-trace', 'express5'],
  args: ['-r', path.join(__dirname, '..', 'apps', 'dd-trace.js')],
  env: { DD_INSTRUMENTATION_TELEMETRY_ENABLED: 'false', DD_TRACE_AGENT_PROTOCOL_VERSION: '0.4' },
  // Its timers and its exporter outlive the server.
  lingers: true,
  server(t) {
    const tracer = require('dd-trace');
    require('../apps/dd-trace').sink.log = (...values) => t.log(...values);
    const server = require('../apps/express').expressApp(require('express5'), t);
    server.on('request', (req) => t.log('in a span', req.url, tracer.scope().active() !== null));
    return server;
  },
  conversation: (c) => typical(c, { options: 200 }),
};
