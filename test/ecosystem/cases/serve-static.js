'use strict';

const http = require('node:http');
const { FILES, statics } = require('../statics');

module.exports = {
  packages: ['serve-static'],
  smoke: true,
  server(t) {
    const serve = require('serve-static')(t.files(FILES), {
      maxAge: '1d',
      setHeaders(res, path) {
        t.log('setHeaders', path.slice(t.folder.length));
        res.setHeader('X-File', 'yes');
      },
    });
    return http.createServer((req, res) => {
      serve(req, res, (error) => {
        t.log('next', error?.status ?? null);
        res.statusCode = error?.status ?? 404;
        res.end('not here');
      });
    });
  },
  conversation: (c) => statics(c, { outside: 404, bad: 404 }),
};
