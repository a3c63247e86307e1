'use strict';

// Ports of 127.0.0.1 for peers that must be told theirs.

const { once } = require('node:events');
const net = require('node:net');
const { setTimeout: delay } = require('node:timers/promises');

const HOST = '127.0.0.1';

/** @returns {Promise<number>} a port that nobody listens on now */
async function freePort() {
  const server = net.createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** @returns {Promise<boolean>} */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, HOST);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Resolves once somebody listens; give it a bound. */
async function untilListening(port) {
  // Programs that say nothing when they are ready leave only this.
  while (!(await accepts(port))) await delay(20);
}

module.exports = { HOST, freePort, untilListening };
