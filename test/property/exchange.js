'use strict';

// Serves the cases of a seed to a client of its own and writes what happened, a line a group.
// Whether it runs on stock Node or with the package was decided by its command line.
//
//   node [-r ../../register.js] test/property/exchange.js SEED CASES FILE [GROUP]

const { createHash } = require('node:crypto');
const fs = require('node:fs');
const http = require('node:http');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { ALONE, group } = require('./cases');

const [seed, wanted, file, only] = process.argv.slice(2);
const register = path.join(__dirname, '..', '..', 'register.js');
const installed = register in require.cache;

/** A response that nothing happens to for so long will never close. */
const SILENCE_MS = 150;

/** And this is a defect of the test itself. */
const STUCK_MS = 10_000;

class Subclass extends http.ServerResponse {}

class Overriding extends http.ServerResponse {
  writeHead(...args) {
    this.setHeader('X-Subclass', '1');
    return super.writeHead(...args);
  }

  end(...args) {
    return super.end(...args);
  }
}

/**
 * The servers, each with one connection at a time: options of http.createServer(). The last runs
 * alone, after the others.
 */
const LANES = [
  {},
  {},
  {},
  {},
  {},
  { keepAliveTimeout: 72_500, noDelay: false },
  { keepAliveTimeout: 0 },
  { maxRequestsPerSocket: 5 },
  { uniqueHeaders: ['x-a', 'Set-Cookie'] },
  { highWaterMark: 4096 },
  { insecureHTTPParser: true },
  { rejectNonStandardBodyWrites: true },
  { ServerResponse: Subclass },
  { ServerResponse: Overriding },
  {},
];

const HOUR_MS = 3_600_000;
const DATE = /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g;
const LONG = 1000;

/** A date that may be that of now; a machine that stood still has it from a while ago. */
const isNow = (date) => Math.abs(Date.now() - Date.parse(date)) < HOUR_MS;

/** A text with its dates masked, and what is long replaced by its hash. */
function shorten(text) {
  const masked = text.replace(DATE, (date) => (isNow(date) ? '<date>' : date));
  if (masked.length <= LONG) return masked;
  const digest = createHash('sha1').update(masked).digest('hex');
  return `${masked.slice(0, LONG / 4)}… (${masked.length} characters, ${digest})`;
}

/** A form that survives JSON. */
function plain(value) {
  if (typeof value === 'string') return shorten(value);
  if (value === undefined || Number.isNaN(value)) return `<${value}>`;
  if (Object.is(value, -0)) return '<-0>';
  if (value instanceof Error) return `<${value.code ?? value}>`;
  if (value instanceof http.OutgoingMessage) return '<res>';
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).map(([key, item]) => [key, plain(item)]);
  }
  return typeof value === 'object' || typeof value === 'boolean' || Number.isFinite(value)
    ? value
    : `<${String(value)}>`;
}

const LOOKED_AT = [
  '_header',
  '_headerSent',
  'headersSent',
  'statusCode',
  'statusMessage',
  'finished',
  'writableEnded',
  'writableFinished',
  'writableLength',
  'writableCorked',
  'writableNeedDrain',
  'writable',
  'destroyed',
  'errored',
  'outputSize',
  '_contentLength',
  '_hasBody',
  '_last',
  'chunkedEncoding',
  'shouldKeepAlive',
  'sendDate',
  'strictContentLength',
  '_defaultKeepAlive',
  '_removedConnection',
  '_removedContLen',
  '_removedTE',
];

const SOCKET_LOOKED_AT = ['writableLength', 'writableCorked', 'destroyed', 'writable'];

/** What a program can see of a response and its socket, as far as it changed between two looks. */
class Looks {
  #seen = new Map();
  #before;

  constructor(bytesWritten) {
    this.#before = bytesWritten;
  }

