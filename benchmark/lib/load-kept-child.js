'use strict';

// Drives one server over connections that stay open, for as many seconds as
// each message over IPC says. All answers must be as long as the first one.

const net = require('node:net');

const { request, port, connections } = JSON.parse(process.argv[2]);

process.once('disconnect', () => process.exit());

function requestBytes() {
  const { method, path, headers, body, pipelining } = request;
  const fields = { Host: `127.0.0.1:${port}`, ...headers };
  if (body !== '') fields['Content-Length'] = Buffer.byteLength(body);
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
  return { one: Buffer.from(text), batch: Buffer.from(text.repeat(pipelining)) };
}

/** @param {Buffer} bytes @returns {number} length of the answer they begin with; 0 when it is not whole */
function answerLength(bytes) {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return 0;
  const head = text.slice(0, end + 2);
  const length = /^content-length: *(\d+)\r\n/im.exec(head);
  if (length) {
    const whole = end + 4 + Number(length[1]);
    return bytes.length >= whole ? whole : 0;
  }
  if (/^transfer-encoding: *chunked\r\n/im.test(head)) {
    return text.endsWith('\r\n0\r\n\r\n') ? bytes.length : 0;
  }
  throw new Error(`an answer of unknown length: ${head}`);
}

const ok = Buffer.from('HTTP/1.1 2');
const { one, batch } = requestBytes();

/** Asks once and returns how long the answer is. */
function measureAnswer() {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const socket = net.connect(port, '127.0.0.1', () => socket.write(one));
    socket.on('error', reject).on('data', (data) => {
      bytes = Buffer.concat([bytes, data]);
      const length = answerLength(bytes);
      if (length === 0) return;
      socket.destroy();
      if (bytes.length !== length) reject(new Error('more bytes than one answer'));
      else resolve(length);
    });
  });
}

let answers = 0;
let busy = 0;
let deadline = 0;
let idle = () => {};

/** @param {number} size bytes of the answers to one batch */
function connect(size) {
  let missing = 0;
  const onread = {
    buffer: Buffer.allocUnsafe(64 * 1024),
    callback(count, buffer) {
      if (missing === size && ok.compare(buffer, 0, Math.min(count, ok.length)) !== 0) {
        throw new Error(`a failed request: ${buffer.toString('latin1', 0, 40)}`);
      }
      missing -= count;
      if (missing > 0) return true;
      if (missing < 0) throw new Error('answers differ in length');
      answers += request.pipelining;
      if (performance.now() < deadline) send();
      else if (--busy === 0) idle();
      return true;
    },
  };
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true, onread });
  socket.on('close', () => {
    throw new Error('the server closed a connection');
  });
  function send() {
    missing = size;
    socket.write(batch);
  }
  return send;
}

(async () => {
  const size = (await measureAnswer()) * request.pipelining;
  const sends = Array.from({ length: connections }, () => connect(size));
  process.on('message', (/** @type {number} */ duration) => {
    const start = performance.now();
    answers = 0;
    busy = connections;
    deadline = start + duration * 1000;
    idle = () => {
      const seconds = (performance.now() - start) / 1000;
      process.send({ requests: answers, seconds, errors: {} });
    };
    for (const send of sends) send();
  });
})();
