'use strict';

const { clientCase, told } = require('../apps/clients');
const { MESSAGE, PIECES } = require('../typical');

module.exports = clientCase(['undici'], (origin) => {
  const undici = require('undici');
  const agent = new undici.Agent({ connections: 1 });
  const piped = new undici.Client(origin, { pipelining: 4 });
  const ask = async (path, options) => {
    const { statusCode, headers, body } = await undici.request(origin + path, {
      dispatcher: agent,
      ...options,
    });
    return told(statusCode, Object.entries(headers), await body.text());
  };
  const fetched = async (path, options) => {
    const response = await undici.fetch(origin + path, { dispatcher: agent, ...options });
    return told(response.status, response.headers, await response.text());
  };
  return {
    text: () => ask('/'),
    json: () => ask('/json'),
    headers: () => ask('/headers', { headers: { 'X-A': ['1', '2'], Accept: '*/*' } }),
    post: () => ask('/json', { method: 'POST', body: MESSAGE }),
    stream: () => ask('/stream'),
    large: () => ask('/large'),
    head: () => ask('/large', { method: 'HEAD' }),
    empty: () => ask('/empty'),
    missing: () => ask('/missing'),
    upload: () =>
      ask('/echo', { method: 'PUT', body: require('node:stream').Readable.from(PIECES) }),
    broken: () => ask('/break'),
    after: () => ask('/'),
    fetch: () => fetched('/json'),
    'fetch gzip': () => fetched('/gzip'),
    'fetch redirect': () => fetched('/loop'),
    'fetch cookies': () => fetched('/cookies', { headers: { Cookie: 'a=1' } }),
    'fetch form': () => fetched('/form', { method: 'POST', body: new URLSearchParams({ a: '1' }) }),
    async pipelined() {
      const asked = ['/', '/json', '/stream', '/empty', '/large', '/'].map(async (path) => {
        const { statusCode, headers, body } = await piped.request({ path, method: 'GET' });
        return told(statusCode, Object.entries(headers), await body.text());
      });
      return Promise.all(asked);
    },
    close: () => Promise.all([agent.close(), piped.close()]),
  };
});
