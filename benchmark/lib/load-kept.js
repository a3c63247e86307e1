'use strict';

// A load tool that keeps its connections from round to round, so that rounds may
// be as short as the moods of a shared machine are: load-kept-child.js does the work.

const { once } = require('node:events');
const path = require('node:path');
const children = require('./children');

const script = path.join(__dirname, 'load-kept-child.js');

/** @type {import('./load').Tool} */
module.exports = {
  takesFractions: true,

  version() {
    return `kept connections of Node ${process.version}`;
  },

  open(load, core) {
    const command = [process.execPath, script, JSON.stringify(load)];
    const child = children.start(command, core, ['ignore', 2, 2, 'ipc']);
    const death = once(child, 'exit').then(([code]) => {
      throw new Error(`the load failed: exit code ${code}`);
    });
    death.catch(() => {});
    return {
      async run(duration) {
        child.send(duration);
        const [outcome] = await Promise.race([once(child, 'message'), death]);
        return outcome;
      },
      close() {
        child.kill('SIGKILL');
      },
    };
  },
};
