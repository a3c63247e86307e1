'use strict';

// How the engine serves what its connections have sent: read by read, each as
// Node serves one, with the ticks and microtasks behind it.

const clock = require('./clock');
const hooks = require('./internals/hooks');
const idle = require('./internals/idle');
const lanes = require('./internals/lanes');
const parsers = require('./internals/parsers');
const scopes = require('./internals/scopes');
const sockets = require('./internals/sockets');
const { M, REASONS, marks, request, readRequest, takeRest } = require('./marks');
const { addon } = require('./native');
const stats = require('./stats');

const { handedBack } = stats.engine;

/**
 * A connection whose requests went to Node so many times more often than not is
 * tried again after 2^n requests, at most 2^LONGEST_WAIT.
 */
const PATIENCE = 2;
const LONGEST_WAIT = 8;

/** Lanes by their slots. @type {(lanes.Lane | undefined)[]} */
const bySlot = [];

/**
 * Has the engine take a connection over again that stands between two requests.
 * @type {(lane: lanes.Lane) => boolean}
 */
let adopt;

/**
 * Called by the addon when connections are ready, until it has taken them all.
 * Ticks and microtasks behind the last are Node's to run, behind this call.
 * @throws {undefined} for an uncaught exception that has been dealt with: ticks
 *   that are left wait, as they do behind one in Node
 */
function serveAll() {
  clock.holdSecond();
  try {
    let head;
    while ((head = addon.take()) !== undefined) {
      serveRead(bySlot[marks[M.Slot]], head);
      if (marks[M.More] === 1) parsers.runTicks();
    }
  } catch (error) {
    settle(error);
    throw undefined;
  } finally {
    clock.releaseSecond();
  }
}

/** What was thrown is uncaught, here and now, unless it was already. */
function settle(error) {
  addon.skip();
  if (error !== parsers.DEALT_WITH) addon.uncaught(error);
}

/** Serves one read, which begins with this head, or with none that is served here. */
function serveRead(lane, head) {
  const read = marks[M.Read];
  const hangsUp = marks[M.HangUp] === 1;
  if (read > 0) sockets.bookReceived(lane.handle, read);
  if (head !== null && hooks.enabled.size > 0) {
    leave(lane, 'observed', takeRest(true), read);
    if (hangsUp) hangUp(lane);
    return;
  }
  let isBehind = false;
  while (head !== null) {
    readRequest(head);
    // What waits behind the first answer leaves in the ticks; that one at once.
    if (isBehind && lane.slot >= 0) addon.cork(lane.slot, sockets.descriptor(lane.socket));
    dispatch(lane);
    if (!lane.isOpen) {
      // Given to another process: Node's parser is gone, and takes nothing more.
      addon.skip();
      return;
    }
    if (!request.persists) {
      // Node's parser has what comes behind the last request.
      lanes.giveBack(lane);
      lanes.feed(lane, takeRest(false), read);
    } else if (marks[M.Rest] > 0) {
      head = addon.take();
      isBehind = true;
      continue;
    } else {
      lanes.giveRead(lane, read);
    }
    if (hangsUp) hangUp(lane);
    return;
  }
  handBack(lane, read);
  if (hangsUp) hangUp(lane);
}

/**
 * Ends a connection that is gone in both directions, as libuv does behind a read
 * that was not full (`uv__stream_io`).
 */
function hangUp(lane) {
  parsers.runTicks();
  if (lane.flows) lanes.end(lane);
}

/** Full reads in a row, as libuv's. */
const IN_A_ROW = 32;

/** Reads on for Node, which does so at once behind a read that was full. */
function readOn(lane) {
  const { socket, handle } = lane;
  for (let i = 1; i < IN_A_ROW; i++) {
    if (lane.slot >= 0 || !lane.isOpen || !lane.flows) return;
    const count = addon.read(sockets.descriptor(socket));
    if (count === 0) return;
    if (count < 0) {
      lanes.endWith(lane, sockets.systemError('read', count));
      return;
    }
    sockets.bookReceived(handle, count);
    lanes.feed(lane, takeRest(false), count);
    if (count < M.Full) return;
    parsers.runTicks();
  }
}

