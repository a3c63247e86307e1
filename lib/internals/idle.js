'use strict';

// A connection whose request is being dispatched is not idle, whatever Node's
// list of connections says: that the parser stands between two messages.

const http = require('node:http');
const { Places } = require('./places');

const stock = {};

const now = {
  /** The socket whose request is being dispatched. @type {import('node:net').Socket | null} */
  serving: null,
};

/** Stands in for `http.Server.prototype.closeIdleConnections`. */
function closeIdleConnections() {
  const { serving: socket } = now;
  if (socket === null) return Reflect.apply(stock.closeIdleConnections, this, arguments);
  const message = socket._httpMessage;
  // Node leaves connections alone that have an unfinished response.
  socket._httpMessage = { finished: false };
  try {
    return Reflect.apply(stock.closeIdleConnections, this, arguments);
  } finally {
    socket._httpMessage = message;
  }
}

const places = new Places(stock, [
  {
    hook: 'closeIdleConnections',
    target: http.Server.prototype,
    name: 'closeIdleConnections',
    own: true,
  },
]);

module.exports = { places, hooks: { closeIdleConnections }, now };
