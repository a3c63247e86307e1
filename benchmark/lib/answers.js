'use strict';

// Checks before anything is timed that all servers answer alike, byte for byte.

const { once } = require('node:events');
const http = require('node:http');

const requests = 3;
const patience = 10_000; // ms

/**
 * @param {string} message
 * @returns {string} with the value of every Date field masked
 */
function maskDate(message) {
  return message.replace(/^(Date: ).*?(?=\r\n)/gm, '$1…');
}

/**
 * Sends the request several times, one after the other, on a keep-alive connection.
 *
 * @param {import('./server-process').ServerProcess} server
 * @param {import('./load').Request} request
 * @returns {Promise<string>} the raw bytes of all answers as latin1, Date masked
 */
async function rawAnswers(server, request) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set();
  const raw = [];
  const signal = AbortSignal.timeout(patience);
  try {
    for (let i = 0; i < requests; i++) {
      const { method, path, headers, body } = request;
      const sent = http.request({
        host: '127.0.0.1',
        port: server.port,
        agent,
        method,
        path,
        headers,
        signal,
      });
      sent.on('socket', (socket) => {
        if (sockets.has(socket)) return;
        sockets.add(socket);
        socket.on('data', (bytes) => raw.push(bytes));
      });
      sent.end(body);
      const [answer] = await once(sent, 'response');
      if (answer.statusCode < 200 || answer.statusCode > 299)
        throw new Error(`status ${answer.statusCode}`);
      await once(answer.resume(), 'end');
    }
  } catch (error) {
    const reason = signal.aborted ? `not within ${patience / 1000} s` : error.message;
    throw new Error(`the ${server.name} server answers wrongly: ${reason}`);
  } finally {
    agent.destroy();
  }
  return maskDate(Buffer.concat(raw).toString('latin1'));
}

/**
 * @param {import('./server-process').ServerProcess[]} servers
 * @param {import('./load').Request} request
 * @returns {Promise<string>} what was found equal
 */
async function checkAnswers(servers, request) {
  const [expected, ...others] = await Promise.all(
    servers.map((server) => rawAnswers(server, request)),
  );
  others.forEach((actual, i) => {
    if (actual === expected) return;
    const at = [...expected].findIndex((character, offset) => character !== actual[offset]);
    const around = (text) => JSON.stringify(text.slice(Math.max(0, at - 40), at + 40));
    throw new Error(
      `the ${servers[i + 1].name} server answers wrongly: byte ${at} differs\n` +
        `  ${servers[0].name}: ${around(expected)}\n  ${servers[i + 1].name}: ${around(actual)}`,
    );
  });
  return `${requests} answers on one connection, ${expected.length} bytes, equal but for Date`;
}

module.exports = { checkAnswers, maskDate };
