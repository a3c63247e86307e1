'use strict';

// The part `teardown`. A request that nobody reads is ended by Node when its
// response has finished: over ticks that emit to no one. Here 'end' and 'close'
// of such a request are emitted around 'close' of the response, in the tick that
// Node schedules for that, where nobody can tell: no listener is called between
// them, and no tick was scheduled that would have come between them.

const { executionAsyncId } = require('node:async_hooks');
const process = require('node:process');
const attachment = require('./attachment');
const requests = require('./internals/requests');
const keepAlive = require('./keep-alive');
const stats = require('./stats');

const { stock } = requests;
const { handedBack } = stats.teardown;

/**
 * The response between its 'finish' and its 'close' whose request is to end. A
 * second one would have scheduled its 'finish' in between.
 * @type {import('node:http').ServerResponse | null}
 */
let closing = null;
/** Async id of the tick of that 'close' if nothing else was scheduled since that of 'finish'. */
let closingId = 0;

/** Stands in for `EventEmitter.prototype.emit` on server responses. */
function emit(event) {
  if (closing === this && event === 'close' && requests.isClosed(this)) return emitClose(this);
  const emitOn = requests.nodeEmit();
  if (event === 'finish' && arguments.length === 1) return emitFinish(this, emitOn);
  // `arguments` passed on is 3 % of the CPU of a small exchange.
  switch (arguments.length) {
    case 1:
      return emitOn.call(this, event);
    case 2:
      return emitOn.call(this, event, arguments[1]);
    default:
      return Reflect.apply(emitOn, this, arguments);
  }
}

function emitFinish(res, emitOn) {
  try {
    return emitOn.call(res, 'finish');
  } finally {
    // Node threw before it scheduled 'close'.
    if (closing === res && requests.isOnSocket(res)) dumpSoon();
  }
}

/** Stands in for `IncomingMessage.prototype._dump`. */
function dump() {
  const res = requests.finishedResponse(this);
  if (res === null) return stock.dump.call(this);
  const reason = refusal(this, res);
  if (reason !== null) {
    handedBack[reason]++;
    return stock.dump.call(this);
  }
  closing = res;
  // A tick that emits 'readable' was scheduled behind that of 'finish'.
  closingId = executionAsyncId() + (requests.isReadableScheduled(this) ? 2 : 1);
  requests.markDumped(this);
}

/** Leaves the response that is to close, and its request, to ticks of their own. */
function dumpSoon() {
  process.nextTick(requests.dumpNow, closing.req);
  closing = null;
}

/** @returns {string | null} a reason of stats.TEARDOWN_REASONS */
function refusal(req, res) {
  if (closing !== null) {
    if (!requests.isClosed(closing)) return 'scheduled';
    // Its 'close' went past the hook.
    dumpSoon();
  }
  if (!requests.isUntouched(req)) return 'touched';
  // In all these cases something may be scheduled behind 'close' of the response.
  if (requests.goesOn(req, res)) return 'connection';
  if (res.emit !== emit || !keepAlive.isPlain(req.socket)) return 'overridden';
  if (requests.isHeard(res) || requests.isEndHeard(req)) return 'heard';
  // The tick of 'readable' has another async context, and it leads to the end.
  if (requests.isReadableScheduled(req) && requests.isCloseHeard(req)) return 'heard';
  return null;
}

function emitClose(res) {
  const { req } = res;
  closing = null;
  const emitOn = requests.nodeEmit();
  if (executionAsyncId() !== closingId) {
    handedBack.scheduled++;
    try {
      requests.dumpBeforeClose(req, res);
    } catch (error) {
      // A listener threw in the tick of Node, which goes on in another.
      process.nextTick(() => emitOn.call(res, 'close'));
      throw error;
    }
    return emitOn.call(res, 'close');
  }
  stats.teardown.fast++;
  requests.resume(req);
  if (!requests.endsByResuming) requests.end(req);
  const heard = emitOn.call(res, 'close');
  if (requests.endsByResuming) requests.end(req);
  requests.close(req);
  return heard;
}

const hooks = { dump, emit };

/** @returns {string | null} why the part cannot be on here, null when it can */
function unavailable() {
  return requests.missing();
}

function enable() {
  requests.places.patch(hooks);
  keepAlive.enable();
  attachment.enable();
}

function disable() {
  requests.places.unpatch(hooks);
  keepAlive.disable();
  attachment.disable();
  if (closing !== null) dumpSoon();
}

module.exports = { unavailable, standsAside: requests.replaced, enable, disable };
