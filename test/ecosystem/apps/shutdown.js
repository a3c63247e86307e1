'use strict';
// A server that is shut down gracefully while requests are under way.

const http = require('node:http');

/** @param {import('../child/toolbox').Toolbox} t @returns {{ server: http.Server, answer: () => void }} */
function busyServer(t) {
  const waiting = [];
  const server = http.createServer((req, res) => {
    t.log('handler', req.url);
    if (req.url !== '/slow') res.end('hello');
    else waiting.push(res);
  });
  // What was asked for at /slow first.
  const answer = () => {
    waiting.shift().end('at last');
  };
  return { server, answer };
}

/**
 * A connection that is idle and two with a request, at the moment when it begins.
 * @param {import('../conversation').Conversation} c
 * @param {string} [fields] of the requests that are under way
 */
async function occupy(c, fields = '') {
  const slow = `GET /slow HTTP/1.1\r\nHost: site.test\r\n${fields}\r\n`;
  const idle = await c.connect();
  await idle.get('/', 200);
  const busy = await c.connect();
  await busy.get('/', 200);
  await busy.send('asks for /slow', slow);
  const fresh = await c.connect();
  await fresh.send('asks for /slow first', slow);
  return { idle, busy, fresh };
}

/**
 * The slow answer comes, and the server closes behind it.
 * @param {string} [last] what the program notes then
 */
async function answered(c, connection, last) {
  const bytes = await connection.closes('the answer and the end', async () => {
    await c.request('answer');
    if (last) await c.until(last);
  });
  if (!bytes.includes('at last')) throw new Error(`no answer: ${JSON.stringify(bytes)}`);
}

module.exports = { answered, busyServer, occupy };
