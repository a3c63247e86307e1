'use strict';
// What the server of a case gets as `t`.

const fs = require('node:fs');
const path = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');

const LIMIT_MS = 10_000;

/** When all files of a case were last changed, so that their validators are the same in each run. */
const MTIME = new Date('2024-02-03T04:05:06Z');

class Toolbox {
  #log;
  #lines = [];

  /** @param {string} folder that the case may fill @param {string} log file that takes what it notes */
  constructor(folder, log) {
    this.folder = folder;
    this.#log = fs.openSync(log, 'a');
  }

  /** Notes values in the order of the calls; they are compared between the runs. */
  log(...values) {
    const line = values
      .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
      .join(' ');
    this.#lines.push(line);
    // At once, so that it is there whatever becomes of the process.
    fs.writeSync(this.#log, `${line}\n`);
  }

  /** A stream for loggers, each line noted under a label. */
  sink(label) {
    return { write: (text) => this.log(label, String(text).trimEnd()) };
  }

  /** Waits until a line of the log has this text. */
  async logged(text) {
    const limit = Date.now() + LIMIT_MS;
    while (!this.#lines.some((line) => line.includes(text))) {
      if (Date.now() > limit) throw new Error(`the log never said ${JSON.stringify(text)}`);
      await pause(1);
    }
  }

  /**
   * Writes files into a folder of the case.
   * @param {Record<string, string | Buffer>} contents by relative path
   * @returns {string} the folder
   */
  files(contents) {
    const root = path.join(this.folder, 'files');
    for (const [name, content] of Object.entries(contents)) {
      const file = path.join(root, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, content);
      fs.utimesSync(file, MTIME, MTIME);
    }
    return root;
  }
}

module.exports = { Toolbox };
