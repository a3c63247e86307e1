'use strict';

// The part `engine`. The addon reads a connection, parses the requests that have
// come completely and plainly, and Node's own functions dispatch them, as its
// parser would have them do. Everything else goes back to Node before anything
// was done, with its bytes; a connection that stands between two requests may be
// taken over again.

const { subscribe, unsubscribe } = require('node:diagnostics_channel');
const http = require('node:http');
const early = require('./internals/early');
const lanes = require('./internals/lanes');
const shapes = require('./internals/shapes');
const sockets = require('./internals/sockets');
const idle = require('./internals/idle');
const clock = require('./clock');
const native = require('./native');
const stats = require('./stats');

const { addon } = native;
const { Lane } = lanes;
const { handedBack } = stats.engine;

const ACCEPTED = 'net.server.socket';

// A copy, which is faster to read than what the addon made.
const M = { ...addon?.marks };
const METHODS = addon === null ? [] : Object.keys(addon.methods ?? {});

/** Names of the reasons by their numbers. */
const REASONS = new Map(
  Object.entries(addon?.engineReasons ?? {}).map(([name, number]) => [number, name]),
);

/** What the addon says of a request: places by M. Must never leave this package. */
const marks = new Uint32Array(8192);

/** Heads are not so short that Node's parser refuses what it is primed with. */
const SHORTEST_LIMIT = 256;

/**
 * A connection whose requests went to Node so many times more often than not is
 * tried again after 2^n requests, at most 2^LONGEST_WAIT.
 */
const PATIENCE = 2;
const LONGEST_WAIT = 8;

/** Lanes by their slots. @type {(Lane | undefined)[]} */
const bySlot = [];

let started = false;
let active = false;

/** Takes a connection over, if it can be. @returns {boolean} whether it was */
function adopt(lane) {
  if (!active) return false;
  const { handle, socket } = lane;
  const limit = socket.server?.maxHeaderSize || http.maxHeaderSize;
  if (limit < SHORTEST_LIMIT) return false;
  const descriptor = sockets.descriptor(socket);
  const slot = addon.adopt(descriptor, limit, lanes.mostFields(lane), handle.hasRef());
  if (!(slot >= 0)) return false;
  bySlot[slot] = lane;
  lanes.enter(lane, slot);
  return true;
}

function accepted({ socket }) {
  if (!socket.parser || !(socket.server instanceof http.Server)) return;
  lanes.learnCallbacks(socket.parser);
  if (lanes.isPlain(socket)) adopt(new Lane(socket));
}

/**
 * Called by the addon when connections are ready, until it has taken them all.
 * @throws {undefined} for an uncaught exception that has been dealt with: ticks
 *   that are left wait, as they do behind one in Node
 */
function serveAll() {
  clock.holdSecond();
  try {
    let head;
    while ((head = addon.take()) !== undefined) {
      serveRead(bySlot[marks[M.Slot]], head);
      early.runTicks();
      if (corked !== null) uncork();
    }
  } catch (error) {
    // Here and now: a tick that threw has left its async id behind.
    addon.skip();
    addon.uncaught(error);
    throw undefined;
  } finally {
    clock.releaseSecond();
    if (corked !== null) uncork();
  }
}

/**
 * The connection whose answers the kernel gathers: those to the requests of one
 * read that are ready at once leave together.
 * @type {Lane | null}
 */
let corked = null;

function cork(lane) {
  if (lane.slot < 0 || corked !== null) return;
  corked = lane;
  addon.cork(sockets.descriptor(lane.socket), true);
}

function uncork() {
  const { socket } = corked;
  corked = null;
  if (socket._handle) addon.cork(sockets.descriptor(socket), false);
}

/** The lane of the read that is being served, and the head of its first request. */
let current = null;
let first = '';

/** Serves one read, which begins with this head, or with none that is served here. */
function serveRead(lane, head) {
  const read = marks[M.Read];
  if (read > 0) sockets.bookReceived(lane.handle, read);
  if (head !== null) {
    const method = METHODS[marks[M.Method]];
    if (!lanes.isPrimed(lane, method)) lanes.prime(lane, method, marks[M.Persists] === 1);
    current = lane;
    first = head;
    lanes.runInScope(lane, serve);
  } else {
    handBack(lane);
    if (read > 0) lanes.giveRead(lane, read);
  }
}

/** Serves the requests of the current read. */
function serve() {
  const lane = current;
  let head = first;
  const read = marks[M.Read];
  for (;;) {
    const persists = marks[M.Persists] === 1;
    if (marks[M.Rest] > 0) cork(lane);
    if (!dispatch(lane, head, persists)) return;
    if (!persists || marks[M.Last] === 1) {
      // No more is read here: Node's parser has what comes behind the last request.
      if (lane.slot >= 0) lanes.giveBack(lane);
      giveRest(lane);
      break;
    }
    if (marks[M.Rest] === 0) break;
    head = addon.take();
    if (head === null) {
      handBack(lane);
      break;
    }
  }
  lanes.giveRead(lane, read);
}

