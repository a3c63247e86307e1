'use strict';

// Where the responses of a connection end: RFC 9112 section 6.3, for answers to requests other than
// HEAD and CONNECT that are sent one after the other. It parses no more than that takes, for its
// work counts against what the load can ask of a server.

const HEAD_END = '\r\n\r\n';
const LINE_END = '\r\n';

/** Longer heads, and lines of chunks, are not taken for such. */
const LONGEST = 1 << 20;

/**
 * What a reader is in the middle of. `BODY`, `CHUNK` and `CLOSE` skip `left` bytes, of which the
 * last have no end but that of the connection.
 */
const STATE = Object.freeze({ HEAD: 0, BODY: 1, SIZE: 2, CHUNK: 3, TRAILERS: 4, CLOSE: 5 });

/**
 * @typedef {object} Framing what a head says of its message
 * @property {number} status
 * @property {boolean} interim whether the answer itself is yet to come
 * @property {number} length of the body in bytes; -1 in chunked coding, -2 when it ends with the connection
 * @property {boolean} persists whether the connection goes on behind it
 */

/**
 * @param {string} head without the empty line at its end
 * @returns {Framing}
 * @throws {Error} when it is none
 */
function framingOf(head) {
  const line = /^HTTP\/1\.([01]) (\d{3})(?: |\r\n|$)/.exec(head);
  if (line === null) throw new Error(`no status line: ${JSON.stringify(head.slice(0, 60))}`);
  const status = Number(line[2]);
  const fields = (name) =>
    [
      ...head.matchAll(new RegExp(`\\r\\n${name}:[ \\t]*([^\\r\\n]*?)[ \\t]*(?=\\r\\n|$)`, 'gi')),
    ].map((match) => match[1].toLowerCase());
  const connection = fields('connection')
    .join()
    .split(/[ \t]*,[ \t]*/);
  const coding = fields('transfer-encoding').join();
  const lengths = new Set(fields('content-length'));
  const persists =
    !connection.includes('close') && (line[1] === '1' || connection.includes('keep-alive'));
  if (status < 200) {
    if (status === 101) throw new Error('the server switched protocols');
    return { status, interim: true, length: 0, persists: true };
  }
  if (status === 204 || status === 304) return { status, interim: false, length: 0, persists };
  if (coding !== '') {
    const chunked = /(^|,[ \t]*)chunked$/.test(coding);
    return { status, interim: false, length: chunked ? -1 : -2, persists: chunked && persists };
  }
  if (lengths.size === 0) return { status, interim: false, length: -2, persists: false };
  const [length] = lengths;
  if (lengths.size > 1 || !/^\d+$/.test(length)) throw new Error('an invalid Content-Length');
  return { status, interim: false, length: Number(length), persists };
}

class ResponseReader {
  #state = STATE.HEAD;
  #left = 0;
  /** @type {Framing | null} of the response that is being read */
  #framing = null;
  /** What belongs to a head or a line that has not come completely. @type {Buffer | null} */
  #rest = null;
  // Heads of one server mostly repeat, for as long as a second.
  #knownHead = '';
  /** @type {Framing | null} */
  #known = null;
  #onResponse;
  /** Whether a response has been asked for that has not come completely. */
  expects = false;

  /** @param {(status: number, persists: boolean) => void} onResponse called behind the last byte of each */
  constructor(onResponse) {
    this.#onResponse = onResponse;
  }

  /**
   * @param {Buffer} bytes what came; not kept behind the call
   * @throws {Error} for what is no response
   */
  read(bytes) {
    const piece = this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#rest = null;
    let at = 0;
    while (at < piece.length) {
      if (!this.expects) throw new Error('bytes that no request asked for');
      const next = this.#step(piece, at);
      if (next < 0) {
        if (piece.length - at > LONGEST) throw new Error('a head or a line without an end');
        this.#rest = Buffer.from(piece.subarray(at));
        return;
      }
      at = next;
    }
    if (!this.expects) this.#onResponse(this.#framing.status, this.#framing.persists);
  }

  /**
   * The connection has ended.
   * @throws {Error} when a response is to come
   */
  end() {
    if (this.#state === STATE.CLOSE) {
      this.#finish();
      this.#onResponse(this.#framing.status, this.#framing.persists);
    } else if (this.expects) throw new Error('the connection ended before its response');
  }

  /** @returns {number} where it goes on; -1 when that takes more bytes */
  #step(piece, at) {
    switch (this.#state) {
      case STATE.HEAD:
        return this.#readHead(piece, at);
      case STATE.SIZE:
        return this.#readSize(piece, at);
      case STATE.TRAILERS:
        return this.#readTrailer(piece, at);
      case STATE.CLOSE:
        return piece.length;
      default:
        return this.#skip(piece, at);
    }
  }

  #readHead(piece, at) {
    const end = piece.indexOf(HEAD_END, at, 'latin1');
    if (end < 0) return -1;
    const head = piece.latin1Slice(at, end);
    if (head !== this.#knownHead) {
      this.#known = framingOf(head);
      this.#knownHead = head;
    }
    const { interim, length } = (this.#framing = this.#known);
    if (interim) return end + HEAD_END.length;
    this.#left = length;
    if (length === -1) this.#state = STATE.SIZE;
    else if (length === -2) this.#state = STATE.CLOSE;
    else if (length > 0) this.#state = STATE.BODY;
    else this.#finish();
    return end + HEAD_END.length;
  }

  #skip(piece, at) {
    const count = Math.min(this.#left, piece.length - at);
    this.#left -= count;
    if (this.#left === 0) {
      if (this.#state === STATE.BODY) this.#finish();
      else this.#state = STATE.SIZE;
    }
    return at + count;
  }

  #readSize(piece, at) {
    const end = piece.indexOf(LINE_END, at, 'latin1');
    if (end < 0) return -1;
    const [, size] = /^([\da-f]+)(;.*)?$/i.exec(piece.latin1Slice(at, end)) ?? [];
    if (size === undefined || size.length > 13) throw new Error('an invalid chunk');
    const length = Number.parseInt(size, 16);
    this.#left = length + LINE_END.length;
    this.#state = length === 0 ? STATE.TRAILERS : STATE.CHUNK;
    return end + LINE_END.length;
  }

  #readTrailer(piece, at) {
    const end = piece.indexOf(LINE_END, at, 'latin1');
    if (end < 0) return -1;
    if (end === at) this.#finish();
    return end + LINE_END.length;
  }

  #finish() {
    this.#state = STATE.HEAD;
    this.expects = false;
  }
}

module.exports = { ResponseReader };
