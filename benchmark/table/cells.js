'use strict';

// What was measured: cells by `NODE ROW`, each with a summary of each server.

/** @param {Record<string, any>} cells @returns {string[]} the Nodes in them */
const majorsOf = (cells) => [...new Set(Object.keys(cells).map((key) => key.split(' ')[0]))].sort();

/** @param {any} cell @param {string} name @returns {any} the summary of a server, if there is one */
const serverOf = (cell, name) => cell?.servers.find((server) => server.name === name);

module.exports = { majorsOf, serverOf };
