'use strict';

// What the load tools have in common, and which of them is used.

const { once } = require('node:events');
const children = require('../../lib/cli/children');
const { UsageError } = require('./cli');

/**
 * @typedef {object} Load
 * @property {import('./requests').Request[]} requests sent in turn
 * @property {number} connections
 * @property {number} pipelining requests sent before the first answer is awaited
 * @property {boolean} newConnections whether a connection is closed after its answer and opened anew
 * @property {boolean} tls
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
 * @property {(load: Load, port: number, duration: number) => string[]} command
 * @property {(stdout: string) => Outcome} read
 */

/**
 * @typedef {object} Tool
 * @property {() => string | null} version name and version, or null where it is not installed
 * @property {(load: Load, duration: number) => string | null} unable why it cannot send this in rounds of so many seconds
 * @property {(load: Load, port: number, core: number | null) => Driver} open `core` is the one to pin it to
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
    version: command.version,
    unable({ requests, newConnections }, duration) {
      if (!Number.isInteger(duration)) return 'takes whole seconds';
      if (requests.length > 1) return 'sends one request, not several in turn';
      return newConnections ? 'keeps its connections' : null;
    },
    open: (load, port, core) => ({
      run: (duration) => drive(command, command.command(load, port, duration), core),
      close() {},
    }),
  };
}

/**
 * @param {string} name of a tool, or 'auto' for the first that is installed and able
 * @param {Load} load
 * @param {number} duration of a round, in seconds
 * @returns {Tool & { label: string }} `label` is its name and version
 */
function chooseTool(name, load, duration) {
  const names = name === 'auto' ? Object.keys(tools) : [name];
  const reasons = names.map((candidate) => {
    const tool = tools[candidate];
    return tool.version() === null ? 'is not installed' : tool.unable(load, duration);
  });
  const chosen = reasons.indexOf(null);
  if (chosen < 0) {
    const list = names.map((candidate, i) => `${candidate} ${reasons[i]}`);
    throw new UsageError(`load=${name}: ${list.join(', ')}`);
  }
  const tool = tools[names[chosen]];
  return { ...tool, label: tool.version() };
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
