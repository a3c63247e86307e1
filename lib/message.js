'use strict';

// buildHttpMessage: the builder that the addon offers to programs.

const { STATUS_CODES } = require('node:http');
const { markAsUntransferable } = require('node:worker_threads');
const { currentSecond } = require('./clock');
const { addon, reason: unavailable } = require('./native');
const { registers, lengthsFor, R, OUTCOME, CONNECTION, BODY, ABSENT } = require('./registers');
const errors = require('./errors');

// Small messages share a slab.
const SLAB = 64 * 1024;

let slab = Buffer.alloc(0);
let offset = 0;

/**
 * Memory for messages. What was handed out is never written again, and it
 * cannot be transferred away from under the addon.
 * @param {number} size in bytes
 */
function allocate(size) {
  const memory = Buffer.allocUnsafeSlow(size);
  markAsUntransferable(memory.buffer);
  return memory;
}

/** Frames a response: see index.d.ts. */
function buildHttpMessage(status, headers, body, options) {
  if (addon === null) throw errors.unavailable(unavailable);
  if (!Number.isInteger(status) || status < 100 || status > 999) {
    throw errors.invalidStatusCode(status);
  }
  if (!Array.isArray(headers)) {
    throw errors.invalidArgType('headers', 'an instance of Array', headers);
  }
  if (headers.length % 2 !== 0) {
    throw errors.invalidArgValue('headers', headers, 'must hold a value for each name');
  }
  const reason = setOptions(status, options);
  const lengths = lengthsFor(headers.length);
  let joined = reason;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i];
    if (typeof name !== 'string') throw errors.invalidToken(name);
    let value = headers[i + 1];
    if (typeof value !== 'string') {
      if (typeof value !== 'number') {
        throw errors.invalidArgType(`headers[${i + 1}]`, 'of type string or number', value);
      }
      value = `${value}`;
    }
    lengths[i] = name.length;
    lengths[i + 1] = value.length;
    joined += name;
    joined += value;
  }
  registers[R.Status] = status;
  registers[R.Start] = reason.length;
  registers[R.Body] = bodyKind(body, options);
  return build(joined, body, headers);
}

/**
 * Describes the options to the addon.
 * @returns {string} the reason phrase
 */
function setOptions(status, options) {
  registers[R.Date] = currentSecond();
  registers[R.Connection] = CONNECTION.KEEP_ALIVE;
  registers[R.Timeout] = ABSENT;
  registers[R.Max] = ABSENT;
  registers[R.OmitBody] = 0;
  const standard = STATUS_CODES[status] ?? 'unknown';
  if (options === undefined) return standard;
  if (options === null || typeof options !== 'object') {
    throw errors.invalidArgType('options', 'of type object', options);
  }
  const {
    statusMessage = standard,
    date = true,
    omitBody = false,
    keepAlive,
    maxRequests,
  } = options;
  if (typeof statusMessage !== 'string') {
    throw errors.invalidArgType('options.statusMessage', 'of type string', statusMessage);
  }
  if (typeof date !== 'boolean')
    throw errors.invalidArgType('options.date', 'of type boolean', date);
  if (typeof omitBody !== 'boolean') {
    throw errors.invalidArgType('options.omitBody', 'of type boolean', omitBody);
  }
  if (!date) registers[R.Date] = ABSENT;
  if (omitBody) registers[R.OmitBody] = 1;
  if (keepAlive === false) registers[R.Connection] = CONNECTION.CLOSE;
  else if (keepAlive !== undefined) setKeepAlive(keepAlive, maxRequests);
  return statusMessage;
}

/** The Keep-Alive field; as in Node, a timeout of zero gives none, and no `max` without it. */
function setKeepAlive(seconds, maxRequests) {
  if (typeof seconds !== 'number') {
    throw errors.invalidArgType('options.keepAlive', 'of type number or false', seconds);
  }
  if (!(seconds >= 0 && seconds <= Number.MAX_SAFE_INTEGER)) {
    throw errors.invalidArgValue('options.keepAlive', seconds, 'must be a number of seconds');
  }
  if (seconds > 0) registers[R.Timeout] = Math.floor(seconds);
  if (maxRequests === undefined) return;
  if (typeof maxRequests !== 'number') {
    throw errors.invalidArgType('options.maxRequests', 'of type number', maxRequests);
  }
  if (!Number.isSafeInteger(maxRequests) || maxRequests < 0) {
    throw errors.invalidArgValue('options.maxRequests', maxRequests, 'must be a count');
  }
  if (seconds > 0 && maxRequests > 0) registers[R.Max] = maxRequests;
}

/** @returns {number} one of BODY */
function bodyKind(body, options) {
  const encoding = options?.encoding;
  if (encoding !== undefined && encoding !== 'utf8' && encoding !== 'latin1') {
    throw errors.invalidArgValue('options.encoding', encoding, "must be 'utf8' or 'latin1'");
  }
  if (typeof body === 'string') return encoding === 'latin1' ? BODY.LATIN1 : BODY.UTF8;
  if (body === undefined || body === null) return BODY.NONE;
  if (body instanceof Uint8Array) return BODY.BYTES;
  throw errors.invalidArgType(
    'body',
    'of type string or an instance of Buffer or Uint8Array',
    body,
  );
}

/** Has the addon frame the described message, into the slab if it has room. */
function build(joined, body, headers) {
  // A slab whose memory was taken away in spite of its mark has no length.
  if (offset > slab.length) useSlab(Buffer.alloc(0));
  registers[R.Offset] = offset;
  let length = addon.build(joined, body, slab);
  if (length === OUTCOME.NoRoom) {
    const needed = registers[R.Total];
    useSlab(allocate(Math.max(needed, SLAB)));
    registers[R.Offset] = 0;
    length = addon.build(joined, body, slab);
  }
  if (length < 0) throw refusal(length, headers);
  const start = offset;
  offset += length;
  return slab.subarray(start, offset);
}

function useSlab(memory) {
  slab = memory;
  offset = 0;
}

/** The error for an outcome of the addon: the one place where they become errors. */
function refusal(outcome, headers) {
  const place = 2 * registers[R.Detail];
  switch (outcome) {
    case OUTCOME.Reason:
      return errors.invalidChar('statusMessage');
    case OUTCOME.FieldName:
      return errors.invalidToken(headers[place]);
    case OUTCOME.FieldValue:
      return errors.invalidChar('header content', headers[place]);
    case OUTCOME.NotLatin1:
      return unreadable(headers);
    case OUTCOME.LengthAndCoding:
      return errors.invalidArgValue(
        'headers',
        headers,
        'must not hold both Content-Length and Transfer-Encoding',
      );
    case OUTCOME.LengthMismatch:
      return errors.lengthMismatch(registers[R.Detail], given(headers));
    case OUTCOME.Trailer:
      return errors.trailerInvalid();
    default:
      return new Error(`onewrite: the addon returned ${outcome}`);
  }
}

/** Which text has a character over U+00FF. */
function unreadable(headers) {
  const wrong = /[^\0-\xff]/;
  const place = headers.findIndex((text) => wrong.test(text));
  if (place < 0) return errors.invalidChar('statusMessage');
  return place % 2 === 0
    ? errors.invalidToken(headers[place])
    : errors.invalidChar('header content', headers[place - 1]);
}

function given(headers) {
  const names = (text, i) => i % 2 === 0 && text.toLowerCase() === 'content-length';
  return headers[headers.findIndex(names) + 1];
}

module.exports = { buildHttpMessage };
