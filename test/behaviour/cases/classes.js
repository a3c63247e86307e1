'use strict';
// Subclasses of ServerResponse, and prototypes that frameworks put between a response and its class.

const assert = require('node:assert');
const http = require('node:http');
const { DATE, GET, KEEP, chunked, head, ok } = require('../text');
const { wire } = require('../wire');

const { ServerResponse, OutgoingMessage } = http;

/** A subclass whose method notes the call and passes it on. */
function passing(method) {
  class Passing extends ServerResponse {}
  Object.defineProperty(Passing.prototype, method, {
    configurable: true,
    writable: true,
    value(...args) {
      this.calls = (this.calls ?? []).concat(method);
      return super_(method, this, args);
    },
  });
  return Passing;
}
const super_ = (method, self, args) => Reflect.apply(ServerResponse.prototype[method], self, args);

class Plain extends ServerResponse {}

class WithState extends ServerResponse {
  #secret = 'private';
  extra = 'public';
  constructor(...args) {
    super(...args);
    this.setHeader('X-Class', 'WithState');
  }

  get secret() {
    return this.#secret;
  }

  json(value) {
    this.setHeader('Content-Type', 'application/json');
    return this.end(JSON.stringify(value));
  }
}

class Shouting extends ServerResponse {
  end(chunk, ...more) {
    return super.end(typeof chunk === 'string' ? chunk.toUpperCase() : chunk, ...more);
  }
}

class Stamped extends ServerResponse {
  writeHead(status, ...more) {
    this.setHeader('X-Stamp', '1');
    return super.writeHead(status, ...more);
  }
}

class Implicit extends ServerResponse {
  _implicitHeader() {
    this.writeHead(203, { 'X-Implicit': '1' });
  }
}

class Stored extends ServerResponse {
  _storeHeader(firstLine, headers) {
    return super._storeHeader(firstLine.replace('200 OK', '299 Stored'), headers);
  }
}

class Sending extends ServerResponse {
  _send(data, ...more) {
    return super._send(typeof data === 'string' ? data.replaceAll('a', 'A') : data, ...more);
  }
}

class Raw extends ServerResponse {
  _writeRaw(data, ...more) {
    return super._writeRaw(typeof data === 'string' ? data.replaceAll('a', 'A') : data, ...more);
  }
}

class Finishing extends ServerResponse {
  _finish() {
    this.marks = (this.marks ?? 0) + 1;
    return super._finish();
  }
}

class Emitting extends ServerResponse {
  emit(name, ...args) {
    this.seen = (this.seen ?? []).concat(name);
    return super.emit(name, ...args);
  }
}

class NoHead extends ServerResponse {
  get headersSent() {
    return false;
  }
}

class WithHeaderField extends ServerResponse {
  _header = null;
}

class Fixed extends ServerResponse {
  get statusCode() {
    return 207;
  }
  set statusCode(_value) {
    /* fixed */
  }
}

const withClass = (spec) => wire({ ...spec, server: { ServerResponse: spec.class } });

/** A prototype as a framework makes it: an object above ServerResponse.prototype that a response is given. */
const framework = Object.create(ServerResponse.prototype);
framework.send = function send(body) {
  this.setHeader('Content-Type', 'text/html; charset=utf-8');
  this.setHeader('Content-Length', Buffer.byteLength(body));
  if (this.req.method === 'HEAD') this.end();
  else this.end(body, 'utf8');
  return this;
};
framework.status = function status(code) {
  this.statusCode = code;
  return this;
};
const overridingFramework = Object.create(ServerResponse.prototype);
overridingFramework._send = function _send(...args) {
  this.sends = (this.sends ?? 0) + 1;
  return super_('_send', this, args);
};

