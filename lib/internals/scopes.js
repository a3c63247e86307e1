'use strict';

// Async contexts that code is run in: those of a connection's requests, and of its
// handle. Node keeps them at resources, under keys of its own.

const {
  AsyncResource,
  executionAsyncId,
  executionAsyncResource,
  triggerAsyncId,
} = require('node:async_hooks');
const early = require('./early');
const hooks = require('./hooks');

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

/**
 * Sees the frame that its constructor was about to keep. Where a hook would hear of
 * the resource, the constructor is left at once; that takes thirty times as long.
 */
class Glance extends AsyncResource {}
const UNHEARD = { requireManualDestroy: true };

if (places.frame !== undefined) {
  Object.defineProperty(Glance.prototype, places.frame, {
    __proto__: null,
    set(frame) {
      seen = frame;
      if (hooks.counting.size > 0) throw seen;
    },
  });
}

/** The frame of async context that is current. */
function current() {
  if (places.frame === undefined) return undefined;
  try {
    new Glance('onewrite', UNHEARD);
  } catch {
    // As meant.
  }
  const frame = seen;
  seen = undefined;
  return frame;
}

/**
 * Has `run` find a context at a resource. Fields that do not show would take a
 * hundred times as long.
 */
function place(resource, id, trigger, frame) {
  resource[places.id] = id;
  resource[places.trigger] = trigger;
  if (places.frame !== undefined) resource[places.frame] = frame;
}

/** The resource that is current, for code to be run in its context later. */
function here() {
  const resource = executionAsyncResource();
  place(resource, executionAsyncId(), triggerAsyncId(), current());
  return resource;
}

/** The handle of a connection, likewise. */
function ofHandle({ handle, socket }) {
  if (handle[places.id] === undefined) {
    const server = socket._server?._handle?.getAsyncId?.() ?? 0;
    place(handle, handle.getAsyncId(), server, undefined);
  }
  return handle;
}

/** Calls `action` in the async context of a resource of `here()` or `ofHandle()`. */
function run(resource, action) {
  early.runInAsyncScope.call(resource, action);
}

module.exports = { here, ofHandle, run };
