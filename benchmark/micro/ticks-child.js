'use strict';

// Serves keep-alive exchanges and prints what one of them schedules, emits and
// arms, as a mean over many: argv[2] is how many. The client is another process.

const asyncHooks = require('node:async_hooks');
const { EventEmitter } = require('node:events');
const http = require('node:http');

const exchanges = Number(process.argv[2]);
const warmUp = 50;

/** @type {Map<string, number>} by what was counted */
const counts = new Map();

/** @param {string} kind @param {string} what */
function count(kind, what) {
  const key = `${kind}: ${what}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** @param {object} target @param {string} name @param {(this: any, args: any[]) => void} before */
function watch(target, name, before) {
  const original = target[name];
  target[name] = function (...args) {
    before.call(this, args);
    return Reflect.apply(original, this, args);
  };
}

/** Async resources that stand for work to come. */
const kinds = {
  __proto__: null,
  Microtask: 'microtask',
  PROMISE: 'promise',
  Immediate: 'immediate',
  Timeout: 'timer',
};

function startCounting() {
  const { prototype } = EventEmitter;
  watch(prototype, 'emit', function ([event]) {
    const kind = this.listenerCount(event) > 0 ? 'emit' : 'unheard emit';
    count(kind, `${this.constructor.name} ${String(event)}`);
  });
  for (const name of ['on', 'addListener', 'removeListener']) {
    watch(prototype, name, function ([event]) {
      count('listener', `${this.constructor.name} ${String(event)}`);
    });
  }
  const timer = setTimeout(() => {}, 1);
  clearTimeout(timer);
  watch(Object.getPrototypeOf(timer), 'refresh', () => count('timer', 'refreshed'));
  asyncHooks
    .createHook({
      init(_id, type, _trigger, resource) {
        if (type === 'TickObject') count('tick', resource.callback.name);
        else if (kinds[type] !== undefined) count(kinds[type], 'made');
      },
    })
    .enable();
}

let served = 0;

const server = http.createServer((_req, res) => {
  served++;
  // Between two heads: everything that the exchanges between them caused has run.
  if (served === warmUp) startCounting();
  if (served === warmUp + 1) counts.clear();
  if (served === warmUp + 1 + exchanges) {
    const perExchange = Object.fromEntries([...counts].map(([what, n]) => [what, n / exchanges]));
    process.send({ perExchange }, () => process.exit());
    return;
  }
  res.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 5 });
  res.end('hello');
});

server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
