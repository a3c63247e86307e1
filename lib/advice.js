'use strict';

// What the user of a program could change about each reason of lib/stats.js.

/** @type {Readonly<Record<'responses' | 'teardown' | 'engine', Readonly<Record<string, string>>>>} */
module.exports = Object.freeze({
  responses: Object.freeze({
    forced: 'Unset ONEWRITE_FORCE.',
    head: 'Give field values as ASCII strings, numbers or arrays of those (encodeURIComponent() for others), and leave out Trailer.',
    encoding: "Encode the body first: end(Buffer.from(body, 'base64')).",
    trailers: 'Send as ordinary fields what is known before the body.',
    started:
      'Give a body that is at hand to a single end(); what streams, or is compressed on its way, has to go on as it does.',
    waiting: 'Nothing: the client sends requests before it has the answers to those before.',
    'no-socket': 'Nothing, if the response is meant to have no connection, as in a test.',
    socket:
      'Have a proxy end TLS, or look for a package that patches sockets; a busy socket is no fault.',
    overridden:
      'Look for a package that replaces _send(), _writeRaw(), _finish() or _implicitHeader() of responses; one that replaces end(), write() or writeHead() is no reason.',
    large: 'Nothing: there is little to gain for a large body.',
    short: 'Nothing: the client reads more slowly than the server answers.',
  }),
  teardown: Object.freeze({
    touched: 'Nothing, if the handler reads or pauses its requests.',
    heard:
      "Look for listeners of 'finish' and 'close' on responses and of 'end' and 'close' on requests, as those of loggers and tracers; put them on the routes that need them.",
    connection: 'Nothing: the client pipelines, or ends its connection.',
    overridden: 'Look for a package that replaces emit() of responses or setTimeout() of sockets.',
    scheduled: 'Nothing: the program called process.nextTick() as the response finished.',
  }),
  engine: Object.freeze({
    partial: 'Nothing: large uploads and slow clients come in several reads.',
    large: 'Have the client send fewer and shorter fields, such as cookies.',
    method: 'Nothing: Node answers CONNECT and unknown methods.',
    target: 'Have the client send a path that begins with a slash.',
    version:
      'Have the client, or the proxy in front, speak HTTP/1.1 (nginx: proxy_http_version 1.1).',
    field: 'Have the client send each field on a line of its own: Name: value.',
    framing: 'Have the client send one Content-Length, or Transfer-Encoding: chunked alone.',
    upgrade: 'Nothing: Node does the upgrade. A proxy in front should send Upgrade only for those.',
    expect: 'Have the client send no Expect: 100-continue, as curl does for large bodies.',
    connection: 'Have the client send Connection: keep-alive, or no such field.',
    chunk: 'Have the client send chunks without extensions.',
    trailers: 'Have the client send no trailers.',
    observed:
      'Look for a package that enables async_hooks with before() or after(), as some tracers do.',
  }),
});
