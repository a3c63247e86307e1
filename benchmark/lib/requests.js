'use strict';

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} path
 * @property {{ [name: string]: string }} headers
 * @property {string} body ASCII text
 */

/** @type {Request} */
const plain = { method: 'GET', path: '/', headers: {}, body: '' };

/**
 * @param {import('./compare').Workload} workload
 * @param {object} options the workload's
 * @returns {Request[]} what it sends in turn
 */
function requestsOf(workload, options) {
  return [workload.request(options)].flat().map((request) => ({ ...plain, ...request }));
}

module.exports = { requestsOf };
