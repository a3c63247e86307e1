'use strict';

// The head of a response that waits to be framed by the addon: its given
// fields as one joined string, and what they say about framing.

const { addon } = require('./native');
const { registers, lengthsFor, R, CONNECTION, LENGTH, ABSENT } = require('./registers');
const { KIND, kindOf } = require('./fields');
const { runsCode, withRest } = require('./reread');

// Characters that a field value of the fast path may not have. Latin1 ones are
// allowed by Node, but then the bytes depend on how the body is sent.
const NOT_PLAIN = /[^\t\x20-\x7e]/;
// Node's RE_CONN_CLOSE and chunkExpression.
const CLOSE = /(?:^|\W)close(?:$|\W)/i;
const CHUNKED = /(?:^|\W)chunked(?:$|\W)/i;

class Head {
  /**
   * @param {string} statusLine with its CRLF
   * @param {boolean} splits whether an array of values gives a line each
   */
  constructor(statusLine, splits) {
    this.splits = splits;
    this.joined = statusLine;
    this.start = statusLine.length;
    /** Length of each joined name and value in turn, `count` of them. */
    this.lengths = new Array(16);
    this.count = 0;

    // Facts of the given fields, as Node's matchHeader gathers them.
    this.givesConnection = false;
    this.givesClose = false;
    this.givesPersistence = false;
    this.givesCoding = false;
    this.givesChunked = false;
    this.givesLength = false;
    this.givenLength = 0;
    this.givesDate = false;
    this.givesKeepAlive = false;

    // The fields to add; set by internals.settle().
    this.date = ABSENT;
    this.connection = CONNECTION.ABSENT;
    this.timeout = ABSENT;
    this.max = ABSENT;
    this.length = LENGTH.ABSENT;

    /** The rendered text, once somebody asked for it. @type {string | null} */
    this.text = null;
    /** Arguments of the `_send` calls that wait, four a call. @type {unknown[] | null} */
    this.calls = null;
    /** How many calls wait. */
    this.waiting = 0;
  }

  /**
   * Takes a field in.
   * @param {unknown} name
   * @param {unknown} value
   * @returns {boolean} false when the head must be left to Node; then the
   *   object is of no more use
   */
  add(name, value) {
    const kind = kindOf(name);
    if (kind === KIND.NODES) return false;
    let text = value;
    if (typeof value === 'string') {
      if (NOT_PLAIN.test(value)) return false;
    } else if (typeof value === 'number') {
      text = `${value}`;
    } else {
      return Array.isArray(value) && this.addEach(name, kind, value);
    }
    if (kind !== KIND.PLAIN && !this.match(kind, value)) return false;
    this.joined += name;
    this.joined += text;
    this.lengths[this.count++] = name.length;
    this.lengths[this.count++] = text.length;
    return true;
  }

  /** As `add`, but leaves the fields as they were when it returns false. */
  take(name, value) {
    const { count } = this;
    if (this.add(name, value)) return true;
    this.count = count;
    return false;
  }

  /** The fields taken in, name and value in turn. */
  fields() {
    const list = [];
    let at = this.start;
    for (let i = 0; i < this.count; i++) list.push(this.joined.slice(at, (at += this.lengths[i])));
    return list;
  }

  /**
   * What Node is to read when a field must be left to it.
   * @returns {unknown[] | null} null for the headers as they were given
   */
  leave(name, value, from, headers, pairs) {
    if (!runsCode(headers)) return null;
    return withRest([...this.fields(), name, value], from, headers, pairs);
  }

  /** A field of several lines, one a value, as of Set-Cookie. */
  addEach(name, kind, values) {
    // Cookies are joined, and Content-Disposition values replaced in the array.
    if (!this.splits) return false;
    if (kind === KIND.COOKIE || kind === KIND.CONTENT_DISPOSITION) return false;
    for (let i = 0; i < values.length; i++) {
      if (Array.isArray(values[i]) || !this.add(name, values[i])) return false;
    }
    return true;
  }

