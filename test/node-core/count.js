'use strict';

// Preloaded into the tests, behind the package or, on stock Node, alone. At the
// end of each process and worker it appends the counters of the package to the
// file that the environment names. It opens no handle and prints nothing.

const { appendFileSync } = require('node:fs');

// Taken now, for tests replace both.
const { stringify } = JSON;
const file = process.env.ONEWRITE_NODE_CORE_COUNTERS;

process.on('exit', () => {
  if (file === undefined) return;
  try {
    // Where all copies of the package in a process have their one face.
    const shared = require('node:http').ServerResponse[Symbol.for('onewrite.shared')];
    if (shared !== undefined) appendFileSync(file, `${stringify(shared.stats())}\n`);
  } catch {
    // Under the permission model nothing can be written, and nothing is counted.
  }
});
