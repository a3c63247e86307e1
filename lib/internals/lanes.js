'use strict';

// What the package knows under private names of a server's connections: their
// parser and their handle. A connection is in one of two lanes: Node reads it,
// or the engine does.

const { IncomingMessage } = require('node:http');
const handles = require('./handles');
const parsers = require('./parsers');
const { Places } = require('./places');
const scopes = require('./scopes');
const shapes = require('./shapes');
const sockets = require('./sockets');

const { kLane } = handles;
const { K, nodes, GATHERED, standIns, setCallbacks } = parsers;

/** Where parsers have what lets them go; null before there is one. @type {Places | null} */
let parserPlaces = null;
const parserHooks = { unconsume };

/** More fields are not looked for where Node sets no bound. */
const MOST_FIELDS = 1000;

/** What it calls of the engine. @type {Record<'leave' | 'watch' | 'hold' | 'parses', Function>} */
let engine;

/** The lane of a connection that the engine reads, or has read and gave back. */
class Lane {
  constructor(socket) {
    this.socket = socket;
    this.handle = socket._handle;
    this.parser = socket.parser;
    /** The place in the engine, -1 while Node reads. */
    this.slot = -1;
    /** The async resource of the connection's requests; null before the first. */
    this.resource = null;
    /**
     * Whether Node's parser gives fields away before the head is complete, as it
     * does from the first head on that has more than it gathers.
     */
    this.gathers = false;
    /** Node's own callback of a request, once it is stood in for. */
    this.onIncoming = null;
    this.hasStockHeaders = shapes.isStock();
    /** Node's own callback of a read, once it is stood in for. */
    this.onExecute = null;
    /** Whether Node's parser stands where more requests may follow. */
    this.persists = true;
    /** The message that Node's parser is at, while Node reads. @type {Message | null} */
    this.message = null;
    /** How many requests of late went to Node, and how many more are to go before the engine tries again. */
    this.misses = 0;
    this.wait = 0;
  }

  /** Whether it is open and being read, by whom that may be. */
  get flows() {
    return this.socket._handle === this.handle && this.handle.reading;
  }

  /** Whether the parser is the connection's still. */
  get isOpen() {
    return this.socket.parser === this.parser;
  }
}

/** Whether Node reads a connection in a way that the engine can take over. */
function isPlain(socket) {
  const { parser, _handle: handle } = socket;
  return (
    Boolean(parser) &&
    parser.socket === socket &&
    parser._consumed === true &&
    typeof parser.onIncoming === 'function' &&
    parsers.isKnown(parser) &&
    typeof socket._events.data === 'function' &&
    socket._paused === false &&
    !socket.destroyed &&
    socket.readable &&
    Boolean(handle) &&
    handle.reading === true &&
    sockets.isPlainHandle(handle)
  );
}

/**
 * A lane for a connection that Node's own listener has just seen.
 * @returns {Lane | null} null where it cannot be taken over
 */
function laneOf(socket) {
  const { parser } = socket;
  if (!parser) return null;
  if (!parsers.learn(parser)) return null;
  // Node's parser must not have been given anything yet.
  const isFresh =
    !socket.readableDidRead && socket.readableLength === 0 && parser.incoming === null;
  if (!isFresh || !isPlain(socket)) return null;
  placesOf(parser).patch(parserHooks);
  handles.guard(socket._handle, reader);
  return new Lane(socket);
}

function placesOf(parser) {
  const { prototype: target } = parser.constructor;
  parserPlaces ??= new Places(nodes, [{ hook: 'unconsume', target, name: 'unconsume', own: true }]);
  return parserPlaces;
}

/** How many fields Node's parser takes, or keeps, of a head. */
function mostFields({ parser: { maxHeaderPairs } }) {
  return maxHeaderPairs > 0 ? maxHeaderPairs >> 1 : MOST_FIELDS;
}

