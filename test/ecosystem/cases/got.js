'use strict';

const { clientCase, told } = require('../apps/clients');
const { PIECES } = require('../typical');

module.exports = clientCase(['got'], async (origin) => {
  const http = require('node:http');
  const { Readable } = require('node:stream');
  const { text } = require('node:stream/consumers');
  const { pipeline } = require('node:stream/promises');
  const { got } = await import('got');
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
    async upload() {
      const upload = client.stream.put('echo');
      const [body] = await Promise.all([text(upload), pipeline(Readable.from(PIECES), upload)]);
      return body;
    },
    close: () => agent.destroy(),
  };
});
