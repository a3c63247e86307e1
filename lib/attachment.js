'use strict';

// A response on its connection. Node adds a listener of 'close' to the socket
// for each response and removes it, by the way that listeners of any event go.
// Here it is put behind the one that is there, and taken away.

const attachments = require('./internals/attachments');

const { stock } = attachments;

/** Stands in for `ServerResponse.prototype.assignSocket`. */
function assignSocket(socket) {
  if (attachments.assign(this, socket)) return;
  stock.assignSocket.call(this, socket);
  attachments.learn(socket);
}

/** Stands in for `ServerResponse.prototype.detachSocket`. */
function detachSocket(socket) {
  if (!attachments.detach(this, socket)) stock.detachSocket.call(this, socket);
}

const hooks = { assignSocket, detachSocket };

module.exports = {
  enable: () => attachments.places.patch(hooks),
  disable: () => attachments.places.unpatch(hooks),
};
