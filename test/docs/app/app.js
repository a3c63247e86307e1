'use strict';

// A program of a user: it knows nothing of the package but how to show its counters.

const http = require('node:http');

const server = http.createServer((req, res) => {
  res.setHeader('Content-Type', 'text/plain');
  res.end(req.url === '/stats' ? JSON.stringify(require('onewrite').stats()) : 'hello');
});
server.listen(process.env.PORT ?? 3000, () => {
  console.log(`http://localhost:${server.address().port}/`);
});
