'use strict';

const http = require('node:http');
const { fieldOf } = require('../response');
const { FILES } = require('../statics');
const { uploads } = require('../multipart');

module.exports = {
  packages: ['sirv', 'formidable'],
  server(t) {
    const serve = require('sirv')(t.files(FILES), { etag: true, maxAge: 60 });
    const { formidable } = require('formidable');
    return http.createServer(async (req, res) => {
      if (req.method !== 'POST') {
        serve(req, res, () => res.writeHead(404).end('not here'));
        return;
      }
      const form = formidable({ uploadDir: t.folder, filename: () => 'upload' });
      form.on('fileBegin', (name, { originalFilename }) =>
        t.log('fileBegin', name, originalFilename),
      );
      const [fields, files] = await form.parse(req);
      const told = (files.file ?? []).map(({ originalFilename, mimetype, size }) => {
        return { originalFilename, mimetype, size };
      });
      // In the order in which they reach the disk.
      told.sort((a, b) => a.originalFilename.localeCompare(b.originalFilename));
      t.log('parsed', fields, told);
      res.end(JSON.stringify({ fields, files: told }));
    });
  },
  async conversation(c) {
    await uploads(c);
    const kept = await c.connect();
    const page = await kept.get('/', 200);
    const etag = fieldOf(page, 'etag');
    await kept.get('/', 304, { 'If-None-Match': etag });
    await kept.get('/big.txt', 200);
    await kept.get('/style.css', 206, { Range: 'bytes=5-9' });
    await kept.get('/style.css', 416, { Range: 'bytes=99999-' });
    await kept.ask('HEAD', '/big.txt', 200);
    await kept.get('/folder', 200);
    await kept.get('/missing', 404);
    await kept.pipeline(['GET', '/style.css', 200], ['GET', '/big.txt', 200]);
  },
};
