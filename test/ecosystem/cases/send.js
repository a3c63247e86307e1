'use strict';

const http = require('node:http');
const { FILES, statics } = require('../statics');

module.exports = {
  packages: ['send'],
  server(t) {
    const send = require('send');
    const root = t.files(FILES);
    return http.createServer((req, res) => {
      send(req, new URL(req.url, 'http://site.test').pathname, { root, index: ['index.html'] })
        .on('headers', (_res, path) => t.log('headers', path.slice(t.folder.length)))
        .on('directory', () => t.log('directory'))
        .on('stream', () => t.log('stream'))
        .on('error', (error) => {
          t.log('error', error.status);
          res.statusCode = error.status;
          res.end(error.message);
        })
        .on('end', () => t.log('end'))
        .pipe(res);
    });
  },
  conversation: (c) => statics(c, { folder: null, outside: 404, post: 200 }),
};
