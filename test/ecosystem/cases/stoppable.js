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
    const connections = await occupy(c);
    await c.call('begin');
    await connections.idle.closes('the idle connection is closed', '');
    await answered(c, connections);
    await c.until('stopped');
  },
};
