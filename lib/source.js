'use strict';

/**
 * The text of a function, by which Node's own are told from those that a
 * program has put in their place.
 * @param {unknown} value
 * @returns {string} empty for what is no function
 */
function sourceOf(value) {
  return typeof value === 'function' ? Function.prototype.toString.call(value) : '';
}

/**
 * Whether a function is no JavaScript.
 * @param {unknown} value
 * @param {string} name
 */
function isNative(value, name) {
  return sourceOf(value) === `function ${name}() { [native code] }`;
}

module.exports = { sourceOf, isNative };
