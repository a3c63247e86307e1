'use strict';

const { clientCase, told } = require('../apps/clients');

module.exports = clientCase(['nock'], (origin) => {
  const http = require('node:http');
  const { text } = require('node:stream/consumers');
  const nock = require('nock');
  nock.enableNetConnect('127.0.0.1');
  const elsewhere = nock('http://elsewhere.test')
    .get('/json')
    .reply(200, { hello: 'world' }, { 'X-Nock': 'yes' })
    .post('/json', { a: 1 })
    .reply(201, 'made')
    .get('/error')
    .replyWithError(Object.assign(new Error('as asked'), { code: 'ECONNRESET' }));
  const ask = (url, options = {}, body = undefined) =>
    new Promise((resolve, reject) => {
      const request = http.request(url, options, async (response) => {
        const { statusCode, headers } = response;
        resolve(told(statusCode, Object.entries(headers), await text(response)));
      });
      request.on('error', reject);
      request.end(body);
    });
  return {
    // The package waits for a connection.
    first: () => ask(`${origin}/`),
    mocked: () => ask('http://elsewhere.test/json'),
    'mocked post': () => {
      const headers = { 'Content-Type': 'application/json' };
      return ask('http://elsewhere.test/json', { method: 'POST', headers }, '{"a":1}');
    },
    'mocked error': () => ask('http://elsewhere.test/error'),
    forbidden: () => ask('http://another.test/'),
    real: () => ask(`${origin}/json`),
    'real post': () => ask(`${origin}/json`, { method: 'POST' }, '{"a":1}'),
    'real stream': () => ask(`${origin}/stream`),
    'real large': () => ask(`${origin}/large`),
    done: async () => elsewhere.isDone(),
    close: () => nock.restore(),
  };
});
