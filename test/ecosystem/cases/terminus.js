'use strict';

const { answered, busyServer, occupy } = require('../apps/shutdown');

module.exports = {
  packages: ['@godaddy/terminus'],
  server(t) {
    const { createTerminus, HealthCheckError } = require('@godaddy/terminus');
    const { server, answer } = busyServer(t);
    createTerminus(server, {
      timeout: 20_000,
      signals: ['SIGTERM'],
      healthChecks: {
        '/healthy': async () => ({ cache: 'warm' }),
        '/ill': async () => {
          throw new HealthCheckError('ill', { disk: 'full' });
        },
        verbatim: true,
      },
      headers: { 'X-Health': 'asked' },
      onSignal: async () => t.log('onSignal'),
      onShutdown: async () => t.log('onShutdown'),
      logger: (message) => t.log('logger', message),
    });
    return { servers: [server], calls: { answer } };
  },
  async conversation(c) {
    const kept = await c.connect();
    await kept.get('/healthy', 200);
    await kept.get('/ill', 503);
    // Of two idle connections either could be the first to close.
    await kept.end();
    const { idle, busy, fresh } = await occupy(c);
    await idle.closes('SIGTERM', () => c.signal('SIGTERM'));
    await answered(c, busy);
    await c.ending(() => answered(c, fresh));
  },
};
