'use strict';
// What a running case gets as `t`: servers, clients, a log, and a transcript of all of it that the modes can be
// compared by.

const { createHash } = require('node:crypto');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const { Client } = require('./client');
const { mask } = require('./text');

const LIMIT_MS = 30_000;
const LONG = 4096;

/** A form that survives JSON and compares by value. */
function plain(value) {
  if (value === undefined) return '<undefined>';
  if (typeof value === 'string') return shorten(mask(value));
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
  if (typeof value === 'function') return `<function ${value.name}>`;
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Error)
    return { error: value.name, code: plain(value.code), message: plain(value.message) };
  if (value instanceof Uint8Array) return shorten(Buffer.from(value).toString('latin1'));
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function shorten(text) {
  if (text.length <= LONG) return text;
  return `<${text.length} characters, sha1 ${createHash('sha1').update(text).digest('hex')}>`;
}

/** All that a program can see of a response and its socket at one moment. */
function look(res) {
  const socket = res.socket;
  return {
    _header: res._header,
    _headerSent: res._headerSent,
    headersSent: res.headersSent,
    statusCode: res.statusCode,
    statusMessage: res.statusMessage,
    finished: res.finished,
    writableEnded: res.writableEnded,
    writableFinished: res.writableFinished,
    writableLength: res.writableLength,
    writableCorked: res.writableCorked,
    writableNeedDrain: res.writableNeedDrain,
    writable: res.writable,
    destroyed: res.destroyed,
    errored: res.errored,
    outputSize: res.outputSize,
    outputData: res.outputData.length,
    _contentLength: res._contentLength,
    _hasBody: res._hasBody,
    _last: res._last,
    chunkedEncoding: res.chunkedEncoding,
    shouldKeepAlive: res.shouldKeepAlive,
    sendDate: res.sendDate,
    headers: { ...res.getHeaders() },
    // `_header` may be an own property or an accessor: its value is what counts.
    ownKeys: Object.keys(res)
      .filter((key) => key !== '_header')
      .sort(),
    socket: socket
      ? {
          bytesWritten: socket.bytesWritten,
          writableLength: socket.writableLength,
          writableCorked: socket.writableCorked,
          writableNeedDrain: socket.writableNeedDrain,
          destroyed: socket.destroyed,
          message: socket._httpMessage === res,
        }
      : null,
  };
}

class Scenario {
  #cleanups = [];
  #recorded = [];
  #failure;
  #reject;
  #uncaught = { count: 0, errors: [], resolve: null };

