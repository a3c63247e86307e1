'use strict';

const { buildHttpMessage } = require('onewrite');

const message = buildHttpMessage(200, [], 'x');
console.log(
  JSON.stringify({ isBuffer: Buffer.isBuffer(message), text: message.toString('latin1') }),
);
