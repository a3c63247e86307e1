'use strict';

// What middleware does to a response: methods that are replaced on the instance, and listeners.

const { act } = require('./steps');

const WRAPPED = [
  'writeHead',
  'end',
  'write',
  'setHeader',
  '_implicitHeader',
  '_send',
  '_writeRaw',
  'flushHeaders',
];

/** What a wrapper does before it calls what it wraps. */
const EXTRAS = {
  nothing: () => {},
  'sets a field': (res) => {
    if (!res.headersSent) res.setHeader('X-Wrapped', '1');
  },
  'looks at the head': (res, note) => note('head', [res._header, res.headersSent]),
  'sends the head': (res) => {
    if (!res.headersSent) res.writeHead(201, { 'X-Wrapped': '1' });
  },
  'flushes the head': (res) => {
    if (!res.headersSent) res.flushHeaders();
  },
  'writes once': once((res) => res.write('written by the wrapper')),
  'ends once': once((res) => res.end('ended by the wrapper')),
  'throws once': once(() => {
    throw Object.assign(new Error('thrown'), { code: 'THROWN' });
  }),
};

function once(action) {
  const done = new WeakSet();
  return (res) => {
    if (done.has(res)) return;
    done.add(res);
    action(res);
  };
}

/** Middleware that replaces a method on the instance. */
function wrapped(random) {
  const method = random.pick(WRAPPED);
  let extra = random.pick(Object.keys(EXTRAS));
  // Node then finishes such a response twice, and the second time an assertion of its own fails.
  if (extra === 'ends once' && method.startsWith('_') && !random.alone) extra = 'nothing';
  return act(`res.${method} is wrapped: first ${extra}`, (res, note) => {
    const inner = res[method];
    let inside = false;
    res[method] = function (...args) {
      note('wrapper of', method);
      if (!inside) {
        inside = true;
        try {
          EXTRAS[extra](this, note);
        } finally {
          inside = false;
        }
      }
      return inner.apply(this, args);
    };
  });
}

/** Middleware that replaces a method in the middle of end(), behind the head that it made. */
function wrappedLate(random) {
  const method = random.pick(['_send', '_writeRaw', '_finish', '_implicitHeader', 'write', 'end']);
  return act(`res.writeHead is wrapped: then wraps res.${method}`, (res, note) => {
    const { writeHead } = res;
    res.writeHead = function (...args) {
      const result = writeHead.apply(this, args);
      const inner = this[method];
      this[method] = function (...given) {
        note('late wrapper of', method);
        return inner.apply(this, given);
      };
      return result;
    };
  });
}

/** Does it, and notes an error that would otherwise be nobody's. */
function attempt(label, note, action) {
  try {
    action();
  } catch (error) {
    note(label, error.code);
  }
}

const LISTENERS = {
  throws: (res, note) => {
    throw Object.assign(new Error('thrown'), { code: 'THROWN', note });
  },
  'ends again': (res, note) => attempt('ending again', note, () => res.end('again')),
  'writes again': (res, note) => attempt('writing again', note, () => res.write('again')),
  'looks at the head': (res, note) => note('head', [res._header, res._headerSent]),
  'sets a field': (res, note) => attempt('late field', note, () => res.setHeader('X-Late', '1')),
};

function listener(random) {
  const event = random.pick(['prefinish', 'finish', 'close']);
  let what = random.pick(Object.keys(LISTENERS));
  // Only prefinish comes in the middle of end(), whose caller then gets the error.
  const caught = event === 'prefinish' && !random.pipelined;
  if (what === 'throws' && !caught && !random.alone) what = 'looks at the head';
  return act(`a listener of ${event} ${what}`, (res, note) => {
    res.once(event, () => LISTENERS[what](res, note));
  });
}

module.exports = { listener, wrapped, wrappedLate };
