'use strict';

// Header arrays as real responses have them, with values that differ on every call.

/** Names of common length, and values whose zeros are replaced by the digits of a counter. */
const fields = [
  ['Content-Type', 'text/html; charset=utf-8; v=00000000'],
  ['Cache-Control', 'public, max-age=00000000'],
  ['ETag', 'W/"4d2-18f00000000"'],
  ['Vary', 'Accept-Encoding, X-V00000000'],
  ['X-Request-Id', '9f1c7a52-4be0-4c1e-8d3a-b0ee00000000'],
  ['X-Response-Time', '00000000us'],
  ['Server', 'example/1.00000000'],
  ['Content-Language', 'en-00000000'],
  ['X-Frame-Options', 'SAMEORIGIN; 00000000'],
  ['X-Content-Type-Options', 'nosniff; 00000000'],
  ['Referrer-Policy', 'no-referrer, 00000000'],
  ['Strict-Transport-Security', 'max-age=00000000; includeSubDomains'],
  ['Access-Control-Allow-Origin', 'https://00000000.example.com'],
  ['Access-Control-Expose-Headers', 'X-Total-00000000'],
  ['Set-Cookie', 'sid=s%3Ab7a900000000; Path=/; HttpOnly; SameSite=Lax'],
  ['X-RateLimit-Limit', '00000000'],
  ['X-RateLimit-Remaining', '00000000'],
  ['X-RateLimit-Reset', '00000000'],
  ['Last-Modified', 'Tue, 05 Mar 2024 00000000 GMT'],
  ['X-Powered-By', 'node 00000000'],
];

const digits = 8;
const templates = fields.map(([name, value]) => ({
  name,
  bytes: Buffer.from(value, 'latin1'),
  offset: value.indexOf('0'.repeat(digits)),
}));

let counter = 0;

/**
 * @param {number} count of fields
 * @returns {string[]} name, value, name, value, …; the values are flat strings that were never read
 */
function freshHeaders(count) {
  const headers = [];
  for (let i = 0; i < count; i++) {
    const { name, bytes, offset } = templates[i % templates.length];
    counter = (counter + 1) % 10 ** digits;
    let rest = counter;
    for (let at = offset + digits - 1; at >= offset; at--) {
      bytes[at] = 0x30 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    // From bytes, because a concatenated string would be a rope, and the first reader would pay for joining it.
    headers.push(name, bytes.toString('latin1'));
  }
  return headers;
}

module.exports = { freshHeaders };
