'use strict';
// The application of Nest, whatever it stands on. The decorators are applied by hand, so that no compiler is needed.

const { BUFFER, LARGE, OBJECT, PIECES } = require('../typical');

/**
 * @param {import('../child/toolbox').Toolbox} t
 * @param {import('@nestjs/common').AbstractHttpAdapter} adapter
 */
async function nestApp(t, adapter) {
  require('reflect-metadata');
  const common = require('@nestjs/common');
  const { NestFactory } = require('@nestjs/core');
  const { Readable } = require('node:stream');

  class Greetings {
    greet() {
      return 'hello';
    }
  }
  common.Injectable()(Greetings);

  class Site {
    constructor(greetings) {
      this.greetings = greetings;
    }
    root() {
      return this.greetings.greet();
    }
    json() {
      return OBJECT;
    }
    user(id, query, asked) {
      if (Number.isNaN(id)) throw new common.BadRequestException('not a number');
      return { id, query, asked };
    }
    create(body) {
      return body;
    }
    form(body) {
      return body;
    }
    redirect() {}
    error() {
      throw new Error('thrown by a handler');
    }
    forbidden() {
      throw new common.ForbiddenException({ reason: 'not for you' });
    }
    cookies(cookie) {
      return cookie;
    }
    stream() {
      return new common.StreamableFile(Readable.from(PIECES.map((piece) => Buffer.from(piece))));
    }
    large() {
      return LARGE;
    }
    buffer() {
      return new common.StreamableFile(BUFFER, { type: 'application/octet-stream', length: 1024 });
    }
    empty() {}
    slow() {
      t.log('slow');
      return new Promise(() => {});
    }
    events() {
      const { from } = require('rxjs');
      return from([{ data: { n: 1 } }, { data: 'two', id: '2', type: 'named', retry: 10 }]);
    }
  }
  const { Body, Get, Headers, Header, HttpCode, Param, Post, Query, Redirect, Sse } = common;
  const route = (name, ...decorators) => {
    const descriptor = Object.getOwnPropertyDescriptor(Site.prototype, name);
    for (const decorate of decorators) decorate(Site.prototype, name, descriptor);
  };
  route('root', Get('/'));
  route('json', Get('/json'), Header('X-Static', 'yes'));
  route('user', Get('/users/:id'));
  Param('id', common.ParseIntPipe)(Site.prototype, 'user', 0);
  Query()(Site.prototype, 'user', 1);
  Headers('x-asked')(Site.prototype, 'user', 2);
  route('create', Post('/json'));
  Body()(Site.prototype, 'create', 0);
  route('form', Post('/form'), HttpCode(200));
  Body()(Site.prototype, 'form', 0);
  route('redirect', Get('/redirect'), Redirect('/', 302));
  route('error', Get('/error'));
  route('forbidden', Get('/forbidden'));
  route('cookies', Get('/cookies'), Header('Set-Cookie', 'id=7; HttpOnly'));
  Headers('cookie')(Site.prototype, 'cookies', 0);
  route('stream', Get('/stream'));
  route('large', Get('/large'));
  route('buffer', Get('/buffer'));
  route('empty', Get('/empty'), HttpCode(204));
  route('slow', Get('/slow'));
  route('events', Sse('/events'));
  Reflect.defineMetadata('design:paramtypes', [Greetings], Site);
  common.Controller()(Site);

  class App {}
  common.Module({ controllers: [Site], providers: [Greetings] })(App);

  const app = await NestFactory.create(App, adapter, { logger: false });
  app.useGlobalGuards({
    canActivate(context) {
      t.log('guard', context.getHandler().name);
      return true;
    },
  });
  app.enableShutdownHooks([]);
  await app.listen(0, '127.0.0.1');
  return { servers: [app.getHttpServer()], close: () => app.close() };
}

/** What Nest has beyond the typical routes. */
async function nestExtras(c) {
  const kept = await c.connect();
  await kept.get('/users/none', 400);
  await kept.get('/forbidden', 403);
  await kept.get('/events', 200, { Accept: 'text/event-stream' });
}

module.exports = { nestApp, nestExtras };
