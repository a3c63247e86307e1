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
    const { idle, busy, fresh } = await occupy(c, 'Connection: close\r\n');
    await idle.closes('SIGTERM', () => c.signal('SIGTERM'));
    await answered(c, busy);
    await c.ending(() => answered(c, fresh));
  },
};
