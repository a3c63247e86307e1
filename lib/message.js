'use strict';

// buildHttpMessage: the builder that the addon offers to programs.

const { STATUS_CODES } = require('node:http');
const { isUint8Array } = require('node:util').types;
const { markAsUntransferable } = require('node:worker_threads');
const { addon, reason: unavailable } = require('./native');
const { registers, fillLengths, R, OUTCOME, CONNECTION, BODY, ABSENT } = require('./registers');
const { currentSecond } = require('./clock');
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
  const count = headers.length;
  if (count % 2 !== 0) {
    throw errors.invalidArgValue('headers', headers, 'must hold a value for each name');
  }
  // Options, headers and the encoding may run code of the program, which may
  // come back here; the registers are written when that is over.
  const described = options === undefined ? DEFAULTS : readOptions(options);
  const reason = described.statusMessage ?? STATUS_CODES[status] ?? 'unknown';
  const kind = bodyKind(body, described.encoding);
  const joined = fillLengths(count, (lengths) => reason + join(headers, count, lengths));
  registers[R.Status] = status;
  registers[R.Start] = reason.length;
  registers[R.Date] = described.date ? currentSecond() : ABSENT;
  registers[R.Connection] = described.connection;
  registers[R.Timeout] = described.timeout;
  registers[R.Max] = described.max;
  registers[R.OmitBody] = described.omitBody ? 1 : 0;
  registers[R.Body] = kind;
  return build(joined, body, headers);
}

/** Joins `count` names and values, and notes their lengths. */
function join(headers, count, lengths) {
  let joined = '';
  for (let i = 0; i < count; i += 2) {
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
  return joined;
}

const DEFAULTS = Object.freeze({
  statusMessage: undefined,
  date: true,
  connection: CONNECTION.KEEP_ALIVE,
  timeout: ABSENT,
  max: ABSENT,
  omitBody: false,
  encoding: undefined,
});

/** Checks the options; each is read once. */
function readOptions(options) {
  if (options === null || typeof options !== 'object') {
    throw errors.invalidArgType('options', 'of type object', options);
  }
  const { statusMessage, date = true, omitBody = false, keepAlive, maxRequests } = options;
  if (statusMessage !== undefined && typeof statusMessage !== 'string') {
    throw errors.invalidArgType('options.statusMessage', 'of type string', statusMessage);
  }
  if (typeof date !== 'boolean') {
    throw errors.invalidArgType('options.date', 'of type boolean', date);
  }
  if (typeof omitBody !== 'boolean') {
    throw errors.invalidArgType('options.omitBody', 'of type boolean', omitBody);
  }
  const { encoding } = options;
  if (encoding !== undefined && encoding !== 'utf8' && encoding !== 'latin1') {
    throw errors.invalidArgValue('options.encoding', encoding, "must be 'utf8' or 'latin1'");
  }
  return { statusMessage, date, omitBody, encoding, ...persistence(keepAlive, maxRequests) };
}

/**
 * The connection fields to add; as in Node, a timeout of zero gives no
 * Keep-Alive field, and there is no `max` without one.
 */
function persistence(keepAlive, maxRequests) {
  if (keepAlive !== undefined && keepAlive !== false) {
    if (typeof keepAlive !== 'number') {
      throw errors.invalidArgType('options.keepAlive', 'of type number or false', keepAlive);
    }
    if (!(keepAlive >= 0 && keepAlive <= Number.MAX_SAFE_INTEGER)) {
      throw errors.invalidArgValue('options.keepAlive', keepAlive, 'must be a number of seconds');
    }
  }
  if (maxRequests !== undefined) {
    if (typeof maxRequests !== 'number') {
      throw errors.invalidArgType('options.maxRequests', 'of type number', maxRequests);
    }
    if (!Number.isSafeInteger(maxRequests) || maxRequests < 0) {
      throw errors.invalidArgValue('options.maxRequests', maxRequests, 'must be a count');
    }
  }
  const hasTimeout = keepAlive > 0;
  return {
    connection: keepAlive === false ? CONNECTION.CLOSE : CONNECTION.KEEP_ALIVE,
    timeout: hasTimeout ? Math.floor(keepAlive) : ABSENT,
    max: hasTimeout && maxRequests > 0 ? maxRequests : ABSENT,
  };
}

/** @returns {number} one of BODY */
function bodyKind(body, encoding) {
  if (typeof body === 'string') return encoding === 'latin1' ? BODY.LATIN1 : BODY.UTF8;
  if (body === undefined || body === null) return BODY.NONE;
  if (isUint8Array(body)) return BODY.BYTES;
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
