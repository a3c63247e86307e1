'use strict';

// What the load tools have in common, and which of them is used.

const { once } = require('node:events');
const children = require('./children');

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} path
 * @property {{ [name: string]: string }} headers
 * @property {string} body
 * @property {number} pipelining requests sent before the first answer is awaited
 */

/**
 * @typedef {object} Load
 * @property {Request} request
 * @property {number} port
 * @property {number} connections
 */

/**
 * @typedef {object} Outcome
 * @property {number} requests answered ones
 * @property {number} seconds
 * @property {{ [kind: string]: number }} errors
 */

/**
 * @typedef {object} Driver
 * @property {(duration: number) => Promise<Outcome>} run for so many seconds; rejects if any request failed
 * @property {() => void} close
 */

/**
 * @typedef {object} Command a tool that is a program, run anew for every round
 * @property {() => string | null} version name and version, or null where it is not installed
 * @property {(load: Load, duration: number) => string[]} command
 * @property {(stdout: string) => Outcome} read
 */

/**
 * @typedef {object} Tool
 * @property {() => string | null} version name and version, or null where it is not installed
 * @property {boolean} takesFractions of a second, as a round's duration
 * @property {(load: Load, core: number | null) => Driver} open `core` is the one to pin it to
 */

/** @type {{ [name: string]: Tool }} in order of preference */
const tools = {
  wrk: perRound(require('./load-wrk')),
  autocannon: perRound(require('./load-autocannon')),
  kept: require('./load-kept'),
};

/** @param {Command} command @returns {Tool} */
function perRound(command) {
  return {
    takesFractions: false,
    version: command.version,
    open: (load, core) => ({
      run: (duration) => drive(command, command.command(load, duration), core),
      close() {},
    }),
  };
}

/**
 * @param {string} name of a tool, or 'auto' for the first that is installed
 * @returns {Tool & { label: string }} `label` is its name and version
 */
function chooseTool(name) {
  const names = name === 'auto' ? Object.keys(tools) : [name];
  for (const candidate of names) {
    const label = tools[candidate].version();
    if (label !== null) return { ...tools[candidate], label };
  }
  throw new Error(`not installed: ${names.join(', ')}`);
}

/**
 * @param {Command} tool
 * @param {string[]} command
 * @param {number | null} core the core to pin the tool to
 * @returns {Promise<Outcome>} rejects if any request failed
 */
async function drive(tool, command, core) {
  const child = children.start(command, core, ['ignore', 'pipe', 'pipe']);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command[0]} failed: ${stderr.trim() || `exit code ${code}`}`);
  const outcome = tool.read(stdout);
  const errors = Object.entries(outcome.errors).filter(([, count]) => count > 0);
  if (errors.length > 0 || outcome.requests === 0) {
    const list = errors.map(([kind, count]) => `${kind} ${count}`).join(', ') || 'no answer';
    throw new Error(`requests failed under load: ${list}`);
  }
  return outcome;
}

module.exports = { chooseTool, toolNames: Object.keys(tools) };
