'use strict';
// The routes for frameworks that leave request and response as Node makes them.

const { Readable } = require('node:stream');
const { text } = require('node:stream/consumers');
const { BUFFER, LARGE, OBJECT, PIECES } = require('../typical');

/** Answers with JSON, as the author of such a program would write it. */
function json(res, value, status = 200) {
  const body = JSON.stringify(value);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  res.end(body);
}

/** @param {import('../child/toolbox').Toolbox} t @returns {Record<string, (req: object, res: object) => unknown>} */
const bareRoutes = (t) => ({
  'GET /': (req, res) => res.end('hello'),
  'GET /json': (req, res) => json(res, OBJECT),
  'POST /json': async (req, res) => {
    try {
      json(res, JSON.parse(await text(req)), 201);
    } catch (error) {
      t.log('no body', error.name, error.code);
      res.statusCode = 400;
      res.end('no JSON');
    }
  },
  'POST /form': async (req, res) => {
    json(res, Object.fromEntries(new URLSearchParams(await text(req))));
  },
  'GET /redirect': (req, res) => res.writeHead(302, { Location: '/' }).end(),
  'GET /error': () => {
    throw new Error('thrown by a handler');
  },
  'GET /cookies': (req, res) => {
    res.setHeader('Set-Cookie', ['id=7; HttpOnly', 'theme=dark']);
    res.end(req.headers.cookie);
  },
  'GET /stream': (req, res) => Readable.from(PIECES).pipe(res),
  'GET /large': (req, res) => res.end(LARGE),
  'GET /buffer': (req, res) => res.end(BUFFER),
  'GET /empty': (req, res) => res.writeHead(204).end(),
  'GET /slow': () => t.log('slow'),
});

/** The answer about one user. */
function user(req, res, id) {
  const { searchParams } = new URL(req.url, 'http://site.test');
  res.setHeader('X-Answer', ['one', 'two']);
  json(res, { id, query: Object.fromEntries(searchParams), asked: req.headers['x-asked'] });
}

module.exports = { bareRoutes, json, user };