  match(kind, value) {
    switch (kind) {
      case KIND.CONNECTION:
        this.givesConnection = true;
        if (CLOSE.test(value)) this.givesClose = true;
        else this.givesPersistence = true;
        return true;
      case KIND.TRANSFER_ENCODING:
        this.givesCoding = true;
        if (CHUNKED.test(value)) this.givesChunked = true;
        return true;
      case KIND.CONTENT_LENGTH:
        this.givesLength = true;
        this.givenLength = +value;
        return true;
      case KIND.DATE:
        this.givesDate = true;
        return true;
      case KIND.KEEP_ALIVE:
        this.givesKeepAlive = true;
        return true;
      case KIND.CONTENT_DISPOSITION:
        // ASCII text is the same in the latin1 treatment of Node; a number throws there.
        return typeof value === 'string';
      default:
        return true;
    }
  }

  /** Has a call of `_send` wait. */
  hold(data, encoding, callback, byteLength) {
    // Room for the two calls that most responses make.
    this.calls ??= new Array(8);
    const at = 4 * this.waiting++;
    this.calls[at] = data;
    this.calls[at + 1] = encoding;
    this.calls[at + 2] = callback;
    this.calls[at + 3] = byteLength;
  }

  /** Writes the head into the registers. */
  load() {
    registers[R.Start] = this.start;
    const lengths = lengthsFor(this.count);
    for (let i = 0; i < this.count; i++) lengths[i] = this.lengths[i];
    registers[R.Date] = this.date;
    registers[R.Connection] = this.connection;
    registers[R.Timeout] = this.timeout;
    registers[R.Max] = this.max;
    registers[R.Length] = this.length;
  }

  /**
   * The text of the head as it goes out.
   * @returns {string}
   */
  render() {
    if (this.text === null) {
      this.load();
      this.text = addon.renderHead(this.joined);
    }
    return this.text;
  }
}

const NOT_PLAIN_LINE = /[^\t\x20-\x7e\r\n]/;

// The length of a status line but for its reason phrase.
const STATUS_LINE = 'HTTP/1.1 200 \r\n'.length;

let plainReason = 'OK';

// Most responses of a program have the same reason phrase. The line itself is
// concatenated, and looking into it would have it copied once more.
function isPlainLine(line, reason) {
  const isUsual = typeof reason === 'string' && line.length === STATUS_LINE + reason.length;
  if (isUsual && reason === plainReason) return true;
  if (NOT_PLAIN_LINE.test(line)) return false;
  if (isUsual) plainReason = reason;
  return true;
}

/**
 * Gathers the head of a response from the arguments of Node's `_storeHeader`.
 * @param {string} statusLine with its CRLF
 * @param {unknown} reason the response's reason phrase
 * @param {object | unknown[] | null | undefined} headers object, flat array or array of pairs
 * @param {object | null} stored the response's own store, whose entries are `[name, value]`
 * @param {boolean} splits whether an array of values gives a line each
 * @returns {Head | unknown[] | null} when the head must be left to Node, the
 *   headers for it to read, or null for those that were given
 */
function gather(statusLine, reason, headers, stored, splits) {
  if (!isPlainLine(statusLine, reason)) return null;
  const head = new Head(statusLine, splits);
  if (!headers) return head;
  if (headers === stored) {
    for (const key in headers) {
      const entry = headers[key];
      if (!head.add(entry[0], entry[1])) return null;
    }
  } else if (!Array.isArray(headers)) {
    const keys = Object.keys(headers);
    for (let i = 0; i < keys.length; i++) {
      const value = headers[keys[i]];
      if (!head.take(keys[i], value)) return head.leave(keys[i], value, i + 1, headers, false);
    }
  } else if (headers.length > 0 && Array.isArray(headers[0])) {
    for (let i = 0; i < headers.length; i++) {
      const entry = headers[i];
      if (!Array.isArray(entry)) return null;
      const name = entry[0];
      const value = entry[1];
      if (!head.take(name, value)) return head.leave(name, value, i + 1, headers, true);
    }
  } else {
    if (headers.length % 2 !== 0) return null;
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i];
      const value = headers[i + 1];
      if (!head.take(name, value)) return head.leave(name, value, i + 2, headers, false);
    }
  }
  return head;
}

module.exports = { Head, gather };
