'use strict';

// hello.js with a connection for every request, which the client closes after the answer.

const { integer } = require('../lib/cli');
const { createServer } = require('./hello');

const options = { newConnections: integer(1, 0, 1) };

module.exports = { name: 'http/new-connection', options, request: () => ({}), createServer };

if (require.main === module) require('../lib/compare').main(module.exports, __filename);