  of(res) {
    const changes = [];
    const see = (name, value) => {
      if (this.#seen.has(name) && Object.is(this.#seen.get(name), value)) return;
      this.#seen.set(name, value);
      changes.push(name, plain(value));
    };
    for (const name of LOOKED_AT) see(name, res[name]);
    see('queued', res.outputData.length);
    for (const name of SOCKET_LOOKED_AT) see(`socket.${name}`, res.socket?.[name]);
    if (res.socket) see('socket.bytesWritten', res.socket.bytesWritten - this.#before);
    return changes;
  }

  /** With the names of all properties. */
  all(res) {
    const names = Object.keys(res).filter((name) => name !== '_header');
    return [...this.of(res), names.join()];
  }
}

const later = {
  tick: (run) => process.nextTick(run),
  microtask: (run) => Promise.resolve().then(run),
  immediate: (run) => setImmediate(run),
};

/** One case as it is served. */
class Served {
  notes = [];
  closed = false;
  /** All steps have been taken. */
  done = false;

  constructor(item, touch) {
    this.item = item;
    this.touch = touch;
  }

  note = (label, value) => {
    this.touch();
    this.notes.push(label, plain(value));
  };

  serve(res) {
    const { note } = this;
    this.res = res;
    this.looks = new Looks(res.req.socket.bytesWritten);
    for (const event of ['prefinish', 'finish', 'close', 'error', 'drain', 'pipe']) {
      res.on(event, (value) => {
        note(`event ${event}`, value);
        if (event !== 'drain') note('then', this.looks.of(res));
        if (event === 'close') this.closed = true;
      });
    }
    this.take(0);
  }

  /** Takes the steps from this one on. */
  take(from) {
    const { res, note } = this;
    const { steps, looks } = this.item;
    for (let i = from; i < steps.length; i++) {
      const { run, wait } = steps[i];
      try {
        note(`step ${i}`, run(res, note));
      } catch (error) {
        note(`step ${i} threw`, [error.name, error.code, error.message]);
      }
      if (looks === 'at all') note('look', this.looks.of(res));
      else if (looks === 'at headersSent') note('headersSent', res.headersSent);
      if (wait !== undefined) {
        later[wait](() => this.take(i + 1));
        return;
      }
    }
    this.finish();
  }

  finish() {
    const { res, note } = this;
    note('at the end', this.looks.all(res));
    if (!res.writableEnded) {
      try {
        note('ended', res.end());
      } catch (error) {
        note('ending threw', [error.name, error.code, error.message]);
      }
      note('look', this.looks.of(res));
    }
    if (!res.writableEnded) {
      note('destroyed', undefined);
      res.destroy();
    }
    // Large bodies take the kernel a while or not, and then these come sooner or later.
    if ((res.socket?.writableLength ?? 0) === 0 && (res.socket?.bytesWritten ?? 0) < 8192) {
      process.nextTick(note, 'a tick');
      Promise.resolve().then(() => note('a microtask'));
    }
    this.done = true;
    this.touch();
  }
}

/** Calls after so many turns of the event loop. */
function turns(count, call) {
  if (count === 0) call();
  else setImmediate(turns, count - 1, call);
}

/** One server with its client. */
class Lane {
  id = '';
  tainted = false;
  #bytes = '';
  #client = null;
  #socket = null;
  #served = [];
  #cases = [];
  #progress = null;
  #last = 0;
  #ended = false;
  #noDelay;

  constructor(number, options) {
    this.number = number;
    this.#noDelay = options.noDelay ?? true;
    // A machine that stands still for some seconds must not look like an idle client.
    const given = { requireHostHeader: false, keepAliveTimeout: 600_000, ...options };
    this.server = http.createServer(given, (req, res) => {
      const served = new Served(this.#cases[Number(req.url.slice(1))], this.#touch);
      this.#served.push(served);
      served.serve(res);
    });
    // A property of servers and no option.
    this.server.maxRequestsPerSocket = options.maxRequestsPerSocket ?? 0;
    this.server.on('connection', (socket) => {
      this.#socket = socket;
      this.#touch();
      socket.on('close', this.#touch);
      // A response whose head is no HTTP may have the connection reset.
      socket.on('error', () => {});
    });
  }

  #touch = () => {
    this.#last = performance.now();
    this.#progress?.();
  };

  listen() {
    const where =
      this.number % 4 === 3
        ? { path: path.join(os.tmpdir(), `onewrite-property-${process.pid}-${this.number}`) }
        : { port: 0, host: '127.0.0.1' };
    if (process.platform === 'win32' && where.path) where.path = `\\\\.\\pipe\\${where.path}`;
    return new Promise((resolve) => this.server.listen(where, resolve));
  }

  async #connect() {
    const address = this.server.address();
    const client = net.connect(typeof address === 'string' ? { path: address } : address.port);
    this.#client = client;
    this.#socket = null;
    this.#ended = false;
    client.setEncoding('latin1');
    client.on('data', (data) => {
      this.#bytes += data;
      this.#touch();
    });
    client.on('error', () => {});
    client.on('close', () => {
      this.#ended = true;
      this.#touch();
    });
    await this.#must('connection', () => this.#socket !== null);
  }

  /** Resolves with true once it holds, and with false once nothing has happened for too long. */
  #until(holds, silence = STUCK_MS) {
    if (holds()) return true;
    return new Promise((resolve) => {
      const settle = (value) => {
        this.#progress = null;
        clearInterval(timer);
        resolve(value);
      };
      this.#progress = () => {
        if (holds()) settle(true);
      };
      this.#last = performance.now();
      const timer = setInterval(() => {
        const last = this.#last;
        if (performance.now() - last < silence) return;
        // A process that did not get its turn was not silent: what is on its way comes first.
        const quiet = () => this.#progress && this.#last === last;
        turns(20, () => quiet() && settle(false));
      }, silence / 3);
    });
  }

