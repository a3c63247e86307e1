'use strict';

// What the rounds of both sides come to.

const advice = require('../advice');
const stats = require('../stats');
const { add } = require('./rounds');
const { summarize } = require('./statistics');

const CAUSES = {
  responses: stats.REASONS,
  teardown: stats.TEARDOWN_REASONS,
  engine: stats.ENGINE_REASONS,
};

/** From so much of its core on, the load may be what limits the requests per second. */
const BUSY = 0.9;

/** So small a change is of no concern, however sure it is. */
const TRIFLE = 0.02;

/** What is put down to luck. */
const LUCK = 0.05;

/** Fewer rounds may agree by luck even when all do. */
const FEWEST = 6;

/** Rounds of the same program that differ by so much were disturbed. */
const DISTURBED = 1.5;

/** @typedef {import('./rounds').Round} Round */

/** @param {Round[]} rounds @param {(round: Round) => number} figure */
const over = (rounds, figure) => summarize(rounds.map(figure));

/** @param {Round[]} rounds */
function summarizeSide(rounds) {
  const percentiles = Object.keys(rounds[0].latency).sort((a, b) => Number(a) - Number(b));
  return {
    requestsPerSecond: over(rounds, (round) => round.requestsPerSecond),
    /** µs */
    cpuPerRequest: over(rounds, (round) => round.cpuPerRequest),
    /** bytes */
    memory: over(rounds, (round) => round.memory),
    processes: Math.max(...rounds.map(({ processes }) => processes)),
    /** ms, of each percentile of a round */
    latency: percentiles.map((p) => ({
      percentile: Number(p),
      ...over(rounds, ({ latency }) => latency[p]),
    })),
    rounds: rounds.map(({ counted, parts, ...round }) => round),
  };
}

/** How likely chance has so many of `count` rounds, or more, agree on a direction: a sign test. */
function chanceOf(agreeing, count) {
  let ways = 1; // to choose i of count
  let sum = 0;
  for (let i = 0; i <= count; i++) {
    if (i >= agreeing) sum += ways;
    ways = (ways * (count - i)) / (i + 1);
  }
  return Math.min(1, (2 * sum) / 2 ** count);
}

/**
 * @param {number[]} ratios one a round
 * @param {number} median
 * @param {boolean} higherIsBetter
 * @returns {'better' | 'worse' | 'same'} `same` unless the rounds agree, and the change is one to speak of
 */
function verdictOf(ratios, median, higherIsBetter) {
  const higher = ratios.filter((ratio) => ratio > 1).length;
  const agreeing = Math.max(higher, ratios.length - higher);
  if (Math.abs(median - 1) < TRIFLE || chanceOf(agreeing, ratios.length) > LUCK) return 'same';
  return median > 1 === higherIsBetter ? 'better' : 'worse';
}

/** Paired by round: what disturbs the machine for a while disturbs both. */
function ratios(stock, onewrite) {
  const ratio = (figure, higherIsBetter = false) => {
    const values = onewrite.map((round, i) => figure(round) / figure(stock[i]));
    const summary = summarize(values);
    return { ...summary, verdict: verdictOf(values, summary.median, higherIsBetter) };
  };
  return {
    requestsPerSecond: ratio((round) => round.requestsPerSecond, true),
    cpuPerRequest: ratio((round) => round.cpuPerRequest),
    memory: ratio((round) => round.memory),
    latency50: ratio(({ latency }) => latency[50]),
    latency90: ratio(({ latency }) => latency[90]),
    latency99: ratio(({ latency }) => latency[99]),
  };
}

/**
 * @param {Round[]} rounds of the side with the package
 * @returns how much took the fast path of each part, and why the rest did not
 */
