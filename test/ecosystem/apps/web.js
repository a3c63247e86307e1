'use strict';
// The handlers of frameworks that speak in the Request and Response of the Fetch standard.

const { BUFFER, LARGE, OBJECT, PIECES } = require('../typical');

const encoder = new TextEncoder();

/** A stream of the pieces, each when it is asked for. */
function pieces() {
  const rest = PIECES.values();
  return new ReadableStream({
    pull(controller) {
      const { value, done } = rest.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
}

const cookies = (asked) => {
  const headers = new Headers({ 'Content-Type': 'text/plain' });
  headers.append('Set-Cookie', 'id=7; HttpOnly');
  headers.append('Set-Cookie', 'theme=dark; Secure');
  return new Response(asked, { headers });
};

const routes = {
  'GET /': () => new Response('hello'),
  'GET /json': () => Response.json(OBJECT),
  'POST /json': async (request) => {
    try {
      return Response.json(await request.json(), { status: 201 });
    } catch {
      return new Response('no JSON', { status: 400 });
    }
  },
  'POST /form': async (request) => Response.json(Object.fromEntries(await request.formData())),
  'GET /redirect': () => new Response(null, { status: 302, headers: { Location: '/' } }),
  'GET /error': () => {
    throw new Error('thrown by a handler');
  },
  'GET /cookies': (request) => cookies(request.headers.get('cookie')),
  'GET /stream': () => new Response(pieces()),
  'GET /large': () => new Response(LARGE),
  'GET /buffer': () => new Response(BUFFER),
  'GET /empty': () => new Response(null, { status: 204 }),
};

/** What a route answers to the user's id. */
function user(request, id) {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const asked = request.headers.get('x-asked');
  return Response.json({ id, query, asked }, { headers: { 'X-Answer': 'one' } });
}

module.exports = { routes, user };
