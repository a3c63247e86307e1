'use strict';

// The keep-alive timer of a connection. Node makes one when a response has
// finished and clears it when the next request comes. Here it is held back
// meanwhile, and let go after the next response.

const timeouts = require('./internals/timeouts');

const { stock } = timeouts;

/** Stands in for `net.Socket.prototype.setTimeout`. */
function setTimeout(msecs, callback) {
  if (callback === undefined && !this.destroyed) {
    if (Object.is(msecs, 0) ? timeouts.hold(this) : timeouts.release(this, msecs)) {
      this.timeout = msecs;
      return this;
    }
  }
  return Reflect.apply(stock.setTimeout, this, arguments);
}

/** Stands in for `net.Socket.prototype._unrefTimer`: activity, which starts the timer anew. */
function unrefTimer() {
  if (!timeouts.isHeld(this)) stock.unrefTimer.call(this);
}

const hooks = { setTimeout, unrefTimer };

/** Whether a timeout set on a socket comes here, and nowhere else before. */
function isOn(socket) {
  return socket.setTimeout === setTimeout || socket.setTimeout === stock.setTimeout;
}

function enable() {
  if (timeouts.isKnown()) timeouts.patch(hooks);
}

module.exports = { isOn, enable, disable: () => timeouts.unpatch(hooks) };
