'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { fieldOf } = require('../response');
const { JSON_TYPE, MESSAGE } = require('../typical');

const SITE = path.join(__dirname, '..', 'next');
const BUILT = path.join(SITE, '.next', 'BUILD_ID');

const env = { NEXT_TELEMETRY_DISABLED: '1' };

module.exports = {
  packages: ['next', 'react', 'react-dom'],
  folder: SITE,
  env,
  // Its timers and its cache outlive the server.
  lingers: true,
  volatile: /\d+ms/g,
  /** Builds the site unless that was done. */
  prepare() {
    if (fs.existsSync(BUILT)) return;
    const next = path.join(SITE, 'node_modules', 'next', 'dist', 'bin', 'next');
    execFileSync(process.execPath, [next, 'build'], {
      cwd: SITE,
      env: { ...process.env, ...env, NODE_ENV: 'production' },
      stdio: ['ignore', 2, 2],
    });
  },
  async server(t) {
    const next = require(path.join(SITE, 'node_modules', 'next'));
    const app = next({ dev: false, dir: SITE, quiet: true });
    await app.prepare();
    const handle = app.getRequestHandler();
    return http.createServer((req, res) => {
      t.log('handler', req.url);
      if (req.url === '/own') res.end('by the custom server');
      else handle(req, res);
    });
  },
  async conversation(c) {
    const kept = await c.connect();
    const page = await kept.get('/', 200);
    const etag = fieldOf(page, 'etag');
    await kept.get('/', 304, { 'If-None-Match': etag });
    await kept.get('/', 200, { 'Accept-Encoding': 'gzip' });
    await kept.get('/own', 200);
    await kept.get('/rendered?name=Ada', 200);
    await kept.get('/rendered?name=Ada', 200, { 'Accept-Encoding': 'gzip' });
    await kept.get('/_next/data/build/rendered.json?name=Ada', 200);
    await kept.get('/rendered?name=other', 307);
    await kept.get('/rendered?name=nobody', 404);
    await kept.get('/rendered?name=broken', 500);
    await kept.get('/missing', 404);
    await kept.ask('POST', '/api/echo?a=1', 201, { headers: JSON_TYPE, body: MESSAGE });
    await kept.ask('POST', '/api/echo', 201, { headers: JSON_TYPE, chunks: ['{"a"', ':1}'] });
    await kept.ask('POST', '/api/echo', 400, { headers: JSON_TYPE, body: '{' });
    await kept.get('/api/stream', 200);
    await kept.get('/file.txt', 200);
    await kept.get('/file.txt', 206, { Range: 'bytes=2-7' });
    const [script] = /\/_next\/static\/[^"]+\.js/.exec(page.body);
    await kept.get(script, 200);
    await kept.ask('HEAD', '/rendered', 200);
    await kept.pipeline(['GET', '/own', 200], ['GET', '/', 200]);
    const closing = await c.connect();
    await closing.get('/', 200, { Connection: 'close' });
  },
};
