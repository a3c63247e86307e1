'use strict';

// What the package knows under private names of Node's parser: its callbacks,
// and how it is given bytes that the engine has read, or that nobody sent.

const { isNative } = require('../source');
const early = require('./early');
const { kLane } = require('./handles');
const { Places } = require('./places');
const scopes = require('./scopes');

/** Where a parser has its callbacks, and Node's own; known once there is a parser. */
const K = {};
const nodes = {};

/** Whether connections have Node's own parser, which keeps nothing of what it is given. */
let isNodes = false;
const METHODS = ['execute', 'consume', 'unconsume', 'getCurrentBuffer'];

/** Learns what is known of the parsers of this process from the first. @returns {boolean} whether they are Node's own */
function learn(parser) {
  if (K.execute !== undefined) return isNodes;
  const { constructor: HTTPParser } = parser;
  K.begin = HTTPParser.kOnMessageBegin;
  K.headers = HTTPParser.kOnHeaders;
  K.headersComplete = HTTPParser.kOnHeadersComplete;
  K.body = HTTPParser.kOnBody;
  K.messageComplete = HTTPParser.kOnMessageComplete;
  K.execute = HTTPParser.kOnExecute;
  nodes.headers = parser[K.headers];
  nodes.headersComplete = parser[K.headersComplete];
  nodes.body = parser[K.body];
  nodes.messageComplete = parser[K.messageComplete];
  nodes.execute = HTTPParser.prototype.execute;
  const { prototype: target } = HTTPParser;
  isNodes = METHODS.every((name) => isNative(target[name], name));
  if (!isNodes) return false;
  // For good: what was fed may be asked for when the part is off already.
  new Places(nodes, [
    { hook: 'getCurrentBuffer', target, name: 'getCurrentBuffer', own: true },
  ]).patch({ getCurrentBuffer });
  return true;
}

/** Names and values that Node's parser gathers before it gives them away (kMaxHeaderFieldsCount). */
const GATHERED = 62;

/** Methods by name, as Node's parser numbers them; known once each was parsed. */
const numbers = new Map();

/** Has what was thrown be an uncaught exception, here and now. @type {(error: unknown) => void} */
let uncaught;

/** Whether the callbacks of a parser are Node's, or those that stand in for them. */
function isKnown(parser) {
  const headers = parser[K.headers];
  const headersComplete = parser[K.headersComplete];
  const body = parser[K.body];
  const messageComplete = parser[K.messageComplete];
  return (
    (headers === nodes.headers || headers === standIns.headers) &&
    (headersComplete === nodes.headersComplete || headersComplete === standIns.headersComplete) &&
    (body === nodes.body || body === standIns.body) &&
    (messageComplete === nodes.messageComplete || messageComplete === standIns.messageComplete)
  );
}

/** Gives a parser its callbacks: `standIns`, or `nodes`. @param {typeof standIns} callbacks */
function setCallbacks(parser, { headers, headersComplete, body, messageComplete }) {
  parser[K.headers] = headers;
  parser[K.headersComplete] = headersComplete;
  parser[K.body] = body;
  parser[K.messageComplete] = messageComplete;
}

// Node 26 looks a parser's callbacks up only once a connection. So these are put
// there for good, and do what Node's own do but while a lane says otherwise.

/**
 * What they do instead while a parser is given bytes of ours; null while Node's do.
 * @type {typeof PRIMING | Stage | null}
 * @typedef {'headersComplete' | 'body' | 'messageComplete'} Stage the one that throws `thrown`
 */
let stage = null;
const PRIMING = Symbol('onewrite.priming');
let thrown;
/** The method that a parser is primed with. */
let primedWith = '';

/** The parser that parses what the engine has read. */
let fed = null;

const standIns = {
  headersComplete(major, minor, fields, number) {
    if (stage !== null) return acting(this[kLane], 'headersComplete', number);
    return tell(nodes.headersComplete, this, arguments);
  },
  headers() {
    const lane = this[kLane];
    if (stage !== null) return acting(lane, 'headers');
    tell(nodes.headers, this, arguments);
    if (lane !== undefined) lane.gathers = true;
    if (fed === this) runTicks();
  },
  body() {
    if (stage !== null) return acting(this[kLane], 'body');
    tell(nodes.body, this, arguments);
    // As Node does behind each, but where JavaScript has called its parser.
    if (fed === this) runTicks();
  },
  messageComplete() {
    if (stage !== null) return acting(this[kLane], 'messageComplete');
    return tell(nodes.messageComplete, this, arguments);
  },
};

