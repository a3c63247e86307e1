'use strict';

// A bare `node:net` server that sends the workload's answer from memory: the limit of what a server of `node:http`
// could reach. It takes every empty line for the end of a head, and misses one that arrives in two reads.

const { once } = require('node:events');
const net = require('node:net');
const { answersOf } = require('./answers');

const endOfHead = Buffer.from('\r\n\r\n');

/** @param {Buffer} bytes */
function countHeads(bytes) {
  let count = 0;
  for (let at = bytes.indexOf(endOfHead); at >= 0; at = bytes.indexOf(endOfHead, at + 4)) count++;
  return count;
}

/**
 * @param {import('node:http').Server} server the one to take the answer from
 * @param {import('./requests').Request} request
 */
async function cannedServer(server, request) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { bytes } = await answersOf(server.address().port, false, [request]);
  server.close();
  const answer = Buffer.from(bytes, 'latin1');
  return net.createServer({ noDelay: true }, (socket) => {
    socket.on('data', (piece) => {
      const count = countHeads(piece);
      if (count === 1) socket.write(answer);
      else if (count > 1) socket.write(Buffer.concat(Array(count).fill(answer)));
    });
    socket.on('error', () => {});
  });
}

module.exports = { cannedServer };
