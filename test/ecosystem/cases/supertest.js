'use strict';

const { expressApp } = require('../apps/express');
const { clientCase, told } = require('../apps/clients');

module.exports = clientCase(['supertest', 'express5'], (_origin, t) => {
  const request = require('supertest');
  const server = expressApp(require('express5'), t);
  const agent = request.agent(server);
  const ask = async (test) => {
    const { status, headers, text } = await test;
    return told(status, Object.entries(headers), text ?? '');
  };
  return {
    text: () => ask(request(server).get('/').expect(200, 'hello')),
    json: () => ask(request(server).get('/json').expect('Content-Type', /json/)),
    post: () => ask(request(server).post('/json').send({ name: 'Ada' }).expect(201)),
    form: () => ask(request(server).post('/form').type('form').send({ name: 'Ada' })),
    query: () => ask(request(server).get('/users/7').query({ full: 1 }).set('X-Asked', 'yes')),
    redirect: () => ask(request(server).get('/redirect').redirects(1)),
    cookies: () => ask(agent.get('/cookies').set('Cookie', 'a=1')),
    'cookies again': () => ask(agent.get('/cookies')),
    stream: () => ask(request(server).get('/stream')),
    head: () => ask(request(server).head('/json')),
    missing: () => ask(request(server).get('/missing')),
    wrong: () => ask(request(server).get('/').expect(500)),
    error: () => ask(request(server).get('/error')),
    async several() {
      return [
        await ask(agent.get('/')),
        await ask(agent.get('/json')),
        await ask(agent.get('/large')),
      ];
    },
  };
});
