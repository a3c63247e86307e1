'use strict';

const { ServerResponse } = require('node:http');
const { buildHttpMessage } = require('./lib/message');
const { install, uninstall, report } = require('./lib/parts');
const { snapshot } = require('./lib/stats');

// What is patched is shared by all copies of the package in a process, so the
// first one that is loaded speaks for all.
const kShared = Symbol.for('onewrite.shared');

if (!Object.hasOwn(ServerResponse, kShared)) {
  Object.defineProperty(ServerResponse, kShared, {
    __proto__: null,
    value: { install, uninstall, report, stats: snapshot },
  });
}
const shared = ServerResponse[kShared];

exports.install = (options) => shared.install(options);
exports.uninstall = () => shared.uninstall();
exports.stats = () => shared.stats();
exports.buildHttpMessage = buildHttpMessage;