function fastPath(rounds) {
  /** @type {import('./rounds').Counted} */
  const sum = {};
  for (const { counted } of rounds) if (counted !== null) add(sum, counted, 1);
  const requests = rounds.reduce((total, round) => total + round.requests, 0);
  const parts = {};
  const reasons = [];
  for (const part of Object.keys(CAUSES)) {
    const { fast, handedBack } = sum[part] ?? { fast: 0, handedBack: {} };
    const listed = Object.values(handedBack).reduce((total, count) => total + count, fast);
    // Requests that Node itself reads are counted by no reason.
    const all = part === 'engine' ? Math.max(requests, listed) : listed;
    parts[part] = { fast, all, share: all === 0 ? null : fast / all };
    for (const [reason, count] of Object.entries(handedBack)) {
      if (count <= 0) continue;
      const texts = { cause: CAUSES[part][reason] ?? reason, advice: advice[part][reason] ?? '' };
      reasons.push({ part, reason, count, share: count / all, ...texts });
    }
  }
  return { parts, reasons: reasons.sort((a, b) => b.count - a.count) };
}

/** @param {Round[]} rounds @param {number} status that of the answers that were compared */
function notesOf(rounds, status) {
  const notes = [];
  const sum = (figure) => rounds.reduce((total, round) => total + figure(round), 0);
  const requests = sum((round) => round.requests);
  const expected = sum(({ statuses }) => statuses[status] ?? 0);
  if (expected < requests) {
    const codes = new Set(rounds.flatMap(({ statuses }) => Object.keys(statuses)));
    notes.push(
      `not all answers under load had status ${status} (${[...codes].join(', ')}); is there a rate limit?`,
    );
  }
  const errors = new Set(rounds.flatMap((round) => Object.keys(round.errors)));
  if (errors.size > 0) notes.push(`a few requests failed: ${[...errors].join(', ')}`);
  if (sum(({ reconnects }) => reconnects) > requests / 10) {
    notes.push('the program closes its connections; much of the time goes into new ones');
  }
  if (sum(({ lost }) => lost) > 0) {
    notes.push('processes of the program ended during rounds; their CPU is not counted');
  }
  const { low, high } = over(rounds, ({ cpuPerRequest }) => cpuPerRequest);
  if (rounds.length >= FEWEST && high > DISTURBED * low) {
    notes.push(
      'CPU per request changed much from round to round; a machine with less to do, longer rounds or more of ' +
        'them give surer figures',
    );
  }
  if (over(rounds, ({ busy }) => busy).median > BUSY) {
    notes.push(
      'the load used all of its core, so the program could answer more requests per second than it was asked; ' +
        'CPU per request holds',
    );
  }
  return notes;
}

/** The notes of both sides, each said once. @param {Record<string, string[]>} notes by side */
function joined(notes) {
  const sides = Object.keys(notes);
  return [...new Set(Object.values(notes).flat())].map((note) => {
    const names = sides.filter((side) => notes[side].includes(note));
    return `${names.join(' and ')}: ${note}`;
  });
}

/** @param {Round[]} rounds of the side with the package */
function notesOfParts(rounds) {
  const { parts } = rounds[rounds.length - 1];
  if (parts === null) return ['onewrite: the package was not switched on in the program'];
  return Object.entries(parts)
    .filter(([, { on }]) => !on)
    .map(([name, { reason }]) => `onewrite: the part ${name} was off: ${reason}`);
}

/**
 * @param {{ stock: Round[], onewrite: Round[] }} rounds
 * @param {number} status that of the answers that were compared
 */
function summarizeRounds({ stock, onewrite }, status) {
  const { parts, reasons } = fastPath(onewrite);
  return {
    sides: { stock: summarizeSide(stock), onewrite: summarizeSide(onewrite) },
    ratio: ratios(stock, onewrite),
    fastPath: parts,
    reasons,
    parts: onewrite[onewrite.length - 1].parts,
    notes: [
      ...notesOfParts(onewrite),
      ...joined({ stock: notesOf(stock, status), onewrite: notesOf(onewrite, status) }),
    ],
  };
}

module.exports = { summarizeRounds, verdictOf, FEWEST };
