'use strict';

const { createHash } = require('node:crypto');
const http = require('node:http');
const { TYPE, multipart, uploads } = require('../multipart');
const { FORM_TYPE } = require('../typical');

module.exports = {
  packages: ['busboy'],
  measured: null,
  server(t) {
    const busboy = require('busboy');
    return http.createServer((req, res) => {
      let parser;
      try {
        parser = busboy({ headers: req.headers, limits: { fileSize: 350_000 } });
      } catch (error) {
        res.writeHead(415, { Connection: 'close' }).end(error.message);
        return;
      }
      const parts = [];
      parser.on('file', (name, stream, info) => {
        const hash = createHash('sha1');
        stream.on('data', (data) => hash.update(data));
        stream.on('error', (error) => t.log('stream error', error.message));
        stream.on('end', () => {
          parts.push({ name, ...info, hash: hash.digest('hex'), truncated: stream.truncated });
        });
      });
      parser.on('field', (name, value, info) => parts.push({ name, value, ...info }));
      parser.on('error', (error) => {
        t.log('error', error.message);
        req.unpipe(parser);
        res.writeHead(400, { Connection: 'close' }).end(error.message);
      });
      parser.on('close', () => {
        t.log('parsed', parts);
        if (!res.headersSent) res.end(JSON.stringify(parts));
      });
      req.pipe(parser);
    });
  },
  async conversation(c) {
    await uploads(c);
    const kept = await c.connect();
    await kept.ask('POST', '/upload', 200, { headers: FORM_TYPE, body: 'a=1&b=two+words' });
    await kept.ask('POST', '/upload', 415, {
      headers: { 'Content-Type': 'text/plain' },
      body: 'x',
    });
    const broken = await c.connect();
    const file = { name: 'file', file: 'a.txt', value: 'x' };
    await broken.ask('POST', '/upload', 400, {
      headers: TYPE,
      body: multipart(file).slice(0, -20),
    });
  },
};
