'use strict';

// Headers whose reading runs code of the program: accessors and proxies. Node
// reads each once, and so must a hand-back after some of them were read.

const { isProxy } = require('node:util').types;

/** Whether reading `headers`, the argument of writeHead(), may run code of the program. */
function runsCode(headers) {
  if (isProxy(headers)) return true;
  for (const key of Object.keys(headers)) {
    const { value, get } = Object.getOwnPropertyDescriptor(headers, key);
    if (get !== undefined || (Array.isArray(value) && runsCode(value))) return true;
  }
  return false;
}

/**
 * Headers for Node to read after some were read: those as they were, the rest
 * when Node comes to it.
 * @param {unknown[]} read name and value in turn
 * @param {number} from how many names, pairs or names and values of `headers` were read
 * @param {object | unknown[]} headers object, flat array or array of pairs
 * @param {boolean} pairs whether it is an array of pairs
 * @returns {unknown[]} a flat array
 */
function withRest(read, from, headers, pairs) {
  const list = [...read];
  const later = (get) =>
    Object.defineProperty(list, list.length, { __proto__: null, enumerable: true, get });
  if (!Array.isArray(headers)) {
    for (const key of Object.keys(headers).slice(from)) {
      list.push(key);
      later(() => headers[key]);
    }
  } else if (pairs) {
    for (let i = from; i < headers.length; i++) {
      let entry;
      later(() => (entry = headers[i])[0]);
      later(() => entry[1]);
    }
  } else {
    for (let i = from; i < headers.length; i++) later(() => headers[i]);
  }
  return list;
}

module.exports = { runsCode, withRest };