/** Takes the reading of a connection from Node. The engine has taken it in as `slot`. */
function enter(lane, slot, descriptor) {
  const { handle, parser } = lane;
  handle.readStop();
  lane.slot = slot;
  handle[sockets.kDescriptor] = descriptor;
  handle[kLane] = lane;
  if (parser[kLane] === lane) return;
  parser[kLane] = lane;
  setCallbacks(parser, standIns);
  parser[K.begin] = messageBegin;
  lane.onIncoming = parser.onIncoming;
  parser.onIncoming = onIncoming;
}

/**
 * Stands in for `HTTPParser.prototype.unconsume`: Node takes a parser off its
 * connection when that closes, and when a program reads the socket itself.
 */
function unconsume() {
  const lane = this[kLane];
  if (lane !== undefined) {
    this[kLane] = undefined;
    setCallbacks(this, nodes);
    this[K.begin] = null;
    if (lane.onExecute !== null) this[K.execute] = lane.onExecute;
    this.onIncoming = lane.onIncoming;
    giveBack(lane);
  }
  return nodes.unconsume.call(this);
}

/** What handles ask while the engine reads them. @type {handles.Reader} */
const reader = {
  leave,
  hold: (slot, holds) => engine.hold(slot, holds),
  watch: (slot, watched) => engine.watch(slot, watched),
};

/** Takes all hooks away. No lane may be the engine's. */
function unhook() {
  handles.unguard();
  parserPlaces?.unpatch(parserHooks);
}

/** Lets a connection go: nobody reads it. */
function leave(lane) {
  const { handle, slot } = lane;
  lane.slot = -1;
  handle[sockets.kDescriptor] = undefined;
  engine.leave(slot);
}

/** Has Node read a connection again, if it was being read. Nothing where Node does. */
function giveBack(lane) {
  if (lane.slot < 0) return;
  leave(lane);
  if (lane.handle.reading) lane.handle.readStart();
}

/**
 * Has Node's parser go on with a read, as its own reading would.
 * @param {Lane} lane
 * @param {import('../marks').Rest | null} rest null for nothing
 * @param {number} read bytes of the whole read
 */
function feed(lane, rest, read) {
  if (rest === null) {
    giveRead(lane, read);
  } else if (lane.isOpen) {
    parsers.feed(lane.parser, rest, (result) => giveRead(lane, result));
  }
}

/**
 * Has Node's parser parse an empty request, so that it stands where it would
 * behind the one that the engine parsed: between messages, or behind the last.
 * @param {Lane} lane
 * @param {{ method: string, fields: string[], persists: boolean }} request
 */
function prime(lane, { method, fields, persists }) {
  if (fields.length > GATHERED) lane.gathers = true;
  lane.persists = persists;
  parsers.prime(lane.parser, method, persists, lane.gathers);
}

/** Whether a request can be dispatched without priming first. */
function isPrimed(lane, { method, fields, persists }) {
  const gathers = fields.length > GATHERED && !lane.gathers;
  return (
    lane.resource !== null && parsers.numbers.has(method) && lane.persists === persists && !gathers
  );
}

/** The connection that has come to its end, and the error that ended it. */
let ending = null;
let cause = null;

/** Tells Node that the peer sends no more, as its own reading does (`onStreamRead`). */
function end(lane) {
  endWith(lane, null);
}

/** Tells Node that reading has failed, likewise. */
function endWith(lane, error) {
  if (lane.slot >= 0) leave(lane);
  ending = lane.socket;
  cause = error;
  scopes.run(scopes.ofHandle(lane), tellEnd);
}

function tellEnd() {
  const socket = ending;
  const error = cause;
  ending = null;
  cause = null;
  socket._unrefTimer();
  if (error !== null) {
    socket.destroy(error);
  } else if (!socket._readableState.endEmitted) {
    socket.push(null);
    socket.read(0);
  }
}

/** The `headers` of the request that is being given to Node, if they are made already. */
let given = null;

