'use strict';

// Where Node keeps the async context of a resource that code is run in, and the
// context that is current.

const { AsyncResource } = require('node:async_hooks');
const early = require('./early');

/**
 * The keys of the async id, of the id that triggered it, and of the frame of
 * async context, which is undefined where there are no frames.
 */
const places = (() => {
  const { resource } = early;
  const symbols = Object.getOwnPropertySymbols(resource);
  const id = symbols.find((symbol) => resource[symbol] === resource.asyncId());
  const trigger = symbols.find((symbol) => resource[symbol] === resource.triggerAsyncId());
  return { id, trigger, frame: symbols.find((symbol) => symbol !== id && symbol !== trigger) };
})();

let seen;

/** Its constructor is left as soon as it has the frame: no resource is made, no async id taken. */
class Glance extends AsyncResource {}

if (places.frame !== undefined) {
  Object.defineProperty(Glance.prototype, places.frame, {
    __proto__: null,
    set(frame) {
      seen = frame;
      throw seen;
    },
  });
}

/** The frame of async context that is current. */
function current() {
  if (places.frame === undefined) return undefined;
  try {
    new Glance('onewrite');
  } catch {
    // As meant.
  }
  const frame = seen;
  seen = undefined;
  return frame;
}

module.exports = { places, current };
