'use strict';

// Where two transcripts part.

const { isDeepStrictEqual } = require('node:util');

/** What is shown of a value. */
const SHOWN = 600;

function show(value) {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text;
}

const isObject = (value) => typeof value === 'object' && value !== null;

/**
 * @param {unknown} stock
 * @param {unknown} own
 * @param {string} at the path of both
 * @returns {string[]} a line for each place, as deep as it is
 */
function differences(stock, own, at = '') {
  if (isDeepStrictEqual(stock, own)) return [];
  if (isObject(stock) && isObject(own) && Array.isArray(stock) === Array.isArray(own)) {
    const keys = new Set([...Object.keys(stock), ...Object.keys(own)]);
    return [...keys].flatMap((key) => differences(stock[key], own[key], `${at}/${key}`));
  }
  return [`${at}\n    stock     ${show(stock)}\n    preloaded ${show(own)}`];
}

module.exports = { differences };
