'use strict';

// The reader of responses that drives a program under `onewrite bench`: it finds the end of each
// where Node's own client does, however the bytes come.

const assert = require('node:assert/strict');
const { randomBytes } = require('node:crypto');
const { once } = require('node:events');
const http = require('node:http');
const net = require('node:net');
const { setImmediate: turn } = require('node:timers/promises');
const { after, before, test } = require('node:test');

const { ResponseReader } = require('../lib/cli/response-reader');
const { Random } = require('./property/random');

const CASES = 300;
const seed = process.env.ONEWRITE_PROPERTY_SEED ?? randomBytes(4).toString('hex');

const INTERIM = ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'];

/** A body that looks like what frames one. */
function drawBody(random) {
  const piece = () => random.pick(['\r\n', '0', 'HTTP/1.1 200 OK', 'x', '\r\n\r\n', 'é', '5\r\n']);
  return Array.from({ length: random.pick([0, 1, 3, 40]) }, piece).join('');
}

function chunked(random, body) {
  let text = '';
  for (let at = 0; at < body.length; ) {
    const size = 1 + random.below(body.length - at);
    const digits = random.pick([size.toString(16), `0${size.toString(16).toUpperCase()}`]);
    text += `${digits}${random.pick(['', ';a=b'])}\r\n${body.slice(at, at + size)}\r\n`;
    at += size;
  }
  const trailers = random.pick(['', 'X-Sum: 1\r\n', 'A: b\r\nC: d\r\n']);
  return `${text}${random.pick(['0', '000'])}\r\n${trailers}\r\n`;
}

/** @returns {{ bytes: Buffer, ends: boolean }} a response, and whether its connection ends behind it */
function drawResponse(random) {
  const version = random.pick(['1.1', '1.1', '1.1', '1.0']);
  const status = random.pick([200, 200, 201, 204, 304, 404, 500]);
  const name = (text) => random.pick([text, text.toLowerCase(), text.toUpperCase()]);
  const space = () => random.pick([' ', '', '\t ']);
  const fields = ['Date: now', `X-Content-Length: 7`];
  const connection = random.pick([null, null, 'close', 'keep-alive', 'Keep-Alive', 'foo, close']);
  if (connection !== null) fields.push(`${name('Connection')}:${space()}${connection}`);
  let body = drawBody(random);
  let ends = false;
  if (status === 204 || status === 304) {
    body = '';
    if (status === 304) fields.push('Content-Length: 12');
  } else {
    const framing = random.pick(
      version === '1.1' ? ['length', 'chunked', 'close'] : ['length', 'close'],
    );
    ends = framing === 'close';
    if (framing === 'length') fields.push(`${name('Content-Length')}:${space()}${body.length}`);
    if (framing === 'chunked') {
      fields.push(
        `${name('Transfer-Encoding')}:${space()}${random.pick(['chunked', 'gzip, chunked'])}`,
      );
      body = chunked(random, body);
    }
  }
  const ordered = random.below(2) === 0 ? fields : fields.reverse();
  const interim = random.below(5) === 0 ? random.pick(INTERIM) : '';
  const line = `HTTP/${version} ${status}${random.pick([' OK', ' ', ' Some Reason'])}`;
  const text = `${interim}${line}\r\n${ordered.join('\r\n')}\r\n\r\n${body}`;
  return { bytes: Buffer.from(text, 'latin1'), ends };
}

let server;
let drawn;

before(async () => {
  server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {
      socket.write(drawn.bytes);
      if (drawn.ends) socket.end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

after(() => server.close());

/** What Node's own client makes of a response. */
async function askNode() {
  const agent = new http.Agent({ keepAlive: true });
  const [answer] = await once(http.get({ agent, port: server.address().port }), 'response');
  await once(answer.resume(), 'end');
  await turn();
  const persists = Object.values(agent.freeSockets).flat().length > 0;
  agent.destroy();
  return { status: answer.statusCode, persists };
}

/** Gives a reader the pieces, and checks that it sees the end behind the last byte, not before. */
function read(pieces, ends) {
  const seen = [];
  const reader = new ResponseReader((status, persists) => seen.push({ status, persists }));
  reader.expects = true;
  for (const piece of pieces) {
    assert.deepEqual(seen, [], 'the end comes before the last byte');
    // The reader is given one buffer again and again.
    const buffer = Buffer.from(piece);
    reader.read(buffer);
    buffer.fill(0);
  }
  if (ends) {
    assert.deepEqual(seen, [], 'the end comes before that of the connection');
    reader.end();
  }
  assert.equal(seen.length, 1);
  return seen[0];
}

function inPieces(random, bytes) {
  const pieces = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + random.below(1 + random.below(bytes.length - at));
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

test(`responses of seed ${seed} end where Node's client sees their end`, async () => {
  for (let i = 0; i < CASES; i++) {
    const random = new Random(`${seed} response ${i}`);
    drawn = drawResponse(random);
    const { bytes, ends } = drawn;
    const note = JSON.stringify(bytes.toString('latin1'));
    const expected = await askNode();
    assert.deepEqual(read([bytes], ends), expected, note);
    assert.deepEqual(
      read(
        [...bytes].map((byte) => Buffer.from([byte])),
        ends,
      ),
      expected,
      note,
    );
    assert.deepEqual(read(inPieces(random, bytes), ends), expected, note);
  }
});

test('a reader reads one response after the other', () => {
  const seen = [];
  const reader = new ResponseReader((status) => seen.push(status));
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
  for (let i = 1; i <= 3; i++) {
    reader.expects = true;
    reader.read(bytes);
    assert.equal(seen.length, i);
    assert.equal(reader.expects, false);
  }
});

for (const [what, text] of Object.entries({
  'no response': 'HELO\r\n\r\n',
  'a length that is none': 'HTTP/1.1 200 OK\r\nContent-Length: 2x\r\n\r\n',
  'two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n',
  'a chunk without a size': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxy\r\n',
  'an upgrade': 'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  'bytes behind the response': 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokay',
})) {
  test(`a reader refuses ${what}`, () => {
    const reader = new ResponseReader(() => assert.fail('taken for a response'));
    reader.expects = true;
    assert.throws(() => reader.read(Buffer.from(text)));
  });
}

test('a reader refuses what no request asked for, and an end in the middle', () => {
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no');
  const reader = new ResponseReader(() => assert.fail('taken for a response'));
  assert.throws(() => reader.read(bytes), /no request asked for/);
  reader.end();
  reader.expects = true;
  reader.read(bytes);
  assert.throws(() => reader.end(), /before its response/);
});
