'use strict';

const { Duplex } = require('node:stream');

/**
 * Two streams of which each reads what the other writes.
 * @param {import('node:stream').DuplexOptions} [options]
 * @returns {Duplex[]}
 */
function duplexPair(options) {
  const make = () =>
    new Duplex({
      ...options,
      read() {},
      write(chunk, _encoding, done) {
        this.other.push(chunk);
        setImmediate(done);
      },
      final(done) {
        this.other.push(null);
        done();
      },
    });
  const pair = [make(), make()];
  pair[0].other = pair[1];
  pair[1].other = pair[0];
  return pair;
}

module.exports = { duplexPair };
