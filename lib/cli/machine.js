'use strict';

// What the figures were measured on, and which of its cores may be used.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');

/** @returns {{ cpu: string, cores: number, os: string }} `cores` are those this process may use */
function describe() {
  return {
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    os: `${os.type()} ${os.release()} ${os.arch()}`,
  };
}

/**
 * Numbers of the cores this process may run on, in ascending order; none where that is not known.
 *
 * @returns {number[]}
 */
function allowedCores() {
  let status;
  try {
    status = fs.readFileSync('/proc/self/status', 'latin1');
  } catch {
    return [];
  }
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/**
 * One core for the server and another for the load, or null where processes cannot be pinned.
 * First and last, because neighbouring numbers may be two threads of one physical core.
 *
 * @returns {{ server: number, load: number, others: string } | null} `others`: all but that of the load
 */
function separateCores() {
  const cores = allowedCores();
  if (cores.length < 2 || spawnSync('taskset', ['--version']).status !== 0) return null;
  return { server: cores[0], load: cores[cores.length - 1], others: cores.slice(0, -1).join() };
}

module.exports = { describe, separateCores };
