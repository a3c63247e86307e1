'use strict';

// hello.js over TLS.

const https = require('node:https');

function createServer() {
  const certificate = require('../../test/behaviour/certificate');
  return https.createServer(certificate, (req, res) => res.end('hello world'));
}

module.exports = { name: 'http/tls', options: {}, tls: true, request: () => ({}), createServer };

if (require.main === module) require('../lib/compare').main(module.exports, __filename);
