'use strict';

// Errors of the package's own functions, with Node's classes, codes and words
// (lib/internal/errors.js of Node).

const { format, inspect } = require('node:util');

function coded(Base, code, message) {
  return Object.assign(new Base(message), { code });
}

function received(value) {
  if (value === null || value === undefined) return ` Received ${value}`;
  if (typeof value === 'function') return ` Received function ${value.name}`;
  if (typeof value === 'object') {
    const name = value.constructor?.name;
    return name ? ` Received an instance of ${name}` : ` Received ${inspect(value, { depth: -1 })}`;
  }
  return ` Received type ${typeof value} (${inspect(value).slice(0, 28)})`;
}

/** An argument of a wrong type. */
const invalidArgType = (name, expected, value) =>
  coded(
    TypeError,
    'ERR_INVALID_ARG_TYPE',
    `The "${name}" ${name.includes('.') ? 'property' : 'argument'} must be ${expected}.${received(value)}`,
  );

function shortened(value) {
  const inspected = inspect(value);
  return inspected.length > 128 ? `${inspected.slice(0, 128)}...` : inspected;
}

/** An argument of the right type with a value that cannot be. */
const invalidArgValue = (name, value, reason) =>
  coded(
    TypeError,
    'ERR_INVALID_ARG_VALUE',
    `The ${name.includes('.') ? 'property' : 'argument'} '${name}' ${reason}. Received ${shortened(value)}`,
  );

/** A status code outside 100 to 999. */
const invalidStatusCode = (status) =>
  coded(RangeError, 'ERR_HTTP_INVALID_STATUS_CODE', format('Invalid status code: %s', status));

/** A field name that is no token. */
const invalidToken = (name) =>
  coded(
    TypeError,
    'ERR_INVALID_HTTP_TOKEN',
    format('Header name must be a valid HTTP token ["%s"]', name),
  );

/** A character that may not stand in a field value or a reason phrase. */
const invalidChar = (what, field) =>
  coded(
    TypeError,
    'ERR_INVALID_CHAR',
    `Invalid character in ${what}${field === undefined ? '' : ` ["${field}"]`}`,
  );

/** A Content-Length that disagrees with the body. */
const lengthMismatch = (body, given) =>
  coded(
    Error,
    'ERR_HTTP_CONTENT_LENGTH_MISMATCH',
    `Response body's content-length of ${body} byte(s) does not match the content-length of ${given} byte(s) set in header`,
  );

/** A Trailer field in a message that has no trailer section. */
const trailerInvalid = () =>
  coded(Error, 'ERR_HTTP_TRAILER_INVALID', 'Trailers are invalid with this transfer encoding');

/** The addon is not there. */
const unavailable = (reason) =>
  coded(Error, 'ONEWRITE_UNAVAILABLE', `onewrite cannot build messages: ${reason}`);

module.exports = {
  invalidArgType,
  invalidArgValue,
  invalidStatusCode,
  invalidToken,
  invalidChar,
  lengthMismatch,
  trailerInvalid,
  unavailable,
};