/** @returns {boolean} false when something threw, which has been dealt with */
function dispatch(lane, head, persists) {
  let stage = 'headersComplete';
  try {
    const method = METHODS[marks[M.Method]];
    if (!lanes.isPrimed(lane, method) || lane.persists !== persists) {
      lanes.prime(lane, method, persists);
    }
    const target = head.slice(marks[M.TargetStart], marks[M.TargetEnd]);
    const fields = fieldsOf(head);
    const pieces = marks[M.Pieces] === 0 ? null : piecesAt(M.Spans + 2 * fields.length);
    stats.engine.fast++;
    if (lane.misses > 0) lane.misses--;
    idle.now.serving = lane.socket;
    lanes.giveHead(lane, method, target, fields, headers, persists);
    if (pieces !== null) {
      stage = 'body';
      for (let i = 0; i < pieces.length; i++) lanes.giveBody(lane, pieces[i]);
    }
    idle.now.serving = null;
    stage = 'messageComplete';
    lanes.giveEnd(lane);
    return true;
  } catch (error) {
    idle.now.serving = null;
    addon.skip();
    lanes.spoil(lane, error, stage);
    if (lane.slot >= 0) lanes.giveBack(lane);
    addon.uncaught(error);
    return false;
  }
}

/** The `headers` of the request that `fieldsOf` read last, null where Node is to make them. */
let headers = null;

/** The fields of a request, names and values in turn. */
function fieldsOf(head) {
  const count = marks[M.Fields];
  const number = marks[M.Shape];
  const shape = number === 0 ? undefined : (shapes.shapeOf(number) ?? learn(head, number));
  let at = M.Spans;
  headers = null;
  if (shape === undefined) {
    const fields = new Array(2 * count);
    for (let i = 0; i < 2 * count; i++) fields[i] = head.slice(marks[at++], marks[at++]);
    return fields;
  }
  const fields = shape.raw.slice();
  const { keys } = shape;
  if (keys === null) {
    for (let i = 0; i < count; i++, at += 4) {
      fields[2 * i + 1] = head.slice(marks[at + 2], marks[at + 3]);
    }
    return fields;
  }
  headers = { ...shape.template };
  for (let i = 0; i < count; i++, at += 4) {
    const value = head.slice(marks[at + 2], marks[at + 3]);
    fields[2 * i + 1] = value;
    headers[keys[i]] = value;
  }
  return fields;
}

function learn(head, number) {
  const names = [];
  for (let i = 0; i < marks[M.Fields]; i++) {
    const at = M.Spans + 4 * i;
    names.push(head.slice(marks[at], marks[at + 1]));
  }
  return shapes.learn(number, names);
}

/** The pieces of a request's body. */
function piecesAt(place) {
  const pieces = new Array(marks[M.Pieces]);
  for (let i = 0; i < pieces.length; i++) {
    const start = marks[place + 2 * i];
    pieces[i] = Buffer.allocUnsafeSlow(marks[place + 2 * i + 1] - start);
    addon.copy(pieces[i], start);
  }
  return pieces;
}

/** Leaves a connection to Node, with what has been read and not been parsed. */
function handBack(lane) {
  const reason = REASONS.get(marks[M.Reason]);
  const isOurs = lane.slot >= 0;
  if (isOurs) lanes.giveBack(lane);
  if (reason === 'ended') return;
  if (reason === 'failed') {
    lane.socket.destroy(sockets.systemError('read', -marks[M.Errno]));
    return;
  }
  handedBack[reason]++;
  if (isOurs) {
    lane.misses++;
    lane.wait = lane.misses > PATIENCE ? 1 << Math.min(lane.misses, LONGEST_WAIT) : 0;
    lanes.watchForBoundary(lane, adoptAgain);
  }
  giveRest(lane);
  lanes.atBoundary(lane);
}

function giveRest(lane) {
  const length = marks[M.Rest];
  if (length === 0) return;
  const rest = Buffer.allocUnsafeSlow(length);
  addon.copy(rest, marks[M.RestStart]);
  addon.skip();
  if (lane.isOpen) lanes.feed(lane, rest);
}

function adoptAgain(lane) {
  return --lane.wait < 0 && adopt(lane);
}

/** @returns {string | null} why the part cannot be on here, null when it can */
function unavailable() {
  return native.reason ?? sockets.missing();
}

function enable() {
  if (!started) {
    METHODS.forEach((method, i) => {
      marks[i] = http.METHODS.includes(method) ? 1 : 0;
    });
    const reason = addon.engineStart(serveAll, marks);
    if (reason !== undefined) throw new Error(reason);
    lanes.connect({ leave, watch: addon.watch, hold: addon.hold });
    started = true;
  }
  active = true;
  idle.places.patch(idle.hooks);
  subscribe(ACCEPTED, accepted);
}

function leave(slot) {
  bySlot[slot] = undefined;
  addon.leave(slot);
}

function disable() {
  active = false;
  unsubscribe(ACCEPTED, accepted);
  idle.places.unpatch(idle.hooks);
  for (const lane of bySlot) if (lane !== undefined) lanes.giveBack(lane);
}

module.exports = { unavailable, enable, disable, accepted };
