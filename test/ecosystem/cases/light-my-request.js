'use strict';

const { clientCase, told } = require('../apps/clients');
const { bareRoutes } = require('../apps/bare');
const { expressApp } = require('../apps/express');

module.exports = clientCase(['light-my-request', 'fastify', 'express5'], async (origin, t) => {
  const inject = require('light-my-request');
  const fastify = require('fastify')();
  fastify.get('/json', async () => ({ hello: 'world' }));
  fastify.post('/json', async (request, reply) => reply.code(201).send(request.body));
  const [express] = expressApp(require('express5'), t).listeners('request');
  const routes = bareRoutes(t);
  const bare = (req, res) => routes[`${req.method} ${req.url}`](req, res);
  const ask = async (injected) => {
    const { statusCode, headers, payload } = await injected;
    return told(statusCode, Object.entries(headers), payload);
  };
  const both = (name, options) => ({
    [`bare ${name}`]: () => ask(inject(bare, options)),
    [`express ${name}`]: () => ask(inject(express, options)),
  });
  return {
    // The package waits for a connection.
    'over the network': async () => (await fetch(`${origin}/`)).status,
    fastify: () => ask(fastify.inject('/json')),
    'fastify post': () => ask(fastify.inject({ method: 'POST', url: '/json', body: { a: 1 } })),
    'fastify missing': () => ask(fastify.inject('/missing')),
    ...both('text', '/'),
    ...both('json', { url: '/json', headers: { 'X-A': '1' } }),
    ...both('post', { method: 'POST', url: '/json', payload: { name: 'Ada' } }),
    ...both('stream', '/stream'),
    ...both('large', '/large'),
    ...both('empty', '/empty'),
    ...both('redirect', '/redirect'),
    ...both('cookies', { url: '/cookies', cookies: { a: '1' } }),
    close: () => fastify.close(),
  };
});
