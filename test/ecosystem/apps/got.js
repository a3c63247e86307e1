'use strict';
// What is asked with got 11 and the ESM versions.

const { PIECES } = require('../typical');
const { told } = require('./clients');

/**
 * @param {string} origin
 * @param {Function} got of whichever version
 */
function questions(origin, got) {
  const http = require('node:http');
  const { Readable } = require('node:stream');
  const { text } = require('node:stream/consumers');
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const client = got.extend({
    prefixUrl: origin,
    agent: { http: agent },
    retry: { limit: 0 },
    throwHttpErrors: false,
  });
  const ask = async (path, options) => {
    const { statusCode, headers, body } = await client(path, options);
    return told(statusCode, Object.entries(headers), body);
  };
  return {
    text: () => ask(''),
    json: () => client('json').json(),
    headers: () => ask('headers', { headers: { 'X-A': '1' } }),
    post: () => ask('json', { method: 'POST', json: { name: 'Ada' } }),
    form: () => ask('form', { method: 'POST', form: { name: 'Ada', city: 'Zürich' } }),
    stream: () => ask('stream'),
    large: () => ask('large'),
    gzip: () => ask('gzip'),
    redirect: () => ask('loop'),
    head: () => ask('large', { method: 'HEAD' }),
    empty: () => ask('empty'),
    missing: () => ask('missing'),
    thrown: () => client('status/503', { throwHttpErrors: true }),
    broken: () => ask('break'),
    upload: () => text(client.stream.put('echo', { body: Readable.from(PIECES) })),
    close: () => agent.destroy(),
  };
}

module.exports = { questions };