  constructor() {
    this.transcript = { log: [], wire: [] };
    /** Requests that other processes of the case were served natively. */
    this.native = 0;
    /** What need not be equal in each mode: `[label, value, tolerance]`. */
    this.nearly = [];
    /** Set by a case that knows how many responses end: each must be counted once. */
    this.responses = undefined;
    this.#failure = new Promise((_resolve, reject) => {
      this.#reject = reject;
    });
    this.#failure.catch(() => {});
  }

  /** Notes values in the transcript, in the order of the calls. */
  log(...values) {
    this.transcript.log.push(values.length === 1 ? plain(values[0]) : values.map(plain));
  }

  /** Notes a number that each mode must come near to, within the tolerance. */
  near(label, value, tolerance) {
    this.nearly.push([label, value, tolerance]);
  }

  fail(error) {
    this.#reject(error);
  }

  /** Runs when the case is over, last first, whether it passed or not. */
  cleanup(action) {
    this.#cleanups.push(action);
  }

  /** The function, with a throw or rejection of its own turned into the failure of the case. */
  guard(action) {
    return (...args) => {
      try {
        const result = action(...args);
        if (typeof result?.then === 'function') result.then(undefined, (error) => this.fail(error));
        return result;
      } catch (error) {
        this.fail(error);
      }
    };
  }

  /** Resolves with the next `count` uncaught exceptions; those that nobody waits for fail the case. */
  uncaught(count = 1) {
    return new Promise((resolve) => {
      this.#uncaught = { count, errors: [], resolve };
    });
  }

  onUncaught(error) {
    const { count, errors, resolve } = this.#uncaught;
    if (errors.length === count) {
      this.fail(error);
      return;
    }
    errors.push(error);
    if (errors.length === count) resolve(errors);
  }

  /** Listens on a free port of 127.0.0.1, or where it is told to, and closes when the case is over. */
  async listen(server, where = { port: 0, host: '127.0.0.1' }) {
    await new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(where, resolve);
    });
    const sockets = new Set();
    server.on('connection', (socket) => sockets.add(socket));
    this.cleanup(
      () =>
        new Promise((resolve) => {
          for (const socket of sockets) socket.destroy();
          server.close(resolve);
        }),
    );
    return server;
  }

  /** @param {(req: http.IncomingMessage, res: http.ServerResponse) => unknown} listener @param {object} [options] */
  serve(listener, options = {}) {
    return this.listen(http.createServer(options, this.guard(listener)));
  }

  /** Serves on a Unix-domain socket, whose buffers are small. */
  serveUnix(listener) {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'behaviour-'));
    this.cleanup(() => fs.rmSync(directory, { recursive: true, force: true }));
    return this.listen(http.createServer(this.guard(listener)), {
      path: path.join(directory, 'socket'),
    });
  }

  /** Assigns another method for the time of the case, as a tracing package does. */
  replace(object, name, make) {
    const descriptor = Object.getOwnPropertyDescriptor(object, name);
    object[name] = make(object[name]);
    this.cleanup(() => {
      if (descriptor) Object.defineProperty(object, name, descriptor);
      else delete object[name];
    });
  }

  /** @param {import('node:net').Server} server @param {{tls?: boolean, allowHalfOpen?: boolean, record?: boolean}} [options] */
  async connect(server, options = {}) {
    const address = server.address();
    const client = await Client.open(
      typeof address === 'string' ? { path: address } : address.port,
      options,
    );
    if (options.record !== false) this.#recorded.push(client);
    this.cleanup(() => {
      client.socket.destroy();
    });
    return client;
  }

  /** Logs the events of a response, and what it looks like at finish and close. */
  watch(res, label = 'res') {
    res.on('prefinish', () => this.log(`${label} prefinish`, look(res)));
    res.on('finish', () => this.log(`${label} finish`, look(res)));
    res.on('close', () => this.log(`${label} close`, look(res)));
    res.on('error', (error) => this.log(`${label} error`, error));
    return new Promise((resolve) => {
      res.on('close', resolve);
    });
  }

  /** Logs the outcome of a call: what it returned or threw. */
  attempt(label, action) {
    try {
      const value = action();
      this.log(`${label}: returned`);
      return value;
    } catch (error) {
      this.log(`${label}: threw`, error);
      return error;
    }
  }

  /** Runs the case to its end, in so many ms at most, cleans up, and completes the transcript. */
  async run(action, limitMs = LIMIT_MS) {
    let timer;
    const limit = new Promise((_resolve, reject) => {
      timer = setTimeout(() => {
        const seen = this.#recorded.map((client) =>
          JSON.stringify(mask(client.rest).slice(0, 300)),
        );
        reject(
          new Error(
            `not done after ${limitMs} ms; unread on the connections: ${seen.join(' | ') || 'none'}; ` +
              `log: ${JSON.stringify(this.transcript.log).slice(0, 1000)}`,
          ),
        );
      }, limitMs);
    });
    try {
      const result = await Promise.race([action(this), this.#failure, limit]);
      this.transcript.result = plain(result);
      this.transcript.wire = this.#recorded.map((client) => shorten(mask(client.text)));
    } finally {
      clearTimeout(timer);
      for (const cleanup of this.#cleanups.reverse()) await cleanup();
    }
  }
}

module.exports = { Scenario, look, plain };
