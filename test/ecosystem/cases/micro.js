'use strict';

const http = require('node:http');
const { Readable } = require('node:stream');
const { BUFFER, LARGE, OBJECT, PIECES, typical } = require('../typical');

module.exports = {
  packages: ['micro'],
  server(t) {
    const { serve, json, text, send, createError } = require('micro');
    const routes = {
      'GET /': () => 'hello',
      'GET /json': () => OBJECT,
      'POST /json': async (req, res) => send(res, 201, await json(req)),
      'POST /form': async (req) => Object.fromEntries(new URLSearchParams(await text(req))),
      'GET /redirect': (req, res) => {
        res.setHeader('Location', '/');
        send(res, 302);
      },
      'GET /error': () => {
        throw new Error('thrown by a handler');
      },
      'GET /cookies': (req, res) => {
        res.setHeader('Set-Cookie', ['id=7; HttpOnly', 'theme=dark']);
        return req.headers.cookie;
      },
      'GET /stream': () => Readable.from(PIECES),
      'GET /large': () => LARGE,
      'GET /buffer': () => BUFFER,
      'GET /empty': () => null,
      'GET /slow': () => {
        t.log('slow');
        return new Promise(() => {});
      },
    };
    const handler = (req, res) => {
      t.log('handler', req.url);
      const method = req.method === 'HEAD' ? 'GET' : req.method;
      const route = routes[`${method} ${req.url}`];
      if (route) return route(req, res);
      if (req.url.startsWith('/users/')) return { user: req.url, asked: req.headers['x-asked'] };
      throw createError(404, 'no such route');
    };
    return http.createServer(serve(handler));
  },
  conversation: (c) => typical(c),
};
