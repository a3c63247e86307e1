'use strict';

// hello.js with 16 requests sent before the first answer is awaited.

const { integer } = require('../lib/cli');
const { createServer } = require('./hello');

const options = { pipelining: integer(16, 1, 1000) };

module.exports = { name: 'http/pipelined', options, request: () => ({}), createServer };

if (require.main === module) require('../lib/compare').main(module.exports, __filename);
