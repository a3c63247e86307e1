'use strict';

// Async hooks of the program that hear of each callback, of which the engine
// makes fewer. Loaded as early as the package is, to see them enabled.

const { createHook } = require('node:async_hooks');
const { Places } = require('./places');

const AsyncHook = Object.getPrototypeOf(createHook({}));

/** Where a hook has its functions. */
const HEARING = Object.getOwnPropertySymbols(createHook({})).filter(({ description }) =>
  /before|after/.test(description),
);

/** Those that are enabled and hear of callbacks. @type {Set<object>} */
const enabled = new Set();

const stock = {};

/** Stands in for `AsyncHook.prototype.enable`. */
function enable() {
  if (HEARING.some((symbol) => this[symbol] !== undefined)) enabled.add(this);
  return stock.enable.call(this);
}

/** Stands in for `AsyncHook.prototype.disable`. */
function disable() {
  enabled.delete(this);
  return stock.disable.call(this);
}

// For good: what is enabled while the part is off must be known when it is on again.
new Places(stock, [
  { hook: 'enable', target: AsyncHook, name: 'enable', own: true },
  { hook: 'disable', target: AsyncHook, name: 'disable', own: true },
]).patch({ enable, disable });

module.exports = { enabled };
