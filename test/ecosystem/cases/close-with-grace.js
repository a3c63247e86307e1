'use strict';

const { answered, busyServer, occupy } = require('../apps/shutdown');

module.exports = {
  packages: ['close-with-grace'],
  server(t) {
    const { server, answer } = busyServer(t);
    require('close-with-grace')({ delay: 20_000, logger: false }, async ({ signal, err }) => {
      t.log('closing', signal, err?.message ?? null);
      await new Promise((resolve) => server.close(resolve));
      t.log('closed');
    });
    return { servers: [server], calls: { answer } };
  },
  async conversation(c) {
    // Else Node would keep these until their keep-alive timeout.
    const connections = await occupy(c, 'Connection: close\r\n');
    await c.signal('SIGTERM');
    await connections.idle.closes('the idle connection is closed', '');
    await answered(c, connections);
    await c.exited();
  },
};
