'use strict';

// A client that speaks through a proxy, or with a program itself, on connections that it keeps.

const { once } = require('node:events');
const http = require('node:http');

const { WebSocket } = require('ws');
const { mask } = require('../../behaviour/text');
const { digest } = require('./bytes');
const { within } = require('./within');

/** Header lines in the order in which they came, the date masked. */
function lines(rawHeaders) {
  const all = [];
  for (let i = 0; i < rawHeaders.length; i += 2)
    all.push(mask(`${rawHeaders[i]}: ${rawHeaders[i + 1]}`));
  return all;
}

class Client {
  #agent;
  #where;

  /**
   * @param {import('node:net').TcpNetConnectOpts | import('node:net').IpcNetConnectOpts} where
   * @param {number} connections that it holds at most
   */
  constructor(where, connections = 1) {
    this.#where = where;
    this.#agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Sends a request's head, and its body where it is given. */
  begin(path, { method = 'GET', headers = {}, body } = {}) {
    // Node sends the head of a request with an Expect field at once: all of it is given now.
    const isSized = body !== undefined && !('Transfer-Encoding' in headers);
    const length = isSized && { 'Content-Length': body.length };
    const fields = { Host: 'app.test', ...headers, ...length };
    return http.request({ ...this.#where, path, method, headers: fields, agent: this.#agent });
  }

  /**
   * One exchange, whatever comes of it.
   * @param {string} path
   * @param {{ method?: string, headers?: Record<string, any>, body?: Buffer | string }} [options]
   */
  async exchange(path, options = {}) {
    const request = this.begin(path, options);
    const interim = [];
    request.on('continue', () => interim.push('100'));
    request.on('information', ({ statusCode, rawHeaders }) =>
      interim.push(statusCode, lines(rawHeaders)),
    );
    request.end(options.body);
    const seen = await within(
      finished(request),
      `${options.method ?? 'GET'} ${path} to be answered`,
    );
    return interim.length === 0 ? seen : { interim, ...seen };
  }

  /** Resolves once the connection that is idle now is closed by the other side. */
  async idleClosed() {
    const [[socket]] = Object.values(this.#agent.freeSockets);
    await within(once(socket, 'close'), 'an idle connection to be closed');
  }

  /** Closes the connections that are kept. */
  close() {
    this.#agent.destroy();
  }
}

/** @param {http.ClientRequest} request @returns {Promise<object>} the answer as it was seen */
async function finished(request) {
  let response;
  try {
    [response] = await once(request, 'response');
  } catch (error) {
    return { error: error.code ?? error.message };
  }
  return received(response);
}

/** @param {http.IncomingMessage} response @returns {Promise<object>} */
async function received(response) {
  const chunks = [];
  const { statusCode: status, statusMessage: phrase, rawHeaders, httpVersion: version } = response;
  const seen = { version, status, phrase, fields: lines(rawHeaders) };
  try {
    for await (const chunk of response) chunks.push(chunk);
  } catch (error) {
    return { ...seen, body: digest(Buffer.concat(chunks)), error: error.code ?? error.message };
  }
  const trailers = lines(response.rawTrailers);
  return { ...seen, body: digest(Buffer.concat(chunks)), ...(trailers.length > 0 && { trailers }) };
}

/**
 * A WebSocket's talk: texts and bytes come back, the server closes when it is asked to.
 * @param {string} url
 * @param {string} [socketPath]
 */
async function webSocketTalk(url) {
  const seen = [];
  const ws = new WebSocket(url, { headers: { Host: 'app.test' } });
  const closed = new Promise((resolve, reject) => {
    ws.on('error', reject);
    ws.on('close', (code, reason) => resolve(seen.push(`closed ${code} ${reason}`)));
  });
  ws.on('upgrade', ({ statusCode, rawHeaders }) => {
    const isDrawn = (line) => /^sec-websocket-accept/i.test(line);
    seen.push(statusCode, ...lines(rawHeaders).filter((line) => !isDrawn(line)));
  });
  ws.on('message', (data, isBinary) => seen.push(`${isBinary ? 'bytes' : 'text'} ${digest(data)}`));
  ws.on('pong', (data) => {
    seen.push(`pong ${data}`);
    ws.send('close');
  });
  ws.on('open', () => {
    ws.send('text');
    ws.send(Buffer.alloc(100_000, 'bytes'));
    ws.ping('ping');
  });
  await within(closed, () => `${url} to close; so far ${JSON.stringify(seen)}`);
  return seen;
}

module.exports = { Client, finished, received, webSocketTalk };
