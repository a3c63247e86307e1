'use strict';

const { clientCase, told } = require('../apps/clients');
const { PIECES } = require('../typical');

module.exports = clientCase(['axios'], (origin) => {
  const http = require('node:http');
  const { Readable } = require('node:stream');
  const { text } = require('node:stream/consumers');
  const axios = require('axios');
  const httpAgent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const client = axios.create({
    baseURL: origin,
    httpAgent,
    proxy: false,
    validateStatus: () => true,
    responseType: 'text',
    transformResponse: (data) => data,
  });
  const ask = async (url, options) => {
    const { status, headers, data } = await client({ url, ...options });
    return told(status, Object.entries(headers), data);
  };
  return {
    text: () => ask('/'),
    json: () => ask('/json'),
    headers: () => ask('/headers', { headers: { 'X-A': '1' } }),
    post: () => ask('/json', { method: 'POST', data: { name: 'Ada' } }),
    form: () => ask('/form', { method: 'POST', data: new URLSearchParams({ name: 'Ada' }) }),
    async stream() {
      const { status, data } = await client({ url: '/stream', responseType: 'stream' });
      return [status, await text(data)];
    },
    large: () => ask('/large'),
    gzip: () => ask('/gzip'),
    redirect: () => ask('/loop'),
    head: () => ask('/large', { method: 'HEAD' }),
    empty: () => ask('/empty'),
    missing: () => ask('/missing'),
    thrown: () => axios(`${origin}/status/503`, { httpAgent, proxy: false }),
    broken: () => ask('/break'),
    upload: () => ask('/echo', { method: 'PUT', data: Readable.from(PIECES) }),
    close: () => httpAgent.destroy(),
  };
});
