'use strict';

// Sends drawn streams to servers of this process and prints, for each, a hash of all that could be told.
//
//   node [-r ../../register.js] test/property/streams.js SEED FROM TO [show]
//
// Prints `index hash` lines, or with `show` the records, as JSON; the last line has the counts.

const { createHash } = require('node:crypto');
const { once } = require('node:events');
const path = require('node:path');
const { Driver } = require('../streams/drive');
const { drawStream } = require('./stream-cases');

const installed = path.join(__dirname, '..', '..', 'register.js') in require.cache;
const fast = () => (installed ? (require('../..').stats().engine?.fast ?? 0) : 0);

const LARGE = 'l'.repeat(70_000);

const ANSWERS = {
  end: ({ res, name }) => res.end(`answer to ${name}`),
  writeHead: ({ res, name }) =>
    res.writeHead(200, { 'X-Name': name, 'Content-Length': 1 }).end('x'),
  setHeader: ({ res, name }) => res.setHeader('X-Name', name).end('answer'),
  write({ res, name }) {
    res.write(`part of ${name}`);
    res.end('end');
  },
  empty({ res }) {
    res.statusCode = 204;
    res.end();
  },
  buffer: ({ res, name }) => res.end(Buffer.from(name)),
  close({ res, name }) {
    res.shouldKeepAlive = false;
    res.end(`last ${name}`);
  },
  large: ({ res }) => res.end(LARGE),
  'destroy socket': ({ req }) => req.socket.destroy(),
  'destroy response': ({ res }) => res.destroy(),
  'destroy request': ({ req }) => req.destroy(),
  reset: ({ req }) => req.socket.resetAndDestroy(),
  'end socket': ({ req, res, name }) => {
    res.end(`before the end ${name}`);
    req.socket.end();
  },
  nothing: () => {},
};

/** Something that this process does later by itself: nothing is sent before. */
const later = (schedule) => (record, act) => {
  record.pending++;
  schedule(() => {
    record.pending--;
    record.happened++;
    act();
  });
};

const TIMES = {
  now: (_record, act) => act(),
  tick: later(process.nextTick),
  microtask: later(queueMicrotask),
  immediate: later(setImmediate),
  timer: later((act) => setTimeout(act, 1)),
  held: (record, act) => (record.held ??= []).push(act),
};

const READS = {
  nothing: ({ done }) => done(),
  data({ record, req, chunks, name, done }) {
    req.on('data', (chunk) => {
      chunks.push(chunk.toString('latin1'));
      record.note(`${name} data`, chunk.length);
    });
    req.on('end', done);
  },
  resume: ({ req, done }) => req.resume().on('end', done),
  async await({ record, req, chunks, name, done }) {
    try {
      for await (const chunk of req) chunks.push(chunk.toString('latin1'));
      done();
    } catch (error) {
      record.note(`${name} failed`, error.code);
    }
  },
  readable({ req, chunks, done }) {
    req.on('readable', () => {
      for (let chunk = req.read(); chunk !== null; chunk = req.read())
        chunks.push(chunk.toString('latin1'));
    });
    req.on('end', done);
  },
  late(c) {
    TIMES.immediate(c.record, () => READS.data(c));
  },
};

function serverOf(plans) {
  return (c) => {
    const { record, req, res, name } = c;
    const { listens, read, time, answer } = plans[Number(name) % plans.length];
    if (listens) {
      record.listen(req, `${name} req`, ['aborted', 'end', 'close', 'error']);
      record.listen(res, `${name} res`, ['prefinish', 'finish', 'close', 'error']);
    }
    const done = () => TIMES[time](record, () => ANSWERS[answer](c));
    READS[read]({ ...c, done });
  };
}

const RELEASES = {
  first: (held) => held.splice(0, 1),
  last: (held) => held.splice(-1, 1),
  all: (held) => held.splice(0),
  'all backwards': (held) => held.splice(0).reverse(),
};

const stepOf = ({ send, release }) =>
  send ??
  ((record) => {
    for (const act of RELEASES[release](record.held ?? [])) act();
  });

async function main(seed, from, to, show) {
  const result = {
    streams: 0,
    reached: 0,
    native: 0,
    requests: 0,
    nativeRequests: 0,
    uncaught: [],
  };
  process.on('uncaughtException', (error) => result.uncaught.push(error.code ?? error.message));
  let before = 0;

  function* exchanges() {
    for (let index = from; index < to; index++) {
      const { server, steps, plans, leave } = drawStream(seed, index);
      const seen = { requests: 0, native: 0 };
      yield {
        ...{ index, seen, server, leave },
        steps: steps.map(stepOf),
        serve: serverOf(plans),
        reached() {
          // The count rises with each request that is dispatched natively, just before its handler is called.
          const now = fast();
          seen.requests++;
          if (now > before) seen.native++;
          before = now;
        },
      };
    }
  }

  const lines = [];
  await new Driver().drive(exchanges(), ({ index, seen }, record) => {
    const text = JSON.stringify(record);
    lines.push(
      show ? text : `${index} ${createHash('sha1').update(text).digest('base64').slice(0, 12)}`,
    );
    result.streams++;
    result.requests += seen.requests;
    result.nativeRequests += seen.native;
    if (seen.requests > 0) result.reached++;
    if (seen.native > 0) result.native++;
    if (lines.length === 1000) process.stdout.write(`${lines.splice(0).join('\n')}\n`);
  });
  result.uncaught.sort();
  const engine = installed ? require('../..').stats().engine : null;
  lines.push(JSON.stringify({ installed, ...result, engine }));
  if (!process.stdout.write(`${lines.join('\n')}\n`)) await once(process.stdout, 'drain');
  process.exit();
}

const [seed, from, to, show] = process.argv.slice(2);
main(seed, Number(from), Number(to), show === 'show');
