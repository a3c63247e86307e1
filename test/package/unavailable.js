'use strict';

// What a program sees when the addon does not load; it must get this far on stock Node code.

const exchange = require('./exchange.js');

const warnings = [];
process.on('warning', ({ code, message }) => warnings.push({ code, message }));

const { buildHttpMessage, install, stats, uninstall } = require('onewrite');

function attempt() {
  try {
    buildHttpMessage(200, [], 'x');
    return null;
  } catch (error) {
    return { isError: error instanceof Error, code: error.code, message: error.message };
  }
}

async function main() {
  const reports = [install(), install({ responses: true })];
  const errors = [attempt(), attempt()];
  const answer = await exchange();
  const counted = stats();
  uninstall();
  console.log(JSON.stringify({ reports, errors, answer, stats: counted, warnings }));
}

main();
