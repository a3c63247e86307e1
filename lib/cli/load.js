'use strict';

// The process that asks: N connections to a server, each sending a request as soon as it has the
// answer to the one before. Started by load-process.js, which it obeys over IPC.

const net = require('node:net');
const { createHistogram, performance } = require('node:perf_hooks');
const { ResponseReader } = require('./response-reader');

/** Unanswered for so long, a request has failed. */
const PATIENCE = 10_000; // ms

/** What a connection reads into. */
const BUFFER = 16_384; // bytes

/** Failures in a row after which a connection gives up. */
const MOST_FAILURES = 3;

const PERCENTILES = [1, 5, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100];

/** Percentiles in ms. */
function percentilesOf(histogram) {
  return Object.fromEntries(PERCENTILES.map((p) => [p, histogram.percentile(p) / 1e6]));
}

/** @typedef {{ host: string, port: number, request: string, connections: number, seconds: number }} Job */

/** One round on one server. */
class Round {
  #job;
  #bytes;
  #until = 0;
  #open = 0;
  #measures = false;
  #finish;
  histogram = createHistogram();
  /** Answers by their status. @type {Record<string, number>} */
  statuses = {};
  /** Failed requests by what went wrong. @type {Record<string, number>} */
  errors = {};
  reconnects = 0;
  requests = 0;
  /** When the last answer was complete, in ms. */
  last = 0;
  /** Connections that wait for the clock to start. @type {(() => void)[]} */
  #ready = [];
  #gathered;

  /** @param {Job} job */
  constructor(job) {
    this.#job = job;
    this.#bytes = Buffer.from(job.request, 'latin1');
  }

  /** Opens the connections and has each asked once, so that nothing of that is measured. */
  async open() {
    const all = new Promise((resolve) => (this.#gathered = resolve));
    this.#open = this.#job.connections;
    for (let i = 0; i < this.#job.connections; i++) this.#connect(0);
    await all;
  }

  /** @returns {Promise<object>} what came of it */
  async run() {
    const all = new Promise((resolve) => (this.#finish = resolve));
    const { user, system } = process.cpuUsage();
    const start = performance.now();
    this.last = start;
    this.#until = start + this.#job.seconds * 1000;
    this.#measures = true;
    const ready = this.#ready;
    this.#ready = [];
    for (const go of ready) go();
    if (this.#open === 0) this.#finish();
    await all;
    const after = process.cpuUsage();
    const seconds = (this.last - start) / 1000;
    return {
      requests: this.requests,
      seconds,
      latency: percentilesOf(this.histogram),
      statuses: this.statuses,
      errors: this.errors,
      reconnects: this.reconnects,
      // Near to 1, the load has no time left to ask for more.
      busy: (after.user + after.system - user - system) / 1e6 / seconds,
    };
  }

  /** A connection is ready for its first measured request, or is no more. */
  #isReady(go) {
    if (go === null) this.#open--;
    else this.#ready.push(go);
    if (this.#ready.length === this.#open) this.#gathered();
  }

  #done() {
    this.#open--;
    if (this.#open === 0) this.#finish();
  }

  /** @param {number} failures in a row so far */
  #connect(failures) {
    const { host, port } = this.#job;
    let sent = 0;
    let over = false;

    const ask = () => {
      // It failed while it waited for the clock to start, and has been replaced.
      if (over) return;
      reader.expects = true;
      sent = performance.now();
      socket.write(this.#bytes);
    };
    // The answer is complete: ask anew, unless the round is over.
    const goOn = (persists) => {
      const next = persists ? ask : () => replace(0);
      if (!this.#measures) return this.#isReady(next);
      if (performance.now() >= this.#until) return leave();
      if (!persists) this.reconnects++;
      next();
    };
    const reader = new ResponseReader((status, persists) => {
      failures = 0;
      if (this.#measures) {
        this.last = performance.now();
        this.histogram.record(Math.max(1, Math.round((this.last - sent) * 1e6)));
        this.statuses[status] = (this.statuses[status] ?? 0) + 1;
        this.requests++;
      }
      goOn(persists);
    });
    const close = () => {
      over = true;
      socket.destroy();
    };
    const leave = () => {
      close();
      this.#done();
    };
    const replace = (failed) => {
      close();
      this.#connect(failed);
    };
    const fail = (message) => {
      if (over) return;
      this.errors[message] = (this.errors[message] ?? 0) + 1;
      if (this.#measures && performance.now() >= this.#until) return leave();
      if (failures + 1 < MOST_FAILURES) return replace(failures + 1);
      close();
      if (this.#measures) this.#done();
      else this.#isReady(null);
    };
    const guarded = (action) => {
      if (over) return;
      try {
        action();
      } catch (error) {
        fail(error.message);
      }
    };

    const buffer = Buffer.allocUnsafeSlow(BUFFER);
    const socket = net.connect({
      host,
      port,
      noDelay: true,
      onread: {
        buffer,
        callback: (count) => {
          guarded(() => reader.read(buffer.subarray(0, count)));
          return true;
        },
      },
    });
    socket.setTimeout(
      PATIENCE,
      () => reader.expects && fail(`no answer within ${PATIENCE / 1000} s`),
    );
    socket.once('connect', ask);
    socket.once('error', ({ code, message }) => fail(code ?? message));
    socket.once('end', () => {
      guarded(() => reader.end());
    });
  }
}

/** @type {Round} */
let round;

const commands = {
  async open(job) {
    round = new Round(job);
    await round.open();
    return { errors: round.errors };
  },
  run: () => round.run(),
};

process.on('message', async ({ command, job }) => {
  process.send(await commands[command](job));
});

// The bench may be killed without a chance to clean up.
process.once('disconnect', () => process.exit());
