'use strict';

// The programs of the system that peers are, and the Debian packages that hold them.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

/** Where Debian puts servers, though not every user's path names it. */
const FOLDERS = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/sbin'];

/** @returns {string | undefined} the file of a command */
function find(command) {
  return FOLDERS.map((folder) => path.join(folder, command)).find((file) => {
    try {
      fs.accessSync(file, fs.constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * @param {Record<string, string>} tools Debian packages by command
 * @returns {string[]} the packages of those that are not here
 */
function missing(tools) {
  return Object.entries(tools)
    .filter(([command]) => find(command) === undefined)
    .map(([, debian]) => debian);
}

/** @returns {string} all that a command prints, however it ends */
function output(command, ...args) {
  const { stdout, stderr } = spawnSync(find(command) ?? command, args, { encoding: 'utf8' });
  return `${stdout}${stderr}`;
}

/** Installs Debian packages; for root. */
function install(packages) {
  const options = ['-q', '-o', 'DPkg::Lock::Timeout=300'];
  const commands = [
    ['update', ...options],
    ['install', '-y', '--no-install-recommends', ...options, ...packages],
  ];
  // As if the machine were starting: none of the servers among them starts by itself.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  for (const args of commands) {
    const { status, error } = spawnSync('apt-get', args, { env, stdio: ['ignore', 2, 2] });
    if (error) throw error;
    if (status !== 0) throw new Error(`apt-get ${args.join(' ')}: exit ${status}`);
  }
}

module.exports = { find, install, missing, output };
