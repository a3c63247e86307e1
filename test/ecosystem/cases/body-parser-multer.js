'use strict';

const { createHash } = require('node:crypto');
const http = require('node:http');
const { TYPE, multipart, uploads } = require('../multipart');
const { FORM_TYPE, JSON_TYPE, MESSAGE } = require('../typical');

const ANY = { 'Content-Type': 'application/octet-stream' };

module.exports = {
  packages: ['body-parser', 'multer', 'express5'],
  measured: null,
  smoke: true,
  server(t) {
    const express = require('express5');
    const bodyParser = require('body-parser');
    const multer = require('multer');
    const app = express();
    const verify = (req, res, bytes) => t.log('verify', req.url, bytes.length);
    app.use(bodyParser.json({ limit: '2kb', verify }));
    app.use(bodyParser.urlencoded({ extended: true, parameterLimit: 5 }));
    app.use(bodyParser.text(), bodyParser.raw());
    app.post('/body', (req, res) => {
      t.log('body', typeof req.body, Buffer.isBuffer(req.body));
      res.json({ body: Buffer.isBuffer(req.body) ? req.body.toString('hex') : (req.body ?? null) });
    });
    const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: 400_000 } });
    app.post('/upload', upload.array('file', 2), (req, res) => {
      const files = req.files.map(({ originalname, mimetype, size, buffer }) => {
        return {
          originalname,
          mimetype,
          size,
          hash: createHash('sha1').update(buffer).digest('hex'),
        };
      });
      t.log('upload', files, req.body);
      res.json({ files, body: req.body });
    });
    app.use((error, req, res, next) => {
      t.log('error', error.type ?? error.code, error.message);
      res.status(error.status ?? 400).json({ message: error.message });
    });
    return http.createServer(app);
  },
  async conversation(c) {
    const kept = await c.connect();
    const post = (status, headers, body) => kept.ask('POST', '/body', status, { headers, body });
    await post(200, JSON_TYPE, MESSAGE);
    await post(200, FORM_TYPE, 'a[b]=1&a[c]=2&d=3&d=4');
    await post(200, { 'Content-Type': 'text/plain; charset=utf-8' }, 'some text');
    await post(200, ANY, '\x00\x01\xfe\xff');
    await post(200, {}, '');
    await post(400, JSON_TYPE, '{"a":');
    await post(400, JSON_TYPE, '"a string"');
    await post(413, JSON_TYPE, JSON.stringify({ long: 'x'.repeat(3000) }));
    await post(413, FORM_TYPE, 'a=1&b=2&c=3&d=4&e=5&f=6');
    await post(415, { 'Content-Type': 'application/json; charset=latin7' }, '{}');
    await post(415, { ...JSON_TYPE, 'Content-Encoding': 'strange' }, '{}');
    const gzip = require('node:zlib').gzipSync(MESSAGE).toString('latin1');
    await post(200, { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, gzip);
    await kept.ask('POST', '/body', 200, { headers: JSON_TYPE, chunks: ['{"a"', ':1}'] });
    await kept.ask('POST', '/body', 413, { headers: JSON_TYPE, chunks: ['[', '"y",'.repeat(900)] });
    const next = kept.client.isClosed ? await c.connect() : kept;
    await next.pipeline(
      ['POST', '/body', 200, { headers: JSON_TYPE, body: '{"n":1}' }],
      ['POST', '/body', 200, { headers: JSON_TYPE, body: '{"n":2}' }],
    );
    await uploads(c);
    const bad = await c.connect();
    const file = { name: 'other', file: 'a.txt', value: 'x' };
    await bad.ask('POST', '/upload', 400, { headers: TYPE, body: multipart(file) });
    const broken = await c.connect();
    await broken.ask('POST', '/upload', 400, {
      headers: TYPE,
      body: multipart(file).slice(0, -20),
    });
  },
};
