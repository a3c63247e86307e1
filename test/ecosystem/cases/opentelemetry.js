'use strict';

const path = require('node:path');
const { typical } = require('../typical');

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

module.exports = {
  packages: ['@opentelemetry/instrumentation-http', '@opentelemetry/sdk-trace-node', 'express5'],
  args: ['-r', path.join(__dirname, '..', 'apps', 'opentelemetry.js')],
  server(t) {
    const { trace } = require('@opentelemetry/api');
    require('../apps/opentelemetry').sink.log = (...values) => t.log(...values);
    const express = require('express5');
    const server = require('../apps/express').expressApp(express, t);
    server.on('request', (req) => {
      t.log('in a span', req.url, trace.getActiveSpan() !== undefined);
      setImmediate(() => t.log('in a span later', req.url, trace.getActiveSpan() !== undefined));
    });
    return server;
  },
  async conversation(c) {
    await typical(c, { options: 200 });
    const kept = await c.connect();
    await kept.get('/json', 200, { traceparent: TRACE });
  },
};
