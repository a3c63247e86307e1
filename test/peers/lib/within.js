'use strict';

// Bounded waiting: whatever the suite waits for has an end, and an error that says what it was.

/** Long enough for a busy machine, in ms; nothing that works takes a tenth of it. */
const PATIENCE = 60_000;

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {string | (() => string)} what is waited for, for the error
 * @param {number} [patience] in ms
 * @returns {Promise<T>}
 */
async function within(promise, what, patience = PATIENCE) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => {
      const words = typeof what === 'function' ? what() : what;
      reject(new Error(`not within ${patience / 1000} s: ${words}`));
    }, patience);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

module.exports = { PATIENCE, within };
