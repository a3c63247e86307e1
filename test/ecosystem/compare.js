'use strict';
// Where two runs of a case part.

/** How much is shown around the first difference. */
const BEFORE = 80;
const AFTER = 160;

/** @returns {string} the first difference of two texts, with its surroundings */
function parting(stock, other) {
  let at = 0;
  while (at < stock.length && stock[at] === other[at]) at++;
  const near = (text) => JSON.stringify(text.slice(Math.max(0, at - BEFORE), at + AFTER));
  return (
    `at character ${at} of ${stock.length} and ${other.length}\n` +
    `      stock     ${near(stock)}\n      preloaded ${near(other)}`
  );
}

/**
 * @param {import('./one').Run} stock @param {import('./one').Run} other
 * @returns {string | null} the first difference
 */
function difference(stock, other) {
  if (stock.error) return `the case fails on stock Node: ${stock.error}`;
  for (const [i, step] of stock.steps.entries()) {
    const its = other.steps[i];
    const where = `step ${i + 1} (${step.title})`;
    if (its === undefined) return `${where} was not reached: ${other.error}`;
    if (its.wire !== step.wire) {
      const failed =
        other.error && i === other.steps.length - 1 ? `; it failed: ${other.error}` : '';
      return `${where}: bytes differ ${parting(step.wire, its.wire)}${failed}`;
    }
    const line = step.log.findIndex((text, n) => text !== its.log[n]);
    if (line !== -1 || its.log.length > step.log.length) {
      return `${where}: what the program noted differs ${parting(step.log.join('\n'), its.log.join('\n'))}`;
    }
  }
  if (other.error) return `it failed: ${other.error}`;
  for (const stream of ['stdout', 'stderr']) {
    if (stock[stream] !== other[stream]) {
      return `${stream} differs ${parting(stock[stream], other[stream])}`;
    }
  }
  if (stock.exit !== other.exit) {
    return `the program ends with ${other.exit} instead of ${stock.exit}`;
  }
  return null;
}

module.exports = { difference };
