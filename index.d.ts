/// <reference types="node" />

/**
 * The parts that {@link install} can switch on. Each is on unless `false`. The
 * environment variable `ONEWRITE` (`off`, `all`, or a comma list of parts)
 * decides over this.
 */
export interface InstallOptions {
  /** Responses framed by the addon and sent in one write. */
  responses?: boolean;
  /** Requests that nobody reads ended without ticks of their own. */
  teardown?: boolean;
  /** Plain requests read and parsed by the addon. */
  engine?: boolean;
}

/** What became of one part. */
export interface PartReport {
  /** Whether the part is on. */
  on: boolean;
  /** Why it is off; `null` when it is on. */
  reason: string | null;
}

/** What {@link install} did, part by part. */
export interface InstallReport {
  /** The parts by name. */
  parts: {
    /** Responses framed by the addon and sent in one write. */
    responses: PartReport;
    /** Requests that nobody reads ended without ticks of their own. */
    teardown: PartReport;
    /** Plain requests read and parsed by the addon. */
    engine: PartReport;
  };
}

/**
 * Patches `node:http` for this process. May be called again, and by several
 * copies of the package: a part is switched on once.
 *
 * Never throws for what the platform lacks. A part that cannot be on stays off,
 * the report says why, and one process warning with the code
 * `ONEWRITE_UNAVAILABLE` is emitted; what the part does is then done by Node's
 * own code. A part that would bypass what the program itself has replaced stays
 * off without a warning. Where `ONEWRITE` names what is no part, a process
 * warning with the code `ONEWRITE_UNKNOWN_PART` is emitted once.
 *
 * @param options the parts that are wanted; default: all
 * @returns what became of each part
 * @throws {TypeError} `ERR_INVALID_ARG_TYPE`: `options` is no object
 */
export function install(options?: InstallOptions): InstallReport;

/**
 * Puts back the functions that were there before {@link install}, and has Node
 * read all connections. Responses under way end as they would have. Where
 * another package has wrapped one of them meanwhile, the wrapper stays and the
 * function beneath passes through.
 */
export function uninstall(): void;

/**
 * Why a response is handed back to Node's own code:
 *
 * - `forced`: `ONEWRITE_FORCE=handback` asked for it, as tests do
 * - `head`: a field or a status message that Node must render: a value that is
 *   not ASCII text, a number or an array of those; `Trailer`, `Expect`, the
 *   option `uniqueHeaders`; a chunked 204 or 304
 * - `encoding`: a body encoding other than utf8, latin1 or ascii
 * - `trailers`: `addTrailers()`
 * - `started`: `write()` or `flushHeaders()` came before `end()`
 * - `waiting`: it waits for its turn in a pipeline, or waited and is more than a text
 *   and a `Buffer`
 * - `no-socket`: it has no socket
 * - `socket`: TLS, or a socket that is patched, corked or busy
 * - `overridden`: it overrides a method that the fast path bypasses
 * - `large`: it reaches the socket's `writableHighWaterMark`
 * - `short`: the kernel took only a part of it, or nothing
 *
 * See docs/reasons.md for what a program can change.
 */
export type HandBackReason =
  | 'forced'
  | 'head'
  | 'encoding'
  | 'trailers'
  | 'started'
  | 'waiting'
  | 'no-socket'
  | 'socket'
  | 'overridden'
  | 'large'
  | 'short';

/**
 * Why the end of a request that nobody read is left to Node's own ticks:
 *
 * - `touched`: it has not come completely, was paused or destroyed, or overrides
 *   a method of its end
 * - `heard`: somebody listens to its end, or to `'finish'` or `'close'` of the
 *   response
 * - `connection`: the connection goes on with another request, or ends with it
 * - `overridden`: the response has an `emit()` of its own, or its socket a
 *   `setTimeout()`
 * - `scheduled`: the program scheduled a tick that comes in between
 *
 * See docs/reasons.md for what a program can change.
 */
export type TeardownHandBackReason =
  | 'touched'
  | 'connection'
  | 'heard'
  | 'overridden'
  | 'scheduled';

/**
 * Why a request is left to Node's own parser, with its connection:
 *
 * - `partial`: it has not come completely in one read
 * - `large`: its head reaches `maxHeaderSize`, or has more fields than Node keeps
 * - `method`: `CONNECT`, or none that Node knows
 * - `target`: a target in an uncommon form
 * - `version`: another version than HTTP/1.1
 * - `field`: a field line that is malformed or folded
 * - `framing`: `Content-Length` or `Transfer-Encoding` are repeated, given
 *   together, or uncommon
 * - `upgrade`, `expect`: it has an `Upgrade` or an `Expect` field
 * - `connection`: `Connection` is other than `keep-alive` or `close`
 * - `chunk`: a chunk that is malformed, or has extensions
 * - `trailers`: it has trailers
 * - `observed`: an async hook of the program hears of each callback
 *
 * See docs/reasons.md for what a program or its clients can change.
 */
