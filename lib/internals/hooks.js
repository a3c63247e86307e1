'use strict';

// Async hooks of the program: those that hear of each callback, of which the engine
// makes fewer, and those that hear of each resource. Loaded as early as the package is, to see them enabled.

const { createHook } = require('node:async_hooks');
const { Places } = require('./places');

const AsyncHook = Object.getPrototypeOf(createHook({}));

/** Where a hook has its functions. @param {RegExp} names */
const placesOf = (names) =>
  Object.getOwnPropertySymbols(createHook({})).filter(({ description }) => names.test(description));
const HEARING = placesOf(/before|after/);
const COUNTING = placesOf(/init/);

/** Those that are enabled and hear of callbacks. @type {Set<object>} */
const enabled = new Set();
/** Those that are enabled and hear of resources. @type {Set<object>} */
const counting = new Set();

const stock = {};

/** Stands in for `AsyncHook.prototype.enable`. */
function enable() {
  if (HEARING.some((symbol) => this[symbol] !== undefined)) enabled.add(this);
  if (COUNTING.some((symbol) => this[symbol] !== undefined)) counting.add(this);
  return stock.enable.call(this);
}

/** Stands in for `AsyncHook.prototype.disable`. */
function disable() {
  enabled.delete(this);
  counting.delete(this);
  return stock.disable.call(this);
}

// For good: what is enabled while the part is off must be known when it is on again.
new Places(stock, [
  { hook: 'enable', target: AsyncHook, name: 'enable', own: true },
  { hook: 'disable', target: AsyncHook, name: 'disable', own: true },
]).patch({ enable, disable });

module.exports = { enabled, counting };
