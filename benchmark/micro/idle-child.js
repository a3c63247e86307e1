'use strict';

// A server that says how much memory it has after a collection of garbage.

const http = require('node:http');

const server = http.createServer({ keepAliveTimeout: 0 }, (req, res) => res.end('hello world'));
server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => {
  process.send({ port: server.address().port });
});
process.on('message', () => {
  global.gc();
  global.gc();
  server.getConnections((error, connections) => {
    if (error) throw error;
    const { rss, heapUsed } = process.memoryUsage();
    process.send({ rss, heapUsed, connections });
  });
});
process.on('disconnect', () => process.exit());
