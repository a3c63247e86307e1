'use strict';

const path = require('node:path');
const { typical } = require('../typical');

module.exports = {
  packages: ['@sentry/node', 'express5'],
  args: ['--import', path.join(__dirname, '..', 'apps', 'sentry.js')],
  // Its timers outlive the server.
  lingers: true,
  server(t) {
    const Sentry = require('@sentry/node');
    const { reports } = require('../apps/sentry');
    const server = require('../apps/express').expressApp(require('express5'), t);
    server.on('request', (req) =>
      t.log('in a span', req.url, Sentry.getActiveSpan() !== undefined),
    );
    const flush = async () => {
      await Sentry.flush();
      // Made ready at their own pace.
      return reports.map((report) => JSON.stringify(report)).sort();
    };
    return { servers: [server], calls: { flush } };
  },
  async conversation(c) {
    await typical(c, { options: 200 });
    await c.call('flush');
  },
};
