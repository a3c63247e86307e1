'use strict';

// The keep-alive timer of a connection. Node makes one when a response has
// finished and clears it when the next request comes. Here it is held back
// meanwhile, and let go after the next response.

const early = require('./internals/early');
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

/** Whether a timeout set on a socket runs no code of the program. */
function isPlain(socket) {
  return socket.setTimeout === setTimeout || socket.setTimeout === early.socket.setTimeout;
}

function enable() {
  if (timeouts.isKnown()) timeouts.places.patch(hooks);
}

module.exports = { isPlain, enable, disable: () => timeouts.places.unpatch(hooks) };
