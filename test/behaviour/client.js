'use strict';
// A client that speaks and reads exact bytes: one latin1 character is one byte.

const net = require('node:net');
const tls = require('node:tls');
const { MASKED, assertSameText, mask } = require('./text');

const WHOLE_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;

// Replaces dates only where the expected text has the mask, and cuts before one that is still incomplete.
function alignDates(got, expected) {
  for (let at = expected.indexOf(MASKED); at !== -1; at = expected.indexOf(MASKED, at + 1)) {
    const value = got.slice(at, at + MASKED.length);
    if (value.length < MASKED.length) return got.slice(0, at);
    if (WHOLE_DATE.test(value)) got = got.slice(0, at) + MASKED + got.slice(at + MASKED.length);
  }
  return got;
}

class Client {
  #waiters = new Set();
  #cursor = 0;

  constructor(socket) {
    this.socket = socket;
    this.text = '';
    this.ended = false;
    this.isClosed = false;
    this.error = null;
    socket.setEncoding('latin1');
    socket.on('data', (data) => {
      this.text += data;
      this.#wake();
    });
    socket.on('end', () => {
      this.ended = true;
      this.#wake();
    });
    socket.on('error', (error) => {
      this.error = error;
    });
    socket.on('close', () => {
      this.isClosed = true;
      this.#wake();
    });
  }

  /** @param {number|{port: number}|{path: string}} address @param {{tls?: boolean, allowHalfOpen?: boolean}} [options] */
  static open(address, options = {}) {
    const where = typeof address === 'number' ? { port: address, host: '127.0.0.1' } : address;
    const target = { ...where, allowHalfOpen: options.allowHalfOpen ?? false };
    return new Promise((resolve, reject) => {
      const secure = options.tls === true;
      const socket = secure
        ? tls.connect({ ...target, rejectUnauthorized: false })
        : net.connect(target);
      socket.setNoDelay(true);
      socket.once('error', reject);
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        socket.removeListener('error', reject);
        resolve(new Client(socket));
      });
    });
  }

  #wake() {
    for (const waiter of [...this.#waiters]) waiter();
  }

  /** Resolves once `ready()` returns true; it is asked again after every event of the socket. */
  until(ready) {
    return new Promise((resolve, reject) => {
      const check = () => {
        try {
          if (!ready()) return;
          resolve();
        } catch (error) {
          reject(error);
        }
        this.#waiters.delete(check);
      };
      this.#waiters.add(check);
      check();
    });
  }

  /** All bytes that came and were not yet taken. */
  get rest() {
    return this.text.slice(this.#cursor);
  }

  send(bytes) {
    this.socket.write(bytes, 'latin1');
  }

  /** Takes exactly the expected bytes (Date values masked); fails at the first that differs. */
  async expect(expected, what = 'bytes on the wire') {
    await this.until(() => {
      // A difference shows at once in a short answer; a long one is not compared again with every packet.
      if (
        expected.length > 8192 &&
        this.text.length - this.#cursor < expected.length &&
        !this.ended &&
        !this.isClosed
      )
        return false;
      const got = alignDates(this.rest.slice(0, expected.length), expected);
      if (got.length === expected.length) {
        assertSameText(got, expected, what);
        return true;
      }
      if (this.ended || this.isClosed || !expected.startsWith(got))
        assertSameText(got, expected, what);
      return false;
    });
    this.#cursor += expected.length;
  }

  /** Takes `count` bytes, whatever they are. */
  async take(count) {
    await this.until(() => {
      if (this.rest.length < count && this.isClosed)
        throw new Error(`closed after ${this.rest.length} of ${count} bytes`);
      return this.rest.length >= count;
    });
    const taken = this.rest.slice(0, count);
    this.#cursor += count;
    return taken;
  }

  /** Takes bytes up to and including the marker. */
  async takeThrough(marker) {
    await this.until(() => {
      if (!this.rest.includes(marker) && this.isClosed)
        throw new Error(`closed before ${JSON.stringify(marker)}: ${this.rest.slice(0, 500)}`);
      return this.rest.includes(marker);
    });
    return this.take(this.rest.indexOf(marker) + marker.length);
  }

  /** Waits for the end of the connection and takes all that came until then, Date masked. */
  async closed() {
    await this.until(() => this.isClosed);
    const taken = mask(this.rest);
    this.#cursor = this.text.length;
    return taken;
  }

  /** The server must close, without another byte. */
  async expectClose() {
    assertSameText(await this.closed(), '', 'bytes before the close');
  }

  /** Ends our side; a server that owes nothing closes without another byte. */
  async finish() {
    this.socket.end();
    await this.expectClose();
  }
}

module.exports = { Client };