module.exports = [
  withClass({
    name: 'a plain subclass answers as its base does',
    path: 'fast',
    class: Plain,
    handler: (req, res) => {
      assert.ok(res instanceof Plain);
      res.end('hello');
    },
    reply: ok('hello'),
  }),
  withClass({
    name: 'a subclass with private state, fields and methods of its own',
    path: 'fast',
    class: WithState,
    handler: (req, res) => {
      assert.strictEqual(res.secret, 'private');
      res.json({ a: 1 });
    },
    reply: ok('{"a":1}', 'X-Class: WithState', 'Content-Type: application/json'),
  }),
  withClass({
    name: 'a subclass that overrides end() and calls the base',
    path: 'any',
    class: Shouting,
    handler: (req, res) => {
      res.end('hello');
    },
    reply: ok('HELLO'),
  }),
  withClass({
    name: 'a subclass that overrides writeHead(): it is called for the implicit head',
    path: 'any',
    class: Stamped,
    handler: (req, res) => {
      res.end('hello');
    },
    reply: ok('hello', 'X-Stamp: 1'),
  }),
  withClass({
    name: 'a subclass that overrides _implicitHeader(): its head is sent',
    path: 'any',
    class: Implicit,
    handler: (req, res) => {
      res.end('hello');
    },
    reply:
      head(
        'HTTP/1.1 203 Non-Authoritative Information',
        'X-Implicit: 1',
        DATE,
        KEEP,
        'Content-Length: 5',
      ) + 'hello',
  }),
  withClass({
    name: 'a subclass that overrides _storeHeader(): its head is sent',
    path: 'any',
    class: Stored,
    handler: (req, res) => {
      res.end('hello');
    },
    reply: head('HTTP/1.1 299 Stored', DATE, KEEP, 'Content-Length: 5') + 'hello',
  }),
  withClass({
    name: 'a subclass that overrides _send(): its bytes are sent',
    path: 'overridden',
    class: Sending,
    handler: (req, res) => {
      res.sendDate = false;
      res.shouldKeepAlive = true;
      res.end('banana');
    },
    reply: head('HTTP/1.1 200 OK', KEEP, 'Content-Length: 6') + 'bAnAnA',
  }),
  withClass({
    name: 'a subclass that overrides _writeRaw(): its bytes are sent',
    path: 'overridden',
    class: Raw,
    closes: false,
    handler: (req, res) => {
      res.sendDate = false;
      res.removeHeader('Connection');
      res.end('banana');
    },
    reply: head('HTTP/1.1 200 OK', 'Content-Length: 6').replaceAll('a', 'A') + 'bAnAnA',
  }),
  withClass({
    name: 'a subclass that overrides _finish(): it is called once',
    path: 'any',
    class: Finishing,
    handler: (req, res, t) => {
      res.end('hello');
      t.log('marks', res.marks);
      assert.strictEqual(res.marks, 1);
    },
    reply: ok('hello'),
  }),
  withClass({
    name: 'a subclass that overrides emit() sees every event',
    path: 'any',
    class: Emitting,
    handler: (req, res, t) => {
      res.end('hello');
      t.log(res.seen);
      res.on('close', () => t.log(res.seen));
    },
    reply: ok('hello'),
  }),
  withClass({
    name: 'a subclass that overrides the headersSent getter',
    path: 'any',
    class: NoHead,
    handler: (req, res) => {
      res.writeHead(200, { 'X-A': '1' }).end('hello');
    },
    reply: chunked(['hello'], 'X-A: 1'),
  }),
  withClass({
    name: 'a subclass with a field named _header',
    path: 'any',
    class: WithHeaderField,
    handler: (req, res, t) => {
      t.log(res._header, res.headersSent);
      res.end('hello');
      t.log(res._header, res.headersSent);
    },
    reply: ok('hello'),
  }),
  withClass({
    name: 'a subclass with a statusCode accessor',
    path: 'any',
    class: Fixed,
    handler: (req, res) => {
      res.end('hello');
    },
    reply: head('HTTP/1.1 207 Multi-Status', DATE, KEEP, 'Content-Length: 5') + 'hello',
  }),
  ...[
    'write',
    'end',
    'writeHead',
    'setHeader',
    '_send',
    '_storeHeader',
    '_implicitHeader',
    '_writeRaw',
    '_finish',
    '_flush',
    '_renderHeaders',
    'assignSocket',
    'detachSocket',
    'cork',
    'uncork',
    'destroy',
  ].map((method) => ({
    name: `a subclass whose ${method}() passes on sees it called as often as on stock Node`,
    path: 'any',
    async run(t) {
      const Passing = passing(method);
      const server = await t.serve(
        (req, res) => {
          if (req.url === '/head') res.writeHead(200, { 'X-A': '1' });
          if (req.url === '/set') res.setHeader('X-A', '1');
          res.end(req.url === '/empty' ? undefined : 'hello');
          t.log(req.url, res.calls);
          res.on('finish', () => t.log(req.url, 'finish', res.calls));
        },
        { ServerResponse: Passing },
      );
      const client = await t.connect(server);
      for (const [url, reply] of [
        ['/text', ok('hello')],
        ['/empty', ok('')],
        ['/set', ok('hello', 'X-A: 1')],
        ['/head', chunked(['hello'], 'X-A: 1')],
      ]) {
        client.send(GET.replace('/', url));
        await client.expect(reply);
      }
      await client.finish();
    },
  })),

  wire({
    name: 'a prototype put above ServerResponse.prototype, as Express does, answers through it',
    path: 'fast',
    handler: (req, res) => {
      Object.setPrototypeOf(res, framework);
      res.status(201).send('<p>hello</p>');
    },
    reply:
      head(
        'HTTP/1.1 201 Created',
        'Content-Type: text/html; charset=utf-8',
        'Content-Length: 12',
        DATE,
        KEEP,
      ) + '<p>hello</p>',
  }),
  wire({
    name: 'such a prototype with another prototype between, as a mounted application has',
    path: 'fast',
    handler: (req, res) => {
      const mounted = Object.create(framework);
      mounted.extra = () => 'extra';
      Object.setPrototypeOf(res, mounted);
      Object.setPrototypeOf(res, framework);
      Object.setPrototypeOf(res, mounted);
      res.send(res.extra());
    },
    reply:
      head(
        'HTTP/1.1 200 OK',
        'Content-Type: text/html; charset=utf-8',
        'Content-Length: 5',
        DATE,
        KEEP,
      ) + 'extra',
  }),
  wire({
    name: 'such a prototype and a wide text',
    path: 'fast',
    handler: (req, res) => {
      Object.setPrototypeOf(res, framework);
      res.send('\u2603');
    },
    reply:
      head(
        'HTTP/1.1 200 OK',
        'Content-Type: text/html; charset=utf-8',
        'Content-Length: 3',
        DATE,
        KEEP,
      ) + '\xe2\x98\x83',
  }),
  wire({
    name: 'such a prototype that overrides _send()',
    path: 'overridden',
    handler: (req, res, t) => {
      Object.setPrototypeOf(res, overridingFramework);
      res.end('hello');
      t.log('sends', res.sends);
    },
    reply: ok('hello'),
  }),
  wire({
    name: 'an old-style class that inherits with util.inherits and calls the constructor',
    path: 'any',
    server: {
      ServerResponse: (() => {
        function Old(...args) {
          Reflect.apply(ServerResponse, this, args);
        }
        Object.setPrototypeOf(Old.prototype, ServerResponse.prototype);
        Object.setPrototypeOf(Old, ServerResponse);
        return Old;
      })(),
    },
    handler: (req, res) => {
      res.end('hello');
    },
    reply: ok('hello'),
  }),
  {
    name: 'the public methods have the names and lengths they always had, and are plain properties',
    path: 'any',
    async run(t) {
      for (const prototype of [ServerResponse.prototype, OutgoingMessage.prototype]) {
        for (const name of [
          'end',
          'write',
          'writeHead',
          'writeContinue',
          'setHeader',
          'appendHeader',
          'removeHeader',
          'addTrailers',
          'flushHeaders',
          'assignSocket',
          'detachSocket',
          'setTimeout',
          'destroy',
          'cork',
          'uncork',
        ]) {
          const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
          if (!descriptor) {
            t.log(name, 'inherited');
            continue;
          }
          const { value, writable, enumerable, configurable } = descriptor;
          t.log(name, typeof value, value.name, value.length, writable, enumerable, configurable);
        }
      }
      t.log(
        Object.getPrototypeOf(ServerResponse.prototype) === OutgoingMessage.prototype,
        ServerResponse.name,
        ServerResponse.length,
        new ServerResponse({ method: 'GET' }) instanceof OutgoingMessage,
      );
    },
  },
  {
    name: 'requests that this process sends as a client are not touched by what answers',
    path: 'any',
    async run(t) {
      const seen = [];
      const server = await t.serve(async (req, res) => {
        let text = '';
        for await (const part of req) text += part;
        seen.push([req.method, req.url, req.rawHeaders, text]);
        res.end('hello');
      });
      const ask = (options, body) =>
        new Promise((resolve, reject) => {
          const req = http.request(
            { port: server.address().port, host: '127.0.0.1', agent: false, ...options },
            (res) => {
              let text = '';
              res
                .on('data', (data) => {
                  text += data;
                })
                .on('end', () => resolve(text));
            },
          );
          req.on('error', reject);
          req.setHeader('Host', 'a');
          req.end(body);
          t.log(req._header, req.headersSent, req._contentLength);
        });
      assert.strictEqual(await ask({ path: '/get' }), 'hello');
      assert.strictEqual(await ask({ path: '/post', method: 'POST' }, 'body'), 'hello');
      assert.strictEqual(
        await ask(
          { path: '/buffer', method: 'PUT', headers: { 'Content-Length': 4 } },
          Buffer.from('body'),
        ),
        'hello',
      );
      assert.strictEqual(
        await ask(
          { path: '/chunked', method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } },
          'body',
        ),
        'hello',
      );
      t.log(seen);
    },
  },
];
