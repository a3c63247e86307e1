'use strict';
// What the conversation of a case gets as `c`: connections to its servers, and a record of each step.

const { Client } = require('../behaviour/client');
const { takeResponse } = require('./response');

const LIMIT_MS = 10_000;

/**
 * @typedef {object} RequestOptions
 * @property {Record<string, string | number>} [headers]
 * @property {string} [body] one character is one byte
 * @property {string[]} [chunks] a body in chunked coding
 * @property {string} [version] of HTTP, 1.1 by default
 */

/** @param {string} method @param {string} target @param {RequestOptions} [options] */
function request(method, target, { headers = {}, body, chunks, version = '1.1' } = {}) {
  const fields = { Host: 'site.test', ...headers };
  if (body !== undefined) fields['Content-Length'] ??= body.length;
  if (chunks !== undefined) fields['Transfer-Encoding'] = 'chunked';
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const coded = chunks?.concat('').map((chunk) => {
    return `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  });
  return `${method} ${target} HTTP/${version}\r\n${lines.join('')}\r\n${body ?? coded?.join('') ?? ''}`;
}

/** A promise that fails after a while, with what is known by then. */
async function bounded(promise, describe) {
  let timer;
  const limit = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(describe())), LIMIT_MS);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}

class Connection {
  #conversation;

  constructor(conversation, client, name) {
    this.#conversation = conversation;
    this.client = client;
    this.name = name;
    this.port = client.socket.localPort;
    /** How many responses it has got whole. */
    this.taken = 0;
  }

  /** A step on this connection; what the action returns are the bytes that came. */
  step(title, action) {
    return this.#conversation.step(`${this.name}: ${title}`, action);
  }

  /** Reads one response, of which the status must be as expected. */
  async #response(method, target, status) {
    const response = await bounded(
      takeResponse(this.client, method),
      () => `no whole response: ${JSON.stringify(this.client.rest.slice(0, 500))}`,
    );
    // After an upgrade there is no end of the response.
    if (response.status !== 101) this.taken++;
    if (response.status !== status) {
      const said = `${response.status} instead of ${status}: ${response.body.slice(0, 500)}`;
      throw Object.assign(new Error(`${method} ${target}: ${said}`), { bytes: response.bytes });
    }
    return response;
  }

  /** The connection must be closed by the server; what came before counts as bytes. */
  async #closing() {
    await bounded(
      this.client.until(() => this.client.isClosed),
      () => 'the server did not close the connection',
    );
    return this.client.take(this.client.rest.length);
  }

  /**
   * One request, and its whole response.
   * @param {string} method @param {string} target @param {number} status that is expected
   * @param {RequestOptions} [options]
   * @returns {Promise<import('./response').Response>}
   */
  async ask(method, target, status, options) {
    let response;
    await this.step(`${method} ${target}`, async () => {
      this.client.send(request(method, target, options));
      response = await this.#response(method, target, status);
      return response.bytes + (response.closes ? await this.#closing() : '');
    });
    return response;
  }

  get(target, status, headers) {
    return this.ask('GET', target, status, { headers });
  }

  /** Several requests in one write: `[method, target, status, options]` each. */
  pipeline(...requests) {
    return this.step(`${requests.length} requests at once`, async () => {
      this.client.send(
        requests.map(([method, target, , options]) => request(method, target, options)).join(''),
      );
      let bytes = '';
      for (const [method, target, status] of requests) {
        bytes += (await this.#response(method, target, status)).bytes;
      }
      return bytes;
    });
  }

  /** Sends bytes, the answer to which is read later. */
  send(title, bytes) {
    return this.step(title, async () => {
      this.client.send(bytes);
      return '';
    });
  }

  /** The response to a request that was sent before. */
  async answer(method, status) {
    let response;
    await this.step(`the answer to ${method}`, async () => {
      response = await this.#response(method, 'sent before', status);
      return response.bytes + (response.closes ? await this.#closing() : '');
    });
    return response;
  }

  /** Sends bytes, and takes what comes up to and including the marker. */
  exchange(title, bytes, marker) {
    return this.step(title, async () => {
      this.client.send(bytes);
      return bounded(
        this.client.takeThrough(marker),
        () => `no ${JSON.stringify(marker)}: ${JSON.stringify(this.client.rest.slice(0, 500))}`,
      );
    });
  }

  /**
   * Sends bytes, or has something else done, at which the server closes the connection; what comes before counts as
   * bytes.
   * @param {string} title @param {string | (() => Promise<unknown>)} cause
   */
  closes(title, cause) {
    return this.step(title, async () => {
      if (typeof cause === 'string') this.client.send(cause);
      else await cause();
      return this.#closing();
    });
  }

  /** Ends our side, and waits for the end of the other. */
  end() {
    return this.step('end', () => {
      this.client.socket.end();
      return this.#closing();
    });
  }

  /** Breaks the connection off. */
  destroy() {
    return this.step('the client breaks off', async () => {
      this.client.socket.destroy();
      await this.client.until(() => this.client.isClosed);
      return '';
    });
  }
}

class Conversation {
  #child;
  #connections = [];
  #ports;
  #ending = false;
  #aside = false;
  /** @type {{ title: string, aside: boolean, wire: string, log: string[], counted: object | null }[]} */
  steps = [];
  /** What the package says of its parts at the end; null where that could not be asked. */
  parts = null;

  /** @param {import('./child').Child} child @param {number[]} ports of its servers */
  constructor(child, ports) {
    this.#child = child;
    this.#ports = ports;
  }

  /** Does something, and records the bytes that it returns with what the program has noted until all is quiet. */
  async step(title, action) {
    const step = { title, aside: this.#aside, wire: '', log: [], counted: null };
    this.steps.push(step);
    let bytes;
    try {
      bytes = (await action()) ?? '';
    } catch (error) {
      step.wire = this.#mask(error.bytes ?? '');
      throw error;
    }
    step.wire = this.#mask(bytes);
    // The program may be gone at any moment: what it notes until then is told at its end.
    if (this.#ending) return bytes;
    if (this.#child.exit === null) {
      const known = this.#connections.map(({ port, taken, client }) => {
        return { port, taken, open: !client.isClosed };
      });
      step.counted = await this.#child.request('quiet', known);
    }
    step.log = this.#child.newLines().map((line) => this.#mask(line));
    return bytes;
  }

  /** Without what differs between any two runs, at the same length. */
  #mask(text) {
    let masked = text.replace(
      /((?:^|\n)date: )[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT/gi,
      '$1Xxx, 00 Xxx 0000 00:00:00 GMT',
    );
    for (const port of this.#ports) masked = masked.replaceAll(`:${port}`, ':PPPPP');
    return masked.replaceAll(this.#child.folder, 'FOLDER');
  }

  /** Takes steps that do not count for the share on the fast path. */
  async aside(action) {
    this.#aside = true;
    await action();
    this.#aside = false;
  }

  /** @param {number} [which] of the servers of the case */
  async connect(which = 0) {
    const client = await Client.open(this.#ports[which]);
    const connection = new Connection(this, client, `connection ${this.#connections.length + 1}`);
    this.#connections.push(connection);
    await connection.step('opens', async () => '');
    return connection;
  }

  /** Has the program call one of its functions, as a part of a step. */
  request(name) {
    return this.#child.request('call', name);
  }

  /** Has the program call one of its functions; what that resolves with is recorded. */
  call(name) {
    return this.step(`calls ${name}`, async () => {
      return JSON.stringify(await this.request(name), null, 1);
    });
  }

  /** Waits until the program has noted something. */
  until(text) {
    return this.#child.request('until', text);
  }

  /** Sends a signal that the program ends at, by itself. */
  async signal(name) {
    await this.#child.request('release');
    this.#child.kill(name);
  }

  /** Does the last that the program waits for, and waits for its end. */
  async ending(last) {
    this.#ending = true;
    await last();
    this.#ending = false;
    await this.step('the program ends', async () => {
      await bounded(this.#child.exited, () => 'the program did not end');
      return JSON.stringify(this.#child.exit);
    });
  }

  /** Ends what is still open. */
  async finish() {
    for (const connection of this.#connections) {
      if (!connection.client.isClosed) await connection.end();
    }
    if (this.#child.exit !== null) return;
    this.parts = await this.#child.request('parts');
    await this.step('the servers close', async () => {
      await this.#child.request('close');
      return '';
    });
  }

  destroy() {
    for (const { client } of this.#connections) client.socket.destroy();
  }
}

module.exports = { Conversation };
