'use strict';

const { ServerResponse } = require('node:http');
const native = require('./lib/native');
const responses = require('./lib/responses');
const { buildHttpMessage } = require('./lib/message');
const stats = require('./lib/stats');

// What is patched is shared by all copies of the package in a process, so the
// first one that is loaded speaks for all.
const kShared = Symbol.for('onewrite.shared');

/** The parts, by name: `unavailable()`, `enable()` and `disable()` each. */
const PARTS = { responses };

const on = new Set();
let warned = false;

/** The parts that ONEWRITE asks for; null when it says nothing. */
function fromEnvironment() {
  const value = process.env.ONEWRITE;
  if (value === undefined || value === '') return null;
  return value === 'off' ? [] : value.split(',').map((name) => name.trim());
}

/** Why a part stays off, null when nothing speaks against it. */
function objection(name, options) {
  const asked = fromEnvironment();
  if (asked !== null && !asked.includes(name)) return `ONEWRITE=${process.env.ONEWRITE}`;
  if (asked === null && options[name] === false) return 'not asked for';
  return PARTS[name].unavailable();
}

function install(options = {}) {
  const parts = {};
  const unavailable = [];
  for (const [name, part] of Object.entries(PARTS)) {
    const reason = on.has(name) ? null : objection(name, options);
    if (reason === null && !on.has(name)) {
      part.enable();
      on.add(name);
    }
    parts[name] = { on: reason === null, reason };
    if (reason !== null && reason === part.unavailable()) unavailable.push(`${name}: ${reason}`);
  }
  if (unavailable.length > 0 && !warned) {
    warned = true;
    process.emitWarning(
      `onewrite leaves this program on Node's own code (${unavailable.join('; ')})`,
      {
        code: 'ONEWRITE_UNAVAILABLE',
      },
    );
  }
  return { parts };
}

function uninstall() {
  for (const name of on) PARTS[name].disable();
  on.clear();
}

const shared = (ServerResponse[kShared] ??= { install, uninstall, stats: stats.snapshot });
Object.defineProperty(ServerResponse, kShared, { enumerable: false });

exports.install = (options) => shared.install(options);
exports.uninstall = () => shared.uninstall();
exports.stats = () => shared.stats();
exports.buildHttpMessage = buildHttpMessage;
