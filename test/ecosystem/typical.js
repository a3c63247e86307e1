'use strict';
// The conversation that all frameworks are led through. Each answers these routes in its own way:
//
//   GET  /              a short text
//   GET  /json          an object
//   GET  /users/:id     the parameter, the query and a request field, as JSON
//   POST /json          201 and the body that came
//   POST /form          the fields of an urlencoded body
//   GET  /redirect      302 to /
//   GET  /error         throws
//   GET  /cookies       sets two, and tells the one that came
//   GET  /stream        a stream of three pieces, without a length
//   GET  /large         200,000 bytes
//   GET  /buffer        1,024 bytes of each value
//   GET  /empty         204
//   GET  /slow          notes `slow` and never answers

const { fieldOf } = require('./response');

const OBJECT = { hello: 'world', list: [1, 2, 3], nested: { text: 'é ü €', none: null } };
const PIECES = ['first piece\n', 'second piece\n', 'third piece\n'];
const LARGE = 'all work and no play '.repeat(10_000).slice(0, 200_000);
const BUFFER = Buffer.from(Array.from({ length: 1024 }, (_, i) => i & 255));

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** A body in UTF-8, one character a byte. */
const utf8 = (text) => Buffer.from(text).toString('latin1');

const MESSAGE = utf8(JSON.stringify({ name: 'Ada', tags: ['a', 'ü'] }));

/** What a browser sends. */
const BROWSER = {
  Connection: 'keep-alive',
  'sec-ch-ua': '"Chromium";v="142", "Not_A Brand";v="99"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
  'Upgrade-Insecure-Requests': '1',
  'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8',
  'Sec-Fetch-Site': 'none',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-User': '?1',
  'Sec-Fetch-Dest': 'document',
  'Accept-Language': 'de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7',
  Cookie: `consent=yes; preferences=${'x'.repeat(500)}`,
};

/**
 * Requests as clients and proxies send them, for which the engine leaves the connection to Node.
 * @param {import('./conversation').Connection} kept
 */
async function uncommon(kept, { created, h2c }) {
  const upgrade = { Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABk' };
  if (h2c) await kept.get('/json', h2c, { Connection: 'Upgrade, HTTP2-Settings', ...upgrade });
  await kept.ask('POST', '/json', created, {
    headers: { ...JSON_TYPE, Expect: '100-continue' },
    body: MESSAGE,
  });
  const large = JSON.stringify({ text: 'x'.repeat(90_000) });
  await kept.ask('POST', '/json', created, { headers: JSON_TYPE, body: large });
  await kept.ask('GET', '/', 200, { headers: { Connection: 'TE', TE: 'trailers' } });
  await kept.send('the beginning of a head', 'GET /json HTTP/1.1\r\nHost: si');
  await kept.send('more of it', 'te.test\r\nAccept: */*\r');
  await kept.send('its end', '\n\r\n');
  await kept.answer('GET', 200);
  const type = 'Content-Type: application/json\r\n';
  await kept.send(
    'a head',
    `POST /json HTTP/1.1\r\nHost: site.test\r\n${type}Content-Length: 13\r\n\r\n`,
  );
  await kept.send('half of its body', '{"half"');
  await kept.send('the rest', ':true}');
  await kept.answer('POST', created);
  await kept.get('/', 200);
}

/** A client that asks for what is never answered, and goes. @param {import('./conversation').Conversation} c */
async function leaveSlow(c) {
  const left = await c.connect();
  await left.send('asks for /slow', 'GET /slow HTTP/1.1\r\nHost: site.test\r\n\r\n');
  await c.until('slow');
  await left.destroy();
}

/** What no program is asked for as a rule. */
async function aside(c, status) {
  await uncommon(await c.connect(), status);
  const old = await c.connect();
  await old.ask('GET', '/', 200, { version: '1.0' });
  const oldKept = await c.connect();
  await oldKept.ask('GET', '/', 200, { version: '1.0', headers: { Connection: 'keep-alive' } });

  await leaveSlow(c);
  const uploading = await c.connect();
  await uploading.send(
    'begins a body',
    'POST /json HTTP/1.1\r\nHost: site.test\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name"',
  );
  await uploading.destroy();
  const malformed = await c.connect();
  await malformed.closes(
    'a malformed request',
    'GET / HTTP/1.1\r\nHost: site.test\r\nbad field\r\n\r\n',
  );
}

/**
 * @param {import('./conversation').Conversation} c
 * @param {object} [expected] statuses in which a framework differs; null where it has no such route
 */
async function typical(c, expected = {}) {
  const status = {
    head: 200,
    missing: 404,
    error: 500,
    created: 201,
    badJson: 400,
    h2c: 200,
    form: 200,
    options: 404,
    headLarge: expected.head ?? 200,
    redirect: 302,
    cookies: 200,
    stream: 200,
    ...expected,
  };
  const kept = await c.connect();
  await kept.get('/', 200);
  await kept.get('/', 200, { Connection: 'keep-alive', Accept: '*/*', 'User-Agent': 'test/1' });
  const json = await kept.get('/json', 200);
  await kept.get('/json', 200, BROWSER);
  const etag = fieldOf(json, 'etag');
  if (etag !== undefined) await kept.get('/json', 304, { 'If-None-Match': etag });
  await kept.get('/users/42?full=1&name=J%C3%BCrgen', 200, { 'X-Asked': 'yes' });
  await kept.ask('POST', '/json', status.created, { headers: JSON_TYPE, body: MESSAGE });
  await kept.ask('POST', '/json', status.created, {
    headers: JSON_TYPE,
    chunks: [MESSAGE.slice(0, 7), MESSAGE.slice(7)],
  });
  if (status.badJson) {
    await kept.ask('POST', '/json', status.badJson, { headers: JSON_TYPE, body: '{"name":' });
  }
  // A framework may close the connection after an error.
  const next = kept.client.isClosed ? await c.connect() : kept;
  if (status.form) {
    await next.ask('POST', '/form', status.form, {
      headers: FORM_TYPE,
      body: 'name=Ada+Lovelace&city=London&city=Z%C3%BCrich',
    });
  }
  if (status.redirect) await next.get('/redirect', status.redirect);
  if (status.cookies) await next.get('/cookies', status.cookies, { Cookie: 'a=1; seen=yes' });
  if (status.stream) await next.get('/stream', status.stream);
  await next.get('/large', 200);
  await next.get('/buffer', 200);
  await next.get('/empty', 204);
  await next.get('/missing', status.missing);
  if (status.head) {
    await next.ask('HEAD', '/json', status.head);
    await next.ask('HEAD', '/large', status.headLarge);
  }
  await next.ask('OPTIONS', '/json', status.options);
  await next.pipeline(['GET', '/', 200], ['GET', '/json', 200]);
  await next.pipeline(
    ['POST', '/json', status.created, { headers: JSON_TYPE, body: MESSAGE }],
    ['GET', '/users/7', 200],
    ['GET', '/missing', status.missing],
  );
  if (status.error) await next.get('/error', status.error);
  const closing = await c.connect();
  await closing.get('/json', 200, { Connection: 'close' });
  await c.aside(() => aside(c, status));
}

module.exports = {
  typical,
  leaveSlow,
  OBJECT,
  PIECES,
  LARGE,
  BUFFER,
  JSON_TYPE,
  FORM_TYPE,
  MESSAGE,
  utf8,
};
