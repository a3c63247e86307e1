'use strict';

// Drawn streams, how they arrive, what a program does with each request, and how the client leaves.

const { SERVERS } = require('../streams/servers');
const { fragments } = require('../streams/pieces');
const { Random } = require('./random');
const { someParts } = require('./stream-parts');

/** How a program reads a body, when it answers, and with what. */
const READS = [
  [6, 'nothing'],
  [4, 'data'],
  [1, 'resume'],
  [1, 'await'],
  [1, 'readable'],
  [1, 'late'],
];
const TIMES = [
  [6, 'now'],
  [2, 'tick'],
  [1, 'microtask'],
  [2, 'immediate'],
  [1, 'timer'],
  [2.5, 'held'],
];
const ANSWERS = [
  [8, 'end'],
  [3, 'writeHead'],
  [2, 'setHeader'],
  [1.5, 'write'],
  [1, 'empty'],
  [1, 'buffer'],
  [0.5, 'close'],
  [0.3, 'large'],
  [0.3, 'destroy socket'],
  [0.2, 'destroy response'],
  [0.2, 'destroy request'],
  [0.1, 'reset'],
  [0.2, 'end socket'],
  [0.2, 'nothing'],
];

const somePlan = (random) => ({
  listens: !random.oneIn(3),
  read: random.weighted(READS),
  time: random.weighted(TIMES),
  answer: random.weighted(ANSWERS),
});

const OTHERS = Object.keys(SERVERS).filter((name) => name !== 'plain');

function arrival(random, parts) {
  const bytes = parts.join('');
  return random.weighted([
    [5, () => [bytes]],
    [2.5, () => parts],
    [
      1,
      () =>
        parts.map((part, i) => (i % 2 === 0 ? part + (parts[i + 1] ?? '') : '')).filter(Boolean),
    ],
    [2.5, () => fragments(bytes, random)],
  ])();
}

/** When answers that were held are given: the oldest or the newest of them, or all. */
const RELEASES = ['first', 'last', 'all', 'all backwards'];

/** Puts releases of held answers between the pieces, and mostly one behind them. */
function withReleases(random, pieces) {
  const steps = [];
  for (const piece of pieces) {
    steps.push({ send: piece });
    if (random.oneIn(4)) steps.push({ release: random.pick(RELEASES) });
  }
  if (!random.oneIn(6)) steps.push({ release: random.pick(['all', 'all backwards']) });
  return steps;
}

/**
 * @param {string} seed
 * @param {number} index
 * @returns {{ server: string, steps: { send?: string, release?: string }[], plans: object[], leave: string }} plans by the
 *   place of the request, each taken again from the first when there are more requests
 */
function drawStream(seed, index) {
  const random = new Random(`${seed} stream ${index}`);
  const server = random.oneIn(3) ? random.pick(OTHERS) : 'plain';
  const steps = withReleases(random, arrival(random, someParts(random)));
  const plans = random.list(1 + random.below(4), () => somePlan(random));
  const leave = random.weighted([
    [8, 'end'],
    [1, 'destroy'],
    [1, 'reset'],
  ]);
  return { server, steps, plans, leave };
}

module.exports = { drawStream };
