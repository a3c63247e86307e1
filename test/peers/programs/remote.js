'use strict';

// The program's side of its conversation with the suite, over the channel of the child process;
// lib/program.js is the other. Nothing is sent while requests are served, unless asked for: it
// would put ticks of its own between theirs.

/**
 * @param {Record<string, (argument: any) => any>} commands what the suite may ask for; `end` is
 *   there always
 */
function answer(commands) {
  const known = { end: () => process.exit(), ...commands };
  process.on('message', async ({ id, command, argument }) => {
    try {
      process.send({ id, result: await known[command](argument) });
    } catch (error) {
      process.send({ id, error: String(error.stack) });
    }
  });
  // The suite is gone.
  process.on('disconnect', () => process.exit());
}

/** Tells the suite where the program serves. @param {object} addresses */
function ready(addresses) {
  process.send({ ready: addresses });
}

module.exports = { answer, ready };
