'use strict';

// What a program can tell of one connection: its requests, the events of all that belongs to it in their order, and
// the bytes that were answered.

const { createHash } = require('node:crypto');
const { mask } = require('../behaviour/text');

const LONG = 1500;

/** A text with its dates masked; what is long becomes its beginning, length and hash. */
function shorten(text) {
  const masked = mask(text);
  if (masked.length <= LONG) return masked;
  const digest = createHash('sha1').update(masked).digest('hex');
  return `${masked.slice(0, 200)}… ${masked.length} ${digest}`;
}

const told = (value) => (value instanceof Error ? (value.code ?? value.message) : (value ?? ''));

class Record {
  events = [];
  /** How often something has happened. */
  happened = 0;
  /** What is to happen by itself, without the client. */
  pending = 0;
  #requests = [];
  #wire = '';

  note(what, value = '') {
    this.happened++;
    this.events.push(value === '' ? what : `${what} ${value}`);
  }

  listen(emitter, name, events) {
    for (const event of events) {
      emitter.on(event, (value) => this.note(`${name} ${event}`, told(value)));
    }
  }

  /** Bytes of an answer. */
  answered(text) {
    this.happened++;
    this.#wire += text;
  }

  /**
   * Notes a request that reached the program.
   * @returns {{ name: string, chunks: string[] }} its name in the events, and where its body belongs
   */
  request(kind, req) {
    const name = `${this.#requests.length}`;
    const { method, url, httpVersion, httpVersionMajor, httpVersionMinor, complete, upgrade } = req;
    const { rawHeaders, headers, headersDistinct } = req;
    const chunks = [];
    this.#requests.push({
      ...{ method, url, httpVersion, httpVersionMajor, httpVersionMinor, complete, upgrade },
      ...{
        rawHeaders: rawHeaders.slice(),
        headers: { ...headers },
        distinct: { ...headersDistinct },
      },
      hasPrototype: Object.getPrototypeOf(headers) !== null,
      ...{ req, chunks },
    });
    this.note(`${name} ${kind}`);
    return { name, chunks };
  }

  get count() {
    return this.#requests.length;
  }

  /** All of it, in a form that can be compared as JSON. */
  toJSON() {
    const requests = this.#requests.map(({ req, chunks, ...seen }) => ({
      ...seen,
      atEnd: [req.complete, req.aborted, req.readableEnded, req.destroyed, req.rawTrailers],
      trailers: [{ ...req.trailers }, { ...req.trailersDistinct }],
      chunks: chunks.map((chunk) => chunk.length),
      body: shorten(chunks.join('')),
    }));
    return { events: this.events, requests, wire: shorten(this.#wire) };
  }
}

module.exports = { Record };
