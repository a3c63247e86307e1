'use strict';

const path = require('node:path');
const { typical } = require('../typical');

module.exports = {
  packages: ['elastic-apm-node', 'express5'],
  args: ['-r', path.join(__dirname, '..', 'apps', 'elastic-apm.js')],
  // Its timers outlive the server.
  lingers: true,
  server(t) {
    const { apm, reports } = require('../apps/elastic-apm');
    const server = require('../apps/express').expressApp(require('express5'), t);
    server.on('request', (req) => t.log('in a span', req.url, apm.currentTransaction !== null));
    const flush = async () => {
      await apm.flush();
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