  async #must(what, holds) {
    if (await this.#until(holds)) return;
    const bytes = this.#bytes.slice(-200);
    throw new Error(`group ${this.id}: no ${what}; the last bytes: ${JSON.stringify(bytes)}`);
  }

  async exchange(id, cases) {
    this.id = id;
    this.#cases = cases;
    this.#served = [];
    this.#bytes = '';
    this.tainted = false;
    if (this.#client === null) await this.#connect();
    const requests = cases.map(({ request }, place) => {
      const lines = [`${request.method} /${place} HTTP/${request.version}`, 'Host: a'];
      if (request.connection) lines.push(`Connection: ${request.connection}`);
      if (request.body) lines.push(`Content-Length: ${request.body.length}`);
      return `${lines.join('\r\n')}\r\n\r\n${request.body ?? ''}`;
    });
    this.#client.write(requests.join(''));

    const over = () =>
      this.#socket.destroyed ||
      (this.#served.length === cases.length && this.#served.every(({ closed }) => closed));
    const regular = await this.#until(over, SILENCE_MS);
    await new Promise((resolve) => turns(2, resolve));
    const states = this.#served.map(({ res, looks }) => looks.all(res));

    const mark = `\n<${id}>\n`;
    let open = regular && this.#socket.writable && !this.#socket.destroyed;
    if (open) {
      while (this.#socket.writableCorked > 0) this.#socket.uncork();
      this.#socket.setNoDelay(true).write(mark);
      this.#socket.setNoDelay(this.#noDelay);
      await this.#must('mark', () => this.#bytes.endsWith(mark) || this.#ended);
      open = !this.#ended;
    }
    if (!open) {
      // What was given to the socket has reached the client's kernel: it is read before the end.
      this.#socket.destroySoon();
      if (!regular) this.#socket.destroy();
      await this.#must('close', () => this.#ended && this.#socket.destroyed);
      this.#client = null;
    }
    const notes = this.#served.map((served) => served.notes);
    if (this.tainted) return JSON.stringify({ id, tainted: true });
    return JSON.stringify({ id, regular, open, wire: shorten(this.#bytes), notes, states });
  }

  async run(name, count) {
    const lines = [];
    for (let place = 0, done = 0; done < count; place++) {
      const id = `${name}.${place}`;
      const cases = group(seed, id);
      done += cases.length;
      if (only === undefined || only === id) lines.push(await this.exchange(id, cases));
    }
    this.#client?.destroy();
    this.server.close();
    return lines;
  }
}

async function main() {
  const lanes = LANES.map((options, number) => new Lane(number, options));
  await Promise.all(lanes.map((lane) => lane.listen()));
  const each = Math.ceil(Number(wanted) / lanes.length);
  const last = lanes.pop();
  // What Node throws past every handler leaves the parsers that were at work then in a state that
  // depends on the time of day: no two runs can be compared in what was under way.
  const taint = () => {
    for (const lane of lanes) lane.tainted = true;
  };
  process.on('uncaughtException', taint);
  const lines = await Promise.all(lanes.map((lane, number) => lane.run(number, each)));

  /** Codes of such errors, where no case can be told. */
  const uncaught = [];
  process.off('uncaughtException', taint);
  process.on('uncaughtException', (error) => {
    if (typeof error.note === 'function') error.note('uncaught', error.code);
    else uncaught.push(error.code);
  });
  lines.push(await last.run(ALONE, each));

  fs.writeFileSync(file, `${lines.flat().join('\n')}\n`);
  const stats = installed ? require('../..').stats().responses : null;
  console.log(JSON.stringify({ installed, stats, uncaught: uncaught.sort() }));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
