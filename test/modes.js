'use strict';

// The ways in which the tests run a program that must not be able to tell them apart.

const path = require('node:path');
const { names } = require('../lib/parts');

const REGISTER = path.join(__dirname, '..', 'register.js');

/** @typedef {{ args: string[], env: Record<string, string>, native: boolean }} Mode how a program is run, and whether the engine is on */

/** Whether this package has the part `engine`. */
const hasEngine = names.includes('engine');

/** @returns {Mode} the package preloaded, with these parts */
const preloaded = (parts) => ({
  args: ['-r', REGISTER],
  env: { ONEWRITE: parts },
  native: hasEngine && (parts === 'all' || parts.split(',').includes('engine')),
});

/** @type {Mode} the oracle */
const STOCK = { args: [], env: {}, native: false };

/** @type {Record<string, Mode>} what must be the same, by name */
const MODES = {
  'all parts': preloaded('all'),
  ...(hasEngine && { 'the engine alone': preloaded('engine') }),
};

/**
 * Why connections are not compared event by event here, false where they are: only of Linux it is known that bytes
 * written in one turn of the event loop are there in the next.
 */
const skip = process.platform !== 'linux' && 'what comes in a turn of the loop is known of Linux';

module.exports = { MODES, STOCK, preloaded, skip };
