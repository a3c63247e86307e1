'use strict';

// The part `engine`. The addon reads a connection, parses the requests that have
// come completely and plainly, and Node's own functions dispatch them, as its
// parser would have them do. Everything else goes back to Node before anything
// was done, with its bytes; a connection that stands between two requests may be
// taken over again.

const { subscribe, unsubscribe } = require('node:diagnostics_channel');
const http = require('node:http');
const hooks = require('./internals/hooks');
const idle = require('./internals/idle');
const lanes = require('./internals/lanes');
const parsers = require('./internals/parsers');
const sockets = require('./internals/sockets');
const { METHODS, input, marks } = require('./marks');
const native = require('./native');
const serving = require('./serving');

const { addon } = native;
const { bySlot } = serving;

const ACCEPTED = 'net.server.socket';

/** Heads are not so short that Node's parser refuses what it is primed with. */
const SHORTEST_LIMIT = 256;

let started = false;
let active = false;

/** Takes a connection over, if it can be. @returns {boolean} whether it was */
function adopt(lane) {
  if (!active || hooks.enabled.size > 0) return false;
  const { handle, socket } = lane;
  const limit = socket.server?.maxHeaderSize || http.maxHeaderSize;
  if (limit < SHORTEST_LIMIT) return false;
  const descriptor = sockets.descriptor(socket);
  const slot = addon.adopt(descriptor, limit, lanes.mostFields(lane), handle.hasRef());
  if (!(slot >= 0)) return false;
  bySlot[slot] = lane;
  lanes.enter(lane, slot, descriptor);
  return true;
}

/** Takes over a connection that Node's own listener has seen. */
function accepted({ socket }) {
  const lane = socket.server instanceof http.Server ? lanes.laneOf(socket) : null;
  if (lane !== null) adopt(lane);
}

function leave(slot) {
  bySlot[slot] = undefined;
  addon.leave(slot);
}

/** @returns {string | null} why the part cannot be on here, null when it can */
function unavailable() {
  return native.reason ?? sockets.missing();
}

/** Whether libuv ends a connection that is gone in both directions without reading on. */
function endsOnHangUp() {
  const [major, minor] = process.versions.uv.split('.').map(Number);
  return major === 1 && minor < 52;
}

function start() {
  METHODS.forEach((method, i) => {
    marks[i] = http.METHODS.includes(method) ? 1 : 0;
  });
  const reason = addon.engineStart(serving.serveAll, marks, input, endsOnHangUp());
  if (reason !== undefined) throw new Error(reason);
  const { watch, hold, uncaught } = addon;
  lanes.connect({ leave, watch, hold, parses: serving.giveUp });
  parsers.connect(uncaught);
  serving.connect(adopt);
  started = true;
}

function enable() {
  if (!started) start();
  active = true;
  idle.places.patch(idle.hooks);
  subscribe(ACCEPTED, accepted);
}

function disable() {
  active = false;
  unsubscribe(ACCEPTED, accepted);
  idle.places.unpatch(idle.hooks);
  for (const lane of bySlot) if (lane !== undefined) lanes.giveBack(lane);
  lanes.unhook();
}

module.exports = { unavailable, enable, disable, accepted };
