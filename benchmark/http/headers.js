'use strict';

// A browser's navigation: 20 header fields with Host, of which the handler reads two.

const http = require('node:http');

const headers = {
  Connection: 'keep-alive',
  'Cache-Control': 'max-age=0',
  'sec-ch-ua': '"Chromium";v="140", "Not=A?Brand";v="24", "Google Chrome";v="140"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
  DNT: '1',
  'Upgrade-Insecure-Requests': '1',
  'User-Agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  Accept:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  'Sec-Fetch-Site': 'same-origin',
  'Sec-Fetch-Mode': 'navigate',
  'Sec-Fetch-User': '?1',
  'Sec-Fetch-Dest': 'document',
  Referer: 'http://localhost/articles?page=2',
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  'Accept-Language': 'en-GB,en;q=0.9,de;q=0.8',
  Cookie: 'session=b6f1c0a2d94e4b1f8a37; theme=dark; consent=1',
  'If-None-Match': 'W/"2c-7d1a9e0b"',
  Priority: 'u=0, i',
};

function createServer() {
  return http.createServer((req, res) => {
    const { cookie, 'accept-language': languages } = req.headers;
    res.end(`${cookie.length} ${languages.slice(0, 5)}`);
  });
}

module.exports = { name: 'http/headers', options: {}, request: () => ({ headers }), createServer };

if (require.main === module) require('../lib/compare').main(module.exports, __filename);
