'use strict';

// A server as PM2 runs it: it says when it is ready, and ends in an orderly way when it is told to.

const http = require('node:http');

/** Answers that end when the program does. @type {http.ServerResponse[]} */
const held = [];

const server = http.createServer((req, res) => {
  res.setHeader('Content-Type', 'text/plain');
  if (req.url.startsWith('/held')) {
    res.write('held,');
    held.push(res);
    return;
  }
  res.end(`answer to ${req.url}`);
});

server.listen(Number(process.env.PORT), '127.0.0.1', () => {
  console.log('ready');
  process.send?.('ready');
});

process.once('SIGINT', () => {
  console.log('told to end');
  // What is kept after the last answers need not last.
  server.keepAliveTimeout = 100;
  server.close(() => {
    console.log('closed');
    process.exit(0);
  });
  for (const res of held) res.end('released');
});

// PM2 is gone.
process.once('disconnect', () => process.exit());
