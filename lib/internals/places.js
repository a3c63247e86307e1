'use strict';

/**
 * @typedef {object} Place where a hook is put
 * @property {string} hook name of the hook, and of Node's function in `stock`
 * @property {object} target
 * @property {string} name property of `target`
 * @property {boolean} own whether Node defines it there, and not on a prototype of `target`
 */

/** The places of a part's hooks, and which of them are taken. */
class Places {
  #places;
  #stock;
  /** @type {Set<Place>} */
  #patched = new Set();

  /**
   * @param {Record<string, Function>} stock gets the functions that were there just before
   * @param {Place[]} places
   */
  constructor(stock, places) {
    this.#stock = stock;
    this.#places = places;
  }

  /**
   * Puts the hooks in place. A hook that is in place still, beneath somebody's
   * wrapper, is left as it is.
   * @param {Record<string, Function>} hooks
   */
  patch(hooks) {
    // Asked for each connection by some.
    if (this.#patched.size === this.#places.length) return;
    for (const place of this.#places) {
      if (this.#patched.has(place)) continue;
      const { hook, target, name } = place;
      this.#stock[hook] = target[name];
      const { name: stockName } = this.#stock[hook];
      Object.defineProperty(hooks[hook], 'name', { __proto__: null, value: stockName });
      target[name] = hooks[hook];
      this.#patched.add(place);
    }
  }

  /**
   * Takes away the hooks that are in place and restores what was there. A hook
   * that somebody wrapped stays beneath the wrapper.
   * @param {Record<string, Function>} hooks
   */
  unpatch(hooks) {
    for (const place of this.#patched) {
      const { hook, target, name, own } = place;
      if (target[name] !== hooks[hook]) continue;
      if (own) target[name] = this.#stock[hook];
      else delete target[name];
      this.#patched.delete(place);
    }
  }
}

module.exports = { Places };
