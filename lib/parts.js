'use strict';

// Which parts are on, and the reports of install().

const { askedParts, isDebugging } = require('./environment');
const engine = require('./engine');
const errors = require('./errors');
const responses = require('./responses');
const teardown = require('./teardown');

/**
 * The parts, by name: `unavailable()`, `enable()` and `disable()` each. One that
 * `standsAside()` is off because the program is as it is; nobody is warned of that.
 */
const PARTS = { responses, teardown, engine };

const on = new Set();
const warned = new Set();

/** What the last install() reported. */
let last = null;

function warnOnce(code, message) {
  if (warned.has(code)) return;
  warned.add(code);
  process.emitWarning(message, { code });
}

/** Says when ONEWRITE asks for what is no part. */
function warnOfUnknown(asked) {
  const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length === 0) return;
  const known = Object.keys(PARTS).join(', ');
  const message = `ONEWRITE=${process.env.ONEWRITE} has no part ${unknown}; parts: ${known}`;
  warnOnce('ONEWRITE_UNKNOWN_PART', message);
}

/** Why a part was not asked for, null when it was. */
function unwanted(name, options, asked) {
  if (asked !== null) return asked.includes(name) ? null : `ONEWRITE=${process.env.ONEWRITE}`;
  return options[name] === false ? 'not asked for' : null;
}

/** @returns {string | null} why the part could not be switched on */
function enable(part) {
  try {
    part.enable();
    return null;
  } catch (error) {
    part.disable();
    return error.message;
  }
}

/** Switches parts on: see index.d.ts. */
function install(options = {}) {
  if (options === null || typeof options !== 'object') {
    throw errors.invalidArgType('options', 'of type object', options);
  }
  const asked = askedParts();
  if (asked !== null) warnOfUnknown(asked);
  const parts = {};
  const unavailable = [];
  for (const [name, part] of Object.entries(PARTS)) {
    let reason = on.has(name) ? null : unwanted(name, options, asked);
    if (reason === null && !on.has(name)) {
      const problem = part.unavailable();
      reason = problem ?? part.standsAside?.() ?? null;
      const failure = reason === null ? enable(part) : problem;
      if (failure !== null) unavailable.push(`${name}: ${failure}`);
      reason ??= failure;
      if (reason === null) on.add(name);
    }
    parts[name] = { on: reason === null, reason };
  }
  if (unavailable.length > 0) {
    const message = `onewrite leaves this program on Node's own code (${unavailable.join('; ')})`;
    warnOnce('ONEWRITE_UNAVAILABLE', message);
  }
  if (isDebugging()) require('./debug').sayOff(parts);
  last = { parts };
  return last;
}

/** What install() reported last, null before; for the command line, which must not switch anything on. */
function report() {
  return last;
}

/** Switches all parts off: see index.d.ts. */
function uninstall() {
  for (const name of on) PARTS[name].disable();
  on.clear();
}

module.exports = { install, uninstall, report, names: Object.keys(PARTS) };
