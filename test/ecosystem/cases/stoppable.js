'use strict';

const { answered, busyServer, occupy } = require('../apps/shutdown');

module.exports = {
  packages: ['stoppable'],
  server(t) {
    const { server, answer } = busyServer(t);
    require('stoppable')(server);
    const begin = () => {
      server.stop((error, gracefully) => t.log('stopped', error ?? null, gracefully));
    };
    return { servers: [server], calls: { answer, begin } };
  },
  async conversation(c) {
    const { idle, busy, fresh } = await occupy(c);
    await idle.closes('the shutdown begins', () => c.request('begin'));
    await answered(c, busy);
    await answered(c, fresh, 'stopped');
  },
};
