'use strict';

// Checks before anything is timed that all servers answer alike.

const { once } = require('node:events');
const http = require('node:http');
const https = require('node:https');

const atLeast = 3; // requests
const patience = 10_000; // ms

/**
 * @param {string} message
 * @returns {string} with the value of every Date field masked
 */
function maskDate(message) {
  return message.replace(/^(Date: ).*?(?=\r\n)/gm, '$1…');
}

/**
 * @typedef {object} Answers
 * @property {string} bytes of all of them, as latin1
 * @property {string} contents status, type and body of each
 */

/**
 * Sends the requests one after the other on a keep-alive connection.
 *
 * @param {number} port
 * @param {boolean} tls
 * @param {import('./requests').Request[]} requests
 * @returns {Promise<Answers>}
 */
async function answersOf(port, tls, requests) {
  const protocol = tls ? https : http;
  const agent = new protocol.Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set();
  const bytes = [];
  let contents = '';
  const signal = AbortSignal.timeout(patience);
  try {
    for (const { method, path, headers, body } of requests) {
      const sent = protocol.request({
        host: '127.0.0.1',
        port,
        agent,
        method,
        path,
        headers,
        signal,
        rejectUnauthorized: false,
      });
      sent.on('socket', (socket) => {
        if (sockets.has(socket)) return;
        sockets.add(socket);
        socket.on('data', (piece) => bytes.push(piece));
      });
      sent.end(body);
      const [answer] = await once(sent, 'response');
      if (answer.statusCode < 200 || answer.statusCode > 299)
        throw new Error(`status ${answer.statusCode}`);
      contents += `${answer.statusCode} ${answer.headers['content-type']} `;
      answer.setEncoding('latin1').on('data', (text) => {
        contents += text;
      });
      await once(answer, 'end');
    }
  } catch (error) {
    if (signal.aborted) throw new Error(`no answer within ${patience / 1000} s`);
    throw error;
  } finally {
    agent.destroy();
  }
  return { bytes: Buffer.concat(bytes).toString('latin1'), contents };
}

/**
 * @param {string} expected
 * @param {string} actual
 * @returns {string[] | null} both texts around the first difference, if there is one
 */
function difference(expected, actual) {
  if (actual === expected) return null;
  const at = [...expected].findIndex((character, offset) => character !== actual[offset]);
  return [expected, actual].map((text) =>
    JSON.stringify(text.slice(Math.max(0, at - 40), at + 40)),
  );
}

/**
 * @param {import('./server-process').ServerProcess[]} servers
 * @param {boolean} tls
 * @param {import('./requests').Request[]} requests
 * @returns {Promise<string>} what was found equal
 */
async function checkAnswers(servers, tls, requests) {
  const count = Math.max(atLeast, requests.length);
  const turns = Array.from({ length: count }, (_, i) => requests[i % requests.length]);
  const [expected, ...others] = await Promise.all(
    servers.map(async ({ name, port }) => {
      try {
        const { bytes, contents } = await answersOf(port, tls, turns);
        return { bytes: maskDate(bytes), contents };
      } catch (error) {
        throw new Error(`the ${name} server answers wrongly: ${error.message}`);
      }
    }),
  );
  const [base] = servers;
  let found = `${count} answers on one connection, ${expected.bytes.length} bytes`;
  others.forEach((actual, i) => {
    const { name, node } = servers[i + 1];
    // Another runtime may write another head.
    const what = base.node && node ? 'bytes' : 'contents';
    const texts = difference(expected[what], actual[what]);
    if (texts !== null) {
      throw new Error(
        `the ${name} server answers wrongly: its ${what} differ\n` +
          `  ${base.name}: ${texts[0]}\n  ${name}: ${texts[1]}`,
      );
    }
    found += `; ${name}: equal ${what === 'bytes' ? 'but for Date' : 'in status, type and body'}`;
  });
  return found;
}

module.exports = { answersOf, checkAnswers, maskDate };