export type EngineHandBackReason =
  | 'partial'
  | 'large'
  | 'method'
  | 'target'
  | 'version'
  | 'field'
  | 'framing'
  | 'upgrade'
  | 'expect'
  | 'connection'
  | 'chunk'
  | 'trailers'
  | 'observed';

/** Counters since the package was loaded. */
export interface Stats {
  /** Each response that ends is counted once. */
  responses: {
    /** Responses that were framed by the addon and left in one send. */
    fast: number;
    /** Responses that were left to Node's code, by reason; absent for none. */
    handedBack: { [reason in HandBackReason]?: number };
  };
  /** Each request that was received and not read when its response finished is counted once. */
  teardown: {
    /** Requests that nobody read and that ended with their response. */
    fast: number;
    /** Requests that nobody read and that Node's ticks ended, by reason; absent for none. */
    handedBack: { [reason in TeardownHandBackReason]?: number };
  };
  /** Each request that the addon has read is counted once, and none that Node itself read. */
  engine: {
    /** Requests that were read and parsed by the addon. */
    fast: number;
    /** Requests that the addon read and left to Node's parser, by reason; absent for none. */
    handedBack: { [reason in EngineHandBackReason]?: number };
  };
}

/** Plain copies of the counters of this thread, which go on counting. */
export function stats(): Stats;

/** Options of {@link buildHttpMessage}. */
export interface MessageOptions {
  /** Reason phrase; default: that of `http.STATUS_CODES`, else `unknown`. */
  statusMessage?: string;
  /** Whether a `Date` field is added when none is given; default `true`. */
  date?: boolean;
  /**
   * Persistence, when no `Connection` field is given: `false` adds
   * `Connection: close`; otherwise `Connection: keep-alive` is added, and with
   * a number of seconds above 0 `Keep-Alive: timeout=`, rounded down.
   */
  keepAlive?: number | false;
  /** `max` of the `Keep-Alive` field, beside a number of seconds. */
  maxRequests?: number;
  /**
   * Whether the message answers HEAD: the body is left out, and a given
   * `Content-Length` describes it (RFC 9110 section 9.3.2). Default `false`.
   */
  omitBody?: boolean;
  /** Encoding of a string body; default `utf8`. */
  encoding?: 'utf8' | 'latin1';
}

/**
 * Frames a complete HTTP/1.1 response (RFC 9112), in the order of Node's
 * `_storeHeader`: the given fields, then `Date`, `Connection`, `Keep-Alive`,
 * and `Content-Length` or, where a `Trailer` is announced, `Transfer-Encoding`.
 *
 * Field values go out as latin1. Stock Node encodes head and string body
 * together as UTF-8 when both leave in one write, which mangles a latin1 value;
 * the builder does not.
 *
 * A body in chunked coding is one chunk and the last chunk; an empty one is the
 * last chunk alone. 1xx, 204 and 304 carry no body.
 *
 * @param status status code, 100 to 999
 * @param headers `[name, value, name, value, …]`; order, casing and repeats are kept
 * @param body string, bytes or nothing
 * @param options what is not in the fields
 * @returns the message; it is the caller's to keep and to change. Small ones
 *   are slices of a larger memory, as those of `Buffer.from()` are.
 *
 * @throws {RangeError} `ERR_HTTP_INVALID_STATUS_CODE`: the status code is no
 *   integer from 100 to 999
 * @throws {TypeError} `ERR_INVALID_ARG_TYPE`: an argument, a field value or an
 *   option is of a wrong type
 * @throws {TypeError} `ERR_INVALID_ARG_VALUE`: a name without a value, an option
 *   out of range, or both `Content-Length` and `Transfer-Encoding`, the shape
 *   of request smuggling (RFC 9112 section 6.1)
 * @throws {TypeError} `ERR_INVALID_HTTP_TOKEN`: a field name is no token
 * @throws {TypeError} `ERR_INVALID_CHAR`: a control character other than TAB, or
 *   one over U+00FF, in a field value or the reason phrase
 * @throws {Error} `ERR_HTTP_CONTENT_LENGTH_MISMATCH`: a given `Content-Length`
 *   disagrees with the body; not checked with `omitBody` and for 304, where it
 *   describes the absent body
 * @throws {Error} `ERR_HTTP_TRAILER_INVALID`: `Trailer` without chunked coding
 * @throws {Error} `ONEWRITE_UNAVAILABLE`: the addon did not load; the message says why
 */
export function buildHttpMessage(
  status: number,
  headers: ReadonlyArray<string | number>,
  body?: string | Uint8Array | null,
  options?: MessageOptions,
): Buffer;
