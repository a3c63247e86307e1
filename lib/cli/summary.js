'use strict';

// What the rounds of both sides come to.

const advice = require('../advice');
const stats = require('../stats');
const { add } = require('./rounds');
const { formatNumber, summarize } = require('./statistics');

const CAUSES = {
  responses: stats.REASONS,
  teardown: stats.TEARDOWN_REASONS,
  engine: stats.ENGINE_REASONS,
};

/** From so much of its core on, the load may be what limits the requests per second. */
const BUSY = 0.9;

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

/** Paired by round: what disturbs the machine for a while disturbs both. */
function ratios(stock, onewrite) {
  const ratio = (figure) => summarize(onewrite.map((round, i) => figure(round) / figure(stock[i])));
  return {
    requestsPerSecond: ratio((round) => round.requestsPerSecond),
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

/** @param {string} name @param {Round[]} rounds @param {number} status that of the answers that were compared */
function notesOf(name, rounds, status) {
  const notes = [];
  const sum = (figure) => rounds.reduce((total, round) => total + figure(round), 0);
  const requests = sum((round) => round.requests);
  const others = sum(({ statuses }) =>
    Object.entries(statuses).reduce(
      (n, [code, count]) => n + (Number(code) === status ? 0 : count),
      0,
    ),
  );
  if (others > 0) {
    const codes = [...new Set(rounds.flatMap(({ statuses }) => Object.keys(statuses)))];
    notes.push(
      `${name}: ${formatNumber(others, 0)} of ${formatNumber(requests, 0)} answers under load had another status ` +
        `than ${status} (${codes.join(', ')}); is there a rate limit?`,
    );
  }
  const errors = new Set(rounds.flatMap((round) => Object.keys(round.errors)));
  if (errors.size > 0) notes.push(`${name}: a few requests failed: ${[...errors].join(', ')}`);
  if (sum(({ reconnects }) => reconnects) > requests / 10) {
    notes.push(`${name}: the program closes its connections; much of the time goes into new ones`);
  }
  if (sum(({ lost }) => lost) > 0) {
    notes.push(`${name}: processes of the program ended during rounds; their CPU is not counted`);
  }
  if (over(rounds, ({ busy }) => busy).median > BUSY) {
    notes.push(
      `${name}: the load used all of its core, so the program could answer more requests per second ` +
        'than it was asked; CPU per request holds',
    );
  }
  return notes;
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
      ...notesOf('stock', stock, status),
      ...notesOf('onewrite', onewrite, status),
    ],
  };
}

module.exports = { summarizeRounds };
