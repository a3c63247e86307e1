'use strict';

// Preloaded into every Node.js process of a program under `onewrite bench`, with the package and
// without: tells the bench where the program listens, and on request what it has used.
//
// It reports over a socket of its own instead of an IPC channel, which the program would find as
// process.send() and which its grandchildren would not have. The socket keeps nothing alive.

const net = require('node:net');
const process = require('node:process');
const { isMainThread } = require('node:worker_threads');

/** Where the bench listens; absent where the program starts others with an environment of its own. */
const path = process.env.ONEWRITE_BENCH_CHANNEL;
const keepsPorts = process.env.ONEWRITE_BENCH_PORTS === 'keep';

const kShared = Symbol.for('onewrite.shared');

/** Whether a module of Node is loaded. Nothing is loaded here that the program does not load. */
function has(module) {
  return process.moduleLoadList.includes(`NativeModule ${module}`);
}

/** @returns {'http' | 'https' | 'other'} what a server speaks */
function kindOf(server) {
  if (has('_http_server') && server instanceof require('node:http').Server) return 'http';
  return has('https') && server instanceof require('node:https').Server ? 'https' : 'other';
}

/** What this process has used, and this thread has counted, since its start. */
function usage() {
  const shared = has('_http_server') ? require('node:http').ServerResponse[kShared] : undefined;
  return {
    type: 'usage',
    // Of the process: its threads share them.
    cpu: isMainThread ? process.cpuUsage() : null,
    memory: isMainThread ? process.memoryUsage.rss() : null,
    stats: shared?.stats() ?? null,
    parts: shared?.report?.()?.parts ?? null,
  };
}

/** @returns {number | null} a port that is asked for, as Node reads what listen() is given */
function portFrom(value) {
  if (typeof value !== 'number' && (typeof value !== 'string' || value === '')) return null;
  return Number(value) >= 0 ? Number(value) : null;
}

/** The bench has ended without a chance to clean up. */
function abandon() {
  try {
    // The process that the bench started is the head of a group.
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    process.kill(process.pid, 'SIGKILL');
  }
}

function attach() {
  const channel = net.connect(path).unref();
  const tell = (message) => channel.write(`${JSON.stringify(message)}\n`);
  channel.on('error', abandon).on('close', abandon);
  channel.on('data', () => tell(usage()));
  tell({ type: 'hello', pid: process.pid, node: process.version });

  const { listen } = net.Server.prototype;
  // Two runs of the program are to listen at once, so each gets a free port in place of the one it
  // asks for; Node gives all workers of a cluster the same.
  net.Server.prototype.listen = function (...args) {
    const options = args[0] !== null && typeof args[0] === 'object' ? args[0] : null;
    const asked = portFrom(options === null ? args[0] : options.port);
    if (asked > 0 && !keepsPorts) args[0] = options === null ? 0 : { ...options, port: 0 };
    this.once('listening', () => {
      const address = this.address();
      if (address === null) return;
      const where = typeof address === 'string' ? { path: address } : address;
      tell({ type: 'listening', asked, kind: kindOf(this), ...where });
    });
    return Reflect.apply(listen, this, args);
  };
}

if (path) attach();
