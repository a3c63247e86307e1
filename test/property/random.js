'use strict';

// Random choices that a seed repeats.

/** A 32-bit hash of a text (FNV-1a), to seed by names. */
function hash(text) {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  }
  return value >>> 0;
}

class Random {
  #state;

  /** Nothing else is under way: whoever draws may draw what throws past every handler. */
  alone = false;
  /** Other requests go out in the same write. */
  pipelined = false;

  /** @param {string} seed any text; equal texts give equal choices */
  constructor(seed) {
    this.#state = hash(seed);
  }

  /** A number from 0 up to and without 1 (mulberry32). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 up to and without `limit`. */
  below(limit) {
    return Math.floor(this.next() * limit);
  }

  /** True once in `times`. */
  oneIn(times) {
    return this.below(times) === 0;
  }

  /** One of the choices. */
  pick(choices) {
    return choices[this.below(choices.length)];
  }

  /** One of the choices, each as often as its weight: `[[weight, choice], …]`. */
  weighted(choices) {
    let at = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      at -= weight;
      if (at < 0) return choice;
    }
    return choices[choices.length - 1][1];
  }

  /** So many values of `make`. */
  list(count, make) {
    return Array.from({ length: count }, make);
  }
}

module.exports = { Random };
