'use strict';

// ONEWRITE_DEBUG=1: each distinct reason for a hand-back is said once, on
// stderr. Only then are the counters accessors; otherwise a hand-back costs
// what it does without this file.
//
// Written at once and past process.stderr: a warning of the process, or a
// stream, would schedule ticks in the middle of a response, and the program
// would run in another order for being looked at.

const { writeSync } = require('node:fs');
const advice = require('./advice');

const STDERR = 2;

/** @returns {boolean} whether it was said; a stderr that takes nothing now, or is closed, is no reason to fail */
function say(text) {
  try {
    writeSync(STDERR, `onewrite: ${text}\n`);
    return true;
  } catch {
    return false;
  }
}

/**
 * Has the counters of a part say each reason when it occurs for the first time.
 * @param {'responses' | 'teardown' | 'engine'} part
 * @param {Record<string, number>} handedBack
 * @param {Readonly<Record<string, string>>} reasons
 */
function watch(part, handedBack, reasons) {
  for (const [reason, cause] of Object.entries(reasons)) {
    let count = handedBack[reason];
    let said = false;
    Object.defineProperty(handedBack, reason, {
      __proto__: null,
      enumerable: true,
      get: () => count,
      set(value) {
        count = value;
        if (!said)
          said = say(`${part} hands back to Node (${reason}): ${cause}. ${advice[part][reason]}`);
      },
    });
  }
}

const saidOff = new Set();

/**
 * Says which parts are off, and why.
 * @param {Record<string, { on: boolean, reason: string | null }>} parts
 */
function sayOff(parts) {
  for (const [name, { on, reason }] of Object.entries(parts)) {
    const text = `${name} is off: ${reason}`;
    if (!on && !saidOff.has(text) && say(text)) saidOff.add(text);
  }
}

module.exports = { watch, sayOff };
