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
    const { idle, busy, fresh } = await occupy(c);
    await idle.closes('the shutdown begins', () => c.request('begin'));
    await answered(c, busy);
    await answered(c, fresh, 'terminated');
  },
};
