'use strict';

// Every test file of the package, by name: a file that no list names fails the run, so that none
// is silently missed.

/** Run by each of the Node binaries in turn. */
const everyNode = [
  'test/drawn-streams.test.js',
  'test/engine.test.js',
  'test/keep-alive.test.js',
  'test/message/framing.test.js',
  'test/message/programs.test.js',
  'test/message/refusals.test.js',
  'test/parts.test.js',
  'test/property.test.js',
  'test/request.test.js',
  'test/stress.test.js',
  'test/teardown.test.js',
  'test/traps.test.js',
];

/** Run by the oldest and the newest of them: much work, and the same for each. */
const ends = ['test/streams.test.js'];

/** Run once; what they test starts the Node binaries itself, or needs no particular one. */
const once = [
  'test/audit.test.js',
  'test/behaviour.test.js',
  'test/cli-bench.test.js',
  'test/cli-load.test.js',
  'test/cli.test.js',
  'test/docs.test.js',
  'test/ecosystem.test.js',
  'test/package.test.js',
];

module.exports = { everyNode, ends, once };
