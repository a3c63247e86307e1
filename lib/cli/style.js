'use strict';

// Colours, on a terminal that wants them (https://no-color.org).

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };

/**
 * @param {NodeJS.WriteStream} stream where the text goes
 * @returns {Record<keyof typeof CODES, (text: string) => string>}
 */
function styleFor(stream) {
  const colours = stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  const paint = (code) => (text) => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);
  return /** @type {any} */ (
    Object.fromEntries(Object.entries(CODES).map(([name, code]) => [name, paint(code)]))
  );
}

module.exports = { styleFor };
