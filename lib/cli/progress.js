'use strict';

// What goes on, on stderr: on a terminal in one line that is overwritten, elsewhere a line for each step.

const { stderr } = process;

const WIDTH = 20; // characters of the bar

class Progress {
  #done = 0;
  #steps;

  /** @param {number} steps how many there will be */
  constructor(steps) {
    this.#steps = steps;
  }

  /** @param {string} text what has been done, or takes a while */
  say(text) {
    if (stderr.isTTY) this.show(text);
    else stderr.write(`${text}\n`);
  }

  /** @param {string} text what is done now; of no interest in a log */
  show(text) {
    if (!stderr.isTTY) return;
    const filled = Math.round((WIDTH * this.#done) / this.#steps);
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
    stderr.write(`\r\x1b[K${`${bar} ${text}`.slice(0, (stderr.columns || 80) - 1)}`);
  }

  /** One step is done. */
  advance() {
    this.#done++;
  }

  /** Takes the line away, for what comes behind it. */
  clear() {
    if (stderr.isTTY) stderr.write('\r\x1b[K');
  }
}

module.exports = { Progress };
