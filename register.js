'use strict';

const { askedParts } = require('./lib/environment');

function install(accepted) {
  try {
    require('./index.js').install();
    // This connection came before the part was on.
    if (accepted !== undefined) require('./lib/engine').accepted(accepted);
  } catch (error) {
    // The program has run without the package so far, and goes on so.
    process.emitWarning(`onewrite leaves this program on Node's own code: ${error.message}`, {
      code: 'ONEWRITE_UNAVAILABLE',
    });
  }
}

// Switched off, a preload loads nothing.
if (askedParts()?.length !== 0) require('./lib/preload').whenServing(install);
