'use strict';
// Finds the cases: one file each, in the folder `cases`.

const fs = require('node:fs');
const path = require('node:path');
const { CannotRun } = require('../node-core/cannot-run');
const nodes = require('../nodes');

const CASES = path.join(__dirname, 'cases');

/**
 * @typedef {object} Case
 * @property {string} name that of its file
 * @property {string} file
 * @property {string[]} packages that must be installed; the versions of these are told
 * @property {string} folder in whose `node_modules` they are; this one by default
 * @property {number[]} nodes the versions of Node that the packages support; all by default
 * @property {{ target: string, headers: Record<string, string> } | null} measured the GET whose CPU is measured, that
 *   of `/` by default; null where none says what the packages take
 * @property {boolean} smoke whether it is one of the few that the smoke run takes
 * @property {boolean} watchable whether the events of its server come in the same order in each run
 * @property {boolean} [lingers] whether the packages keep the process alive when the server is closed
 * @property {string[]} [args] of Node, behind the preload of the package
 * @property {Record<string, string>} [env]
 * @property {RegExp} [volatile] what differs between any two runs in what the process prints
 * @property {() => void} [prepare] called once before any run
 * @property {(t: import('./child/toolbox').Toolbox) => Started | Promise<Started>} server called in the process that
 *   is observed
 * @property {(c: import('./conversation').Conversation) => Promise<unknown>} conversation called in the harness
 */

/**
 * The server of a case, which is made to listen if it does not; or these:
 * @typedef {import('node:http').Server | {
 *   servers: import('node:http').Server[],
 *   behind?: import('node:http').Server[],
 *   calls?: Record<string, () => unknown>,
 *   close?: () => unknown,
 * }} Started `servers` are those that the client connects to, `behind` those that the program itself asks, `calls` is
 *   what the conversation may have it do, and `close` comes before the servers are closed
 */

/** @returns {Case} */
function load(name) {
  const file = path.join(CASES, `${name}.js`);
  return {
    name,
    file,
    nodes: [20, 22, 24, 26],
    smoke: false,
    watchable: true,
    measured: { target: '/', headers: {} },
    folder: __dirname,
    ...require(file),
  };
}

function chosenCases({ case: asked, smoke }) {
  const all = fs
    .readdirSync(CASES)
    .sort()
    .map((file) => load(path.basename(file, '.js')));
  if (asked !== undefined) {
    return asked.split(',').map((name) => {
      const found = all.find((item) => item.name === name);
      if (!found) throw new CannotRun(`no case ${name} in test/ecosystem/cases`);
      return found;
    });
  }
  return smoke ? all.filter((item) => item.smoke) : all;
}

/** @returns {{ major: number, bin: string }[]} those asked for; the smoke run takes the oldest */
function chosenNodes({ node, smoke }) {
  const all = nodes.binaries();
  if (node === undefined) return smoke ? all.slice(0, 1) : all;
  return node.split(',').map((name) => {
    const found = all.find(({ major }) => String(major) === name);
    if (!found) throw new CannotRun(`--node knows ${all.map(({ major }) => major)}, not ${name}`);
    return found;
  });
}

module.exports = { chosenCases, chosenNodes };
