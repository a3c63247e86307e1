'use strict';

const { answered, busyServer, occupy } = require('../apps/shutdown');

module.exports = {
  packages: ['http-terminator'],
  server(t) {
    const { createHttpTerminator } = require('http-terminator');
    const { server, answer } = busyServer(t);
    const terminator = createHttpTerminator({ server });
    const begin = () => {
      terminator.terminate().then(() => t.log('terminated'));
    };
    return { servers: [server], calls: { answer, begin } };
  },
  async conversation(c) {
    const connections = await occupy(c);
    await c.call('begin');
    await connections.idle.closes('the idle connection is closed', '');
    await answered(c, connections);
    await c.until('terminated');
  },
};
