'use strict';

const http = require('node:http');

/** Serves one request on a free port and gives what the client got. */
module.exports = async function exchange() {
  const server = http.createServer((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/plain', 'X-Case': 'package' });
    res.end('served');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await new Promise((resolve, reject) => {
      const { port } = server.address();
      http
        .get({ port, host: '127.0.0.1', agent: false }, (res) => {
          let body = '';
          res.setEncoding('latin1');
          res.on('data', (chunk) => {
            body += chunk;
          });
          res.on('end', () => resolve({ status: res.statusCode, headers: res.headers, body }));
          res.on('error', reject);
        })
        .on('error', reject);
    });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
};