/**
 * Has Node's own callback run.
 * @throws {typeof DEALT_WITH} for what it throws where JavaScript has called the
 *   parser: it is uncaught here and now, in the context of the request
 */
function tell(callback, parser, args) {
  if (fed !== parser) return Reflect.apply(callback, parser, args);
  try {
    return Reflect.apply(callback, parser, args);
  } catch (error) {
    uncaught(error);
    throw DEALT_WITH;
  }
}

/** What is thrown for an exception that has been dealt with as uncaught. */
const DEALT_WITH = Symbol('onewrite.dealtWith');

/**
 * Runs ticks and microtasks.
 * @throws {typeof DEALT_WITH} for what one of them threw. It is uncaught here and
 *   now, for it has left its async id behind.
 */
function runTicks() {
  try {
    early.runTicks();
  } catch (error) {
    uncaught(error);
    throw DEALT_WITH;
  }
}

function acting(lane, at, number) {
  if (stage === at) throw thrown;
  if (stage === PRIMING && at === 'headersComplete') {
    numbers.set(primedWith, number);
    lane.resource ??= scopes.here();
  }
  return 0;
}

/** Has Node's parser parse bytes, and nobody hear of it. */
function execute(parser, instead, bytes) {
  stage = instead;
  try {
    nodes.execute.call(parser, bytes);
  } finally {
    stage = null;
  }
}

const primers = new Map();

function primer(method, persists, gathers) {
  // Most are looked up by a string that is there already.
  const isCommon = persists && !gathers;
  const key = isCommon ? method : `${method} ${persists} ${gathers}`;
  let bytes = primers.get(key);
  if (bytes === undefined) {
    const connection = persists ? '' : 'Connection: close\r\n';
    const fields = gathers ? 'A:b\r\n'.repeat(GATHERED / 2 + 1) : '';
    bytes = Buffer.from(`${method} / HTTP/1.1\r\n${connection}${fields}\r\n`);
    primers.set(key, bytes);
  }
  return bytes;
}

/** Has a parser parse an empty request of this method. */
function prime(parser, method, persists, gathers) {
  primedWith = method;
  execute(parser, PRIMING, primer(method, persists, gathers));
}

/** What a parser was fed, while Node is told of it. @type {{ parser: object, whole: () => Buffer } | null} */
let parsed = null;

/**
 * Has a parser parse bytes that the engine has read, and tells what became of it.
 * @param {import('../marks').Rest} rest
 * @param {(result: number | Error | undefined) => void} tellOf
 */
function feed(parser, { bytes, start, whole }, tellOf) {
  fed = parser;
  let result;
  try {
    result = nodes.execute.call(parser, bytes);
  } finally {
    fed = null;
  }
  if (typeof result === 'number') result += start;
  else if (typeof result?.bytesParsed === 'number') result.bytesParsed += start;
  parsed = { parser, whole };
  try {
    tellOf(result);
  } finally {
    parsed = null;
  }
}

/** Stands in for `HTTPParser.prototype.getCurrentBuffer`: what Node finds there after a read of its own. */
function getCurrentBuffer() {
  return parsed?.parser === this ? parsed.whole() : nodes.getCurrentBuffer.call(this);
}

/** Whatever is parsed, each callback comes to its turn. */
const SPOILER = Buffer.from('POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\n.');

/**
 * Has Node's parser stand as it does where a callback threw: it takes nothing more.
 * @param {unknown} error
 * @param {Stage} at
 */
function spoil(parser, error, at) {
  // The program may have taken the socket meanwhile.
  const isLeft = parser[K.headers] === nodes.headers;
  if (isLeft) setCallbacks(parser, standIns);
  thrown = error;
  try {
    execute(parser, at, SPOILER);
  } catch {
    // As meant.
  }
  thrown = undefined;
  if (isLeft) setCallbacks(parser, nodes);
}

module.exports = {
  K,
  nodes,
  learn,
  GATHERED,
  numbers,
  standIns,
  isKnown,
  setCallbacks,
  isActing: () => stage !== null,
  DEALT_WITH,
  runTicks,
  prime,
  feed,
  spoil,
  connect: (dealWith) => (uncaught = dealWith),
};
