'use strict';

// The steps that cases are made of.
//
// A step is `{ text, run(res, note) }`: a description for whoever reads a failure, and what it
// does. `note(label, value)` puts something into the transcript. A step with `wait` has the rest of
// the steps taken later.

const { inspect } = require('node:util');

/** Stands for an argument that is a callback of its own. */
const CALLBACK = { [inspect.custom]: () => '<callback>' };

const show = (value) =>
  inspect(value, { depth: 4, maxStringLength: 100, maxArrayLength: 12, breakLength: 1e4 });

function callbackFor(method, note) {
  return (error) => note(`${method} callback`, error?.code ?? 'no error');
}

/** Calls a method of the response. */
function call(method, ...args) {
  return {
    // As it is when it is read: few steps are.
    get text() {
      return `res.${method}(${args.map(show).join(', ')})`;
    },
    run: (res, note) =>
      res[method](...args.map((arg) => (arg === CALLBACK ? callbackFor(method, note) : arg))),
  };
}

/** Sets a property of the response. */
function set(name, value) {
  return {
    get text() {
      return `res.${name} = ${show(value)}`;
    },
    run: (res) => {
      res[name] = value;
    },
  };
}

/** Anything else. */
const act = (text, run) => ({ text, run });

module.exports = { CALLBACK, act, call, set, show };
