'use strict';

// The ways in which a stream arrives.

const { Random } = require('../property/random');

/** A stream is split at each of its bytes if it has no more than this. */
const SHORT = 700;
/** Otherwise, and where few splits will do, at so many places. */
const SPLITS = 12;

/** Cuts at the places. */
function cut(bytes, places) {
  const at = [...new Set(places)].filter((place) => place > 0 && place < bytes.length);
  at.sort((a, b) => a - b);
  return [0, ...at].map((from, i) => bytes.slice(from, at[i]));
}

/** Random pieces: few or many, of which some are single bytes. */
function fragments(bytes, random) {
  const count = 1 + random.below(random.oneIn(4) ? 12 : 4);
  const places = random.list(count, () => random.below(bytes.length));
  return cut(bytes, random.oneIn(3) ? places.flatMap((place) => [place, place + 1]) : places);
}

/**
 * @param {string} bytes
 * @param {string} seed
 * @param {number} drawn how often it arrives in random pieces
 * @param {boolean} few whether few splits will do
 * @returns {{ name: string, place: number, pieces: string[] }[]} whole, split at each of its bytes or at some, and in
 *   random pieces
 */
function arrivals(bytes, seed, drawn, few = false) {
  const last = bytes.length - 1;
  const random = new Random(`${seed} splits`);
  const splits =
    bytes.length <= SHORT && !few
      ? Array.from({ length: last }, (_, i) => i + 1)
      : new Set(random.list(SPLITS, () => 1 + random.below(last)));
  const pieces = new Random(`${seed} pieces`);
  return [
    { name: 'whole', place: 0, pieces: [bytes] },
    ...[...splits].map((at) => ({ name: `split at ${at}`, place: at, pieces: cut(bytes, [at]) })),
    ...pieces
      .list(drawn, () => fragments(bytes, pieces))
      .map((all, place) => ({
        name: `in pieces of ${all.map(({ length }) => length)}, ${place}`,
        place,
        pieces: all,
      })),
  ];
}

module.exports = { arrivals, fragments };
