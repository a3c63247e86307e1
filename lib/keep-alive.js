'use strict';

// The keep-alive timer of a connection. Node makes one when a response has
// finished and clears it when the next request comes. Here it is left running
// meanwhile and held back, and started anew after the next response.

const timeouts = require('./internals/timeouts');

const { stock } = timeouts;

/**
 * Milliseconds of the timer that runs for a socket; negative while it is held
 * back, 0 when Node alone has to do with it.
 */
const kKept = Symbol('onewrite.kept');

/** Stands in for `net.Socket.prototype.setTimeout`. */
function setTimeout(msecs, callback) {
  const kept = this[kKept] ?? 0;
  if (callback === undefined && kept > 0 && msecs === 0) {
    this[kKept] = -kept;
    this.timeout = 0;
    return this;
  }
  const keeps = callback === undefined && msecs > 0 && timeouts.isKeptAlive(this, hooks);
  if (keeps && kept === -msecs) {
    this[kKept] = msecs;
    this.timeout = msecs;
    timeouts.restart(this);
    return this;
  }
  if (kept !== 0) this[kKept] = 0;
  const result = Reflect.apply(stock.setTimeout, this, arguments);
  if (keeps) this[kKept] = msecs;
  return result;
}

/** Stands in for `net.Socket.prototype._onTimeout`. */
function onTimeout() {
  const kept = this[kKept] ?? 0;
  if (kept !== 0) this[kKept] = 0;
  // Held back: there has been none since the request came.
  if (kept < 0) stock.setTimeout.call(this, 0);
  else stock.onTimeout.call(this);
}

/**
 * Stands in for `net.Socket.prototype._unrefTimer`, which starts the timer anew
 * on activity.
 */
function unrefTimer() {
  if (this[kKept] < 0) return;
  stock.unrefTimer.call(this);
}

const hooks = { setTimeout, onTimeout, unrefTimer };

module.exports = {
  missing: timeouts.missing,
  enable: () => timeouts.patch(hooks),
  disable: () => timeouts.unpatch(hooks),
};
