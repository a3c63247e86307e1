'use strict';
// The conversation about static files.

const { fieldOf } = require('./response');
const { LARGE } = require('./typical');

const FILES = {
  'index.html': '<!doctype html><title>index</title>',
  'style.css': 'body { color: red }\n'.repeat(100),
  'big.txt': LARGE,
  'image.png': Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * 7) & 255)),
  'empty.txt': '',
  'name with ü.txt': 'a name',
  '.hidden': 'hidden',
  'folder/index.html': 'the folder',
};

/** @param {import('./conversation').Conversation} c @param {object} [expected] statuses that differ */
async function statics(c, expected = {}) {
  const status = { post: 404, hidden: 404, outside: 403, folder: 301, bad: 400, ...expected };
  const kept = await c.connect();
  const page = await kept.get('/', 200);
  await kept.get('/index.html', 304, { 'If-None-Match': fieldOf(page, 'etag') });
  await kept.get('/index.html', 304, { 'If-Modified-Since': fieldOf(page, 'last-modified') });
  await kept.get('/index.html', 200, { 'If-Modified-Since': 'Mon, 01 Jan 2001 00:00:00 GMT' });
  await kept.get('/index.html', 412, { 'If-Match': '"other"' });
  await kept.get('/style.css', 200);
  await kept.get('/big.txt', 200);
  await kept.get('/image.png', 200);
  await kept.get('/empty.txt', 200);
  await kept.get('/name%20with%20%C3%BC.txt', 200);
  await kept.ask('HEAD', '/big.txt', 200);
  for (const range of ['bytes=0-9', 'bytes=100-', 'bytes=-50', 'bytes=0-0,5-9']) {
    await kept.get('/style.css', range.includes(',') ? 200 : 206, { Range: range });
  }
  await kept.get('/style.css', 416, { Range: 'bytes=99999-' });
  const ranged = { Range: 'bytes=5-20', 'If-Range': fieldOf(page, 'etag') };
  await kept.get('/index.html', 206, ranged);
  await kept.get('/index.html', 200, { ...ranged, 'If-Range': '"other"' });
  await kept.ask('HEAD', '/style.css', 206, { headers: { Range: 'bytes=0-9' } });
  if (status.folder) await kept.get('/folder', status.folder);
  await kept.get('/folder/', 200);
  await kept.get('/.hidden', status.hidden);
  await kept.get('/missing.txt', 404);
  await kept.get('/../secret', status.outside);
  await kept.get('/%E0%A4%A', status.bad);
  const next = kept.client.isClosed ? await c.connect() : kept;
  await next.ask('POST', '/index.html', status.post, { body: 'x' });
  await next.pipeline(['GET', '/style.css', 200], ['GET', '/big.txt', 200], ['GET', '/', 200]);
  const closing = await c.connect();
  await closing.get('/big.txt', 200, { Connection: 'close' });
  const old = await c.connect();
  await old.ask('GET', '/big.txt', 200, { version: '1.0' });
}

module.exports = { FILES, statics };
