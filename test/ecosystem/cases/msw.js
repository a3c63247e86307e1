'use strict';

const { clientCase, told } = require('../apps/clients');

module.exports = clientCase(['msw'], (origin) => {
  const node = require('node:http');
  const { text } = require('node:stream/consumers');
  const { http, HttpResponse, passthrough } = require('msw');
  const { setupServer } = require('msw/node');
  const server = setupServer(
    http.get('http://elsewhere.test/json', () => HttpResponse.json({ hello: 'world' })),
    http.post('http://elsewhere.test/json', async ({ request }) =>
      HttpResponse.json(await request.json(), { status: 201, headers: { 'X-Mock': 'yes' } }),
    ),
    http.get('http://elsewhere.test/empty', () => new HttpResponse(null, { status: 204 })),
    http.get('http://elsewhere.test/large', () => HttpResponse.text('x'.repeat(100_000))),
    http.get('http://elsewhere.test/error', () => HttpResponse.error()),
    http.all(`${origin}/*`, () => passthrough()),
  );
  server.listen({ onUnhandledRequest: 'error' });
  const ask = (url, options = {}, body = undefined) =>
    new Promise((resolve, reject) => {
      const request = node.request(url, options, async (response) => {
        const { statusCode, headers } = response;
        resolve(told(statusCode, Object.entries(headers), await text(response)));
      });
      request.on('error', reject);
      request.end(body);
    });
  const fetched = async (url, options) => {
    const response = await fetch(url, options);
    return told(response.status, response.headers, await response.text());
  };
  return {
    // The package waits for a connection.
    first: () => ask(`${origin}/`),
    mocked: () => ask('http://elsewhere.test/json'),
    'mocked post': () => ask('http://elsewhere.test/json', { method: 'POST' }, '{"a":1}'),
    'mocked empty': () => ask('http://elsewhere.test/empty'),
    'mocked large': () => ask('http://elsewhere.test/large'),
    'mocked error': () => ask('http://elsewhere.test/error'),
    'mocked fetch': () => fetched('http://elsewhere.test/json'),
    real: () => ask(`${origin}/json`),
    'real post': () => ask(`${origin}/json`, { method: 'POST' }, '{"a":1}'),
    'real stream': () => ask(`${origin}/stream`),
    'real fetch': () => fetched(`${origin}/json`),
    'real large': () => fetched(`${origin}/large`),
    close: () => server.close(),
  };
});