/**
 * Gives a head to Node, which makes request and response and emits 'request'.
 * @param {Lane} lane
 * @param {{ method: string, target: string, fields: string[], headers: object | null, persists: boolean }} request
 */
function giveHead(lane, { method, target, fields, headers, persists }) {
  const { parser } = lane;
  // Where they were given before, Node has gathered them itself.
  const list = lane.gathers ? undefined : fields;
  const url = lane.gathers ? undefined : target;
  const number = parsers.numbers.get(method);
  given = headers;
  try {
    nodes.headersComplete.call(
      parser,
      1,
      1,
      list,
      number,
      url,
      undefined,
      undefined,
      false,
      persists,
    );
  } finally {
    given = null;
  }
}

/** Gives some of more fields to Node than its parser gathers. */
function giveFields({ parser }, { fields, target }, from) {
  nodes.headers.call(parser, fields.slice(from, from + GATHERED), from === 0 ? target : '');
}

/** Gives a piece of a body to Node. */
function giveBody(lane, bytes) {
  nodes.body.call(lane.parser, bytes);
}

/** Tells Node that a request has come completely. */
function giveEnd(lane) {
  nodes.messageComplete.call(lane.parser);
}

/** Tells Node what became of a read: its bytes, or the error of its parser. */
function giveRead(lane, result) {
  lane.parser[K.execute]?.(result);
}

/**
 * Has Node's parser stand as it does where a callback threw: it takes nothing more.
 * @param {Lane} lane
 * @param {unknown} error
 * @param {parsers.Stage} at
 */
function spoil(lane, error, at) {
  if (lane.isOpen) parsers.spoil(lane.parser, error, at);
}

/** The message that Node's parser is at, while Node reads a connection that the engine may take again. */
class Message {
  constructor(take) {
    this.take = take;
    this.begun = false;
    this.request = null;
    this.persists = true;
  }
}

/** Called when Node's parser begins a message. */
function messageBegin() {
  const lane = this[kLane];
  if (lane === undefined || parsers.isActing()) return;
  // Of bytes that the program has put before those of the peer.
  if (lane.slot >= 0) engine.parses(lane);
  const { message } = lane;
  if (message === null) return;
  message.begun = true;
  message.request = null;
}

/** Stands in for `onIncoming` of a parser. */
function onIncoming(request, persists) {
  const lane = this[kLane];
  const { message } = lane;
  const headers = given;
  given = null;
  if (message !== null) {
    message.request = request;
    message.persists = persists;
  } else if (headers !== null && lane.hasStockHeaders && request.constructor === IncomingMessage) {
    request.headers = headers;
  }
  return lane.onIncoming(request, persists);
}

/**
 * Calls `take` at each end of a read of Node's after which the connection stands
 * between two requests, until it returns true.
 */
function watchForBoundary(lane, take) {
  const { parser } = lane;
  lane.message = new Message(take);
  if (lane.onExecute !== null) return;
  lane.onExecute = parser[K.execute];
  parser[K.execute] = executed;
}

/** Stands in for a parser's callback of a read. */
function executed(count) {
  const lane = this[kLane];
  lane.onExecute(count);
  atBoundary(lane);
}

/** Calls what waits for it if the connection stands between two requests. */
function atBoundary(lane) {
  const { message } = lane;
  if (message === null || lane.parser[kLane] !== lane) return;
  if (message.begun && message.request?.complete !== true) return;
  if (!message.persists || message.request?.upgrade) return;
  message.begun = false;
  if (!isPlain(lane.socket) || !message.take(lane)) return;
  lane.message = null;
}

module.exports = {
  laneOf,
  unhook,
  mostFields,
  enter,
  end,
  endWith,
  giveBack,
  feed,
  prime,
  isPrimed,
  giveHead,
  giveFields,
  giveBody,
  giveEnd,
  giveRead,
  spoil,
  watchForBoundary,
  connect: (functions) => (engine = functions),
};
