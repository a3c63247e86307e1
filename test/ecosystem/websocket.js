'use strict';
// The bytes of a WebSocket client (RFC 6455).

const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': 13,
  // The sample nonce of the RFC; what the server makes of it is the same in each run.
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};

const MASK = Buffer.from([1, 2, 3, 4]);

const OPCODES = { text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

/** A masked frame, one character a byte. @param {keyof OPCODES} kind @param {string} payload bytes */
function frame(kind, payload) {
  const bytes = Buffer.from(payload, 'latin1');
  const long = bytes.length > 125;
  const head = [0x80 | OPCODES[kind], 0x80 | (long ? 126 : bytes.length)];
  if (long) head.push(bytes.length >> 8, bytes.length & 255);
  const masked = bytes.map((byte, i) => byte ^ MASK[i % 4]);
  return Buffer.concat([Buffer.from(head), MASK, masked]).toString('latin1');
}

/** What a client sends to close: the status and a reason. */
const closing = (status, reason = '') =>
  frame('close', String.fromCharCode(status >> 8, status & 255) + reason);

module.exports = { UPGRADE, frame, closing };
