'use strict';
// Plain requests, as clients send them.

const { ask, head, post } = require('../../behaviour/text');

const METHODS = require('node:http').METHODS.filter((name) => name !== 'CONNECT');

const COMMON = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const BROWSER = [
  'Connection: keep-alive',
  'sec-ch-ua: "Chromium";v="124", "Not-A.Brand";v="99"',
  'sec-ch-ua-mobile: ?0',
  'Upgrade-Insecure-Requests: 1',
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
  'Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8',
  'Accept-Encoding: gzip, deflate, br',
  'Accept-Language: en-GB,en;q=0.9',
  'Cookie: a=b; c=d',
];

const plain = (name, bytes, more = {}) => ({ name, bytes, plain: true, ...more });

module.exports = [
  plain('a GET', ask('/')),
  plain('a GET of a browser', ask('/path?query=1&other=%20', ...BROWSER)),
  plain('a HEAD', head('HEAD / HTTP/1.1', 'Host: a')),
  plain('an OPTIONS *', head('OPTIONS * HTTP/1.1', 'Host: a')),
  plain('a request in absolute form', head('GET http://a:80/b?c HTTP/1.1', 'Host: a')),
  plain('a request in absolute form, https', head('GET https://[::1]:80/b HTTP/1.1', 'Host: a')),
  plain('a GET that asks for close', ask('/', 'Connection: close')),
  plain('a GET that asks for keep-alive', ask('/', 'Connection: keep-alive')),
  plain('a POST with a length', post('/', 'hello')),
  plain('a POST with the length 0', post('/', '')),
  plain('a POST without a length', head('POST / HTTP/1.1', 'Host: a')),
  plain('a POST with the bytes of a request as its body', post('/', ask('/never'))),
  plain(
    'a POST in chunks',
    `${ask('/', 'Transfer-Encoding: chunked').replace('GET', 'POST')}5\r\nhello\r\n3\r\nyou\r\n0\r\n\r\n`,
  ),
  plain(
    'a POST in no chunk',
    `${ask('/', 'Transfer-Encoding: chunked').replace('GET', 'POST')}0\r\n\r\n`,
  ),
  plain('a GET with a body', post('/', 'hello').replace('POST', 'GET')),
  plain('three pipelined GETs', ask('/a') + ask('/b') + ask('/c')),
  plain('pipelined GET, HEAD and GET', ask('/a') + head('HEAD /b HTTP/1.1', 'Host: a') + ask('/c')),
  plain('pipelined bodies', post('/a', 'hello') + post('/b', '') + post('/c', 'there')),
  plain('a body and a GET behind', post('/a', 'hello') + ask('/b')),
  plain(
    'the last of three pipelined asks for close',
    ask('/a') + ask('/b') + ask('/c', 'Connection: close'),
  ),
  plain('twenty pipelined GETs', Array.from({ length: 20 }, (_, i) => ask(`/${i}`)).join('')),
  plain('own classes of the server', ask('/a') + post('/b', 'hello') + ask('/c'), {
    server: 'own classes',
  }),
  plain('no keep-alive timeout', ask('/a') + post('/b', 'hello'), {
    server: 'no keep-alive timeout',
  }),
  plain('half-open connections', ask('/a') + post('/b', 'hello'), { server: 'half-open' }),
  plain(
    'a target with odd bytes',
    head('GET /a-._~!$&\'()*+,;=:@%41/?[]{}|\\^`"<> HTTP/1.1', 'Host: a'),
  ),
  plain('a target with a fragment', ask('/a#b')),
  plain('a target without a path', head('GET ?a HTTP/1.1', 'Host: a'), { plain: false }),
  plain('an empty host', head('GET / HTTP/1.1', 'Host:')),
  ...METHODS.map((method) => {
    const isCommon = COMMON.includes(method);
    const bytes = head(`${method} /a HTTP/1.1`, 'Host: a', 'Content-Length: 0') + ask('/b');
    return plain(`the method ${method}`, bytes, { plain: isCommon, few: !isCommon });
  }),
];
