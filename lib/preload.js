'use strict';

// Preloading must not load `node:http`: it takes its parser from the binding
// when it is loaded, and a program may put another one there before. So the
// parts wait for the first connection that a server of the program accepts. By
// then it has loaded what it serves with, and no response has been made.

// Looked at now, as Node made them, and loaded while the files are there.
require('./internals/hooks');
require('./internals/scopes');
require('./internals/sockets');
require('./clock');
require('./head');
require('./stats');

const { subscribe, unsubscribe } = require('node:diagnostics_channel');

const ACCEPTED = 'net.server.socket';

/** Whether `node:http` is loaded in this process. */
function hasHttp() {
  return process.moduleLoadList.includes('NativeModule _http_server');
}

/**
 * Calls `install` once the program serves with `node:http`, with the message of
 * the first connection if there is one.
 * @param {(accepted?: { socket: import('node:net').Socket }) => void} install
 */
function whenServing(install) {
  if (hasHttp()) {
    install();
    return;
  }
  // Scanned again only when something was loaded since.
  let loaded = process.moduleLoadList.length;
  subscribe(ACCEPTED, function accepted(message) {
    if (process.moduleLoadList.length === loaded) return;
    loaded = process.moduleLoadList.length;
    if (!hasHttp()) return;
    // Not while the channel goes through its subscribers.
    process.nextTick(unsubscribe, ACCEPTED, accepted);
    install(message);
  });
}

module.exports = { whenServing };
