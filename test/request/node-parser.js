'use strict';

// Node's own parser, and how its reading of an input compares with that of the package.

const { METHODS } = require('node:http');
const { HTTPParser } = require('node:_http_common');

/**
 * @typedef {object} Reading what the callbacks of Node's parser were given for the first request
 * @property {number} [method] Node's number of the method
 * @property {string} [url]
 * @property {string} [version]
 * @property {boolean} [upgrade]
 * @property {boolean} [shouldKeepAlive]
 * @property {string[]} headers names and values in turn
 * @property {string[]} body a piece each call
 * @property {string[]} trailers
 * @property {boolean} complete
 * @property {string} [error] the code of the error that the parser gave
 */

/**
 * Gives pieces to a fresh parser, until it gives an error.
 * @param {Buffer[]} pieces
 * @param {(reading: Reading) => void} [between] called before the last piece
 * @returns {Reading}
 */
function read(pieces, between = () => {}) {
  /** @type {Reading} */
  const reading = { headers: [], body: [], trailers: [], complete: false };
  let target = reading.headers;
  const parser = new HTTPParser();
  parser.initialize(HTTPParser.REQUEST, {});
  // Node gives the fields in parts once there are more than 32.
  parser[HTTPParser.kOnHeaders | 0] = (headers, url) => {
    if (reading.complete) return;
    target.push(...headers);
    reading.url = (reading.url ?? '') + url;
  };
  parser[HTTPParser.kOnHeadersComplete | 0] = (
    major,
    minor,
    headers,
    method,
    url,
    status,
    message,
    upgrade,
    shouldKeepAlive,
  ) => {
    if (reading.complete) return 0;
    if (headers !== undefined) reading.headers.push(...headers);
    if (url !== undefined) reading.url = url;
    target = reading.trailers;
    Object.assign(reading, { method, version: `${major}.${minor}`, upgrade, shouldKeepAlive });
    return 0;
  };
  parser[HTTPParser.kOnBody | 0] = (bytes) => {
    if (!reading.complete) reading.body.push(bytes.toString('latin1'));
  };
  parser[HTTPParser.kOnMessageComplete | 0] = () => {
    reading.complete = true;
  };
  for (const [place, piece] of pieces.entries()) {
    if (place > 0 && place === pieces.length - 1) between(reading);
    const result = parser.execute(piece);
    if (result instanceof Error) {
      // What follows the first request is of no interest.
      if (!reading.complete) reading.error = result.code;
      break;
    }
  }
  parser.close();
  return reading;
}

/** Node's number of each method. */
const numbers = new Map(
  METHODS.map((name) => [name, read([Buffer.from(`${name} / HTTP/1.1\r\n\r\n`)]).method]),
);

/**
 * What Node's parser must read where the package found a request.
 * @param {Buffer} input
 * @param {import('./parser').Request} request
 * @returns {Reading}
 */
function expected(input, request) {
  const text = ([start, end]) => input.latin1Slice(start, end);
  return {
    headers: request.fields.map(text),
    body: (request.body ?? []).map(text).filter((piece) => piece !== ''),
    trailers: [],
    complete: true,
    url: text(request.target),
    method: numbers.get(request.method),
    version: '1.1',
    upgrade: false,
    shouldKeepAlive: request.persists,
  };
}

/**
 * Gives the input to Node's parser: all of it, and a fresh one the request without its last byte
 * first, which must not complete it.
 * @param {Buffer} input
 * @param {import('./parser').Request} request
 * @returns {{ whole: Reading, early: boolean, ended: Reading }}
 */
function readAsNode(input, { length }) {
  let early = false;
  const pieces = [input.subarray(0, length - 1), input.subarray(length - 1, length)];
  const ended = read(pieces, ({ complete }) => {
    early = complete;
  });
  return { whole: read([input]), early, ended };
}

module.exports = { expected, numbers, read, readAsNode };