/** The lane whose request is being dispatched, and what Node is being told of it. */
let current = null;
/** @type {'headersComplete' | 'body' | 'messageComplete'} */
let stage;
/** The piece of the body that it is told of. */
let piece = null;
/** Whether something threw meanwhile. */
let failed = false;

/**
 * Has Node dispatch the request that was read.
 * @throws {typeof parsers.DEALT_WITH} when something threw
 */
function dispatch(lane) {
  const { fields, pieces } = request;
  if (!lanes.isPrimed(lane, request)) lanes.prime(lane, request);
  stats.engine.fast++;
  if (lane.misses > 0) lane.misses--;
  current = lane;
  failed = false;
  idle.now.serving = lane.socket;
  if (lane.gathers) giveFields(lane, fields.length);
  if (failed) throw parsers.DEALT_WITH;
  // Each in a scope of its own: what a handler enters is left behind it.
  scopes.run(lane.resource, giveHead);
  for (let i = 0; i < pieces.length && !failed; i++) {
    piece = pieces[i];
    scopes.run(lane.resource, givePiece);
    // As Node does behind each.
    if (!failed) runTicks();
  }
  idle.now.serving = null;
  if (!failed) scopes.run(lane.resource, giveEnd);
  if (failed) throw parsers.DEALT_WITH;
}

/** Where the fields begin that Node is being given. */
let from = 0;

/** What runs code of the program, made to see to what that throws. */
const guarded = (action) => () => {
  try {
    action();
  } catch (error) {
    fail(current, error);
  }
};
const giveGathered = guarded(() => {
  stage = 'headersComplete';
  lanes.giveFields(current, request, from);
});
const giveHead = guarded(() => {
  stage = 'headersComplete';
  lanes.giveHead(current, request);
});
const givePiece = guarded(() => {
  stage = 'body';
  lanes.giveBody(current, piece);
});
const giveEnd = guarded(() => {
  stage = 'messageComplete';
  lanes.giveEnd(current);
});
const runTicks = guarded(parsers.runTicks);

/** Gives Node the fields in parts, as its parser does where it does not gather all. */
function giveFields(lane, length) {
  from = 0;
  do {
    scopes.run(lane.resource, giveGathered);
    if (!failed) runTicks();
    from += parsers.GATHERED;
  } while (from < length && !failed);
}

/** What threw is uncaught, here and now; the connection takes nothing more. */
function fail(lane, error) {
  failed = true;
  idle.now.serving = null;
  lanes.spoil(lane, error, stage);
  lanes.giveBack(lane);
  settle(error);
}

/** Leaves a connection to Node, with what has been read and not been parsed. */
function handBack(lane, read) {
  const reason = REASONS.get(marks[M.Reason]);
  if (reason === 'ended') {
    lanes.end(lane);
    return;
  }
  if (reason === 'failed') {
    lanes.endWith(lane, sockets.systemError('read', -marks[M.Errno]));
    return;
  }
  leave(lane, reason, takeRest(false), read);
}

/** Leaves a connection to Node, whose parser goes on with a read of so many bytes. */
function leave(lane, reason, rest, read) {
  handedBack[reason]++;
  if (lane.slot >= 0) giveUp(lane);
  try {
    lanes.feed(lane, rest, read);
    if (read === M.Full) parsers.runTicks();
  } catch (error) {
    settle(error);
    if (read === M.Full) readOn(lane);
    throw parsers.DEALT_WITH;
  }
  if (read === M.Full) readOn(lane);
}

/** Has Node read a connection, until it stands between two requests again. */
function giveUp(lane) {
  lanes.giveBack(lane);
  lane.misses++;
  lane.wait = lane.misses > PATIENCE ? 1 << Math.min(lane.misses, LONGEST_WAIT) : 0;
  lanes.watchForBoundary(lane, adoptAgain);
}

function adoptAgain(lane) {
  return --lane.wait < 0 && adopt(lane);
}

module.exports = { bySlot, serveAll, giveUp, connect: (take) => (adopt = take) };
