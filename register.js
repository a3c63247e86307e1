'use strict';

const { whenServing } = require('./lib/preload');

function install() {
  try {
    require('./index.js').install();
  } catch (error) {
    // The program has run without the package so far, and goes on so.
    process.emitWarning(`onewrite leaves this program on Node's own code: ${error.message}`, {
      code: 'ONEWRITE_UNAVAILABLE',
    });
  }
}

if (process.env.ONEWRITE !== 'off') whenServing(install);
