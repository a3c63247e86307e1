'use strict';

// What the results of a test say about the package. Stock Node, on the same
// binary and machine, is what they are compared with.

/** Runs on each side of a test that failed once with the package. */
const AGAIN = 10;

/** Runs on stock Node after which a test that never passed counts as failing there. */
const TRIES = 3;

/**
 * @typedef {object} Again the runs of a test that was taken again
 * @property {number} runs on each side
 * @property {number} stock failures on stock Node
 * @property {number} package failures with the package
 */

/**
 * @typedef {object} Record what is known of a test
 * @property {string} name
 * @property {string} part
 * @property {'options' | 'arguments'} preload
 * @property {import('./one').Result[]} stock its runs on stock Node, until it passed
 * @property {boolean} withoutPreload whether it passes on stock Node without
 *   a preloaded file, and only then
 * @property {Record<string, import('./one').Result>} sets its first run with each set of parts
 * @property {Record<string, Again>} again by set
 */

const STATUS = Object.freeze({
  /** Like on stock Node. */
  PASSED: 'passed',
  SKIPPED: 'skipped',
  /** Passes on stock Node, and less often with the package. */
  REGRESSION: 'regression',
  /** A regression that the list of exemptions names. */
  EXEMPT: 'exempt',
  /** Failed once, and then as often as on stock Node, or less. */
  FLICKERS: 'flickers',
  STOCK_FAILS: 'fails on stock',
  /** Any preloaded file makes it fail. */
  PRELOAD_FAILS: 'fails with any preloaded file',
});

function isOver(result) {
  return result.outcome === 'passed' || result.outcome === 'skipped';
}

/** What a test comes to on stock Node; undefined where it always fails. */
function expected(record) {
  return record.stock.find(isOver)?.outcome;
}

/** Whether there is anything to compare the package with. */
function isComparable(record) {
  return expected(record) !== undefined;
}

/** Whether a test must be run again with a set before anything can be said. */
function isOpen(record, set) {
  if (!isComparable(record) || record.again[set] !== undefined) return false;
  return !isOver(record.stock[0]) || record.sets[set].outcome !== expected(record);
}

/**
 * @param {Record} record with nothing open
 * @param {string} set of parts
 * @param {Map<string, string>} exemptions reasons by name
 * @returns {string} one of STATUS
 */
function statusOf(record, set, exemptions) {
  if (!isComparable(record)) {
    return record.withoutPreload ? STATUS.PRELOAD_FAILS : STATUS.STOCK_FAILS;
  }
  const again = record.again[set];
  if (again === undefined) return expected(record);
  if (again.package <= again.stock) return STATUS.FLICKERS;
  return exemptions.has(record.name) ? STATUS.EXEMPT : STATUS.REGRESSION;
}

/**
 * Reads the list of exemptions: a name, a colon and a reason a line.
 * @param {string} text
 * @returns {Map<string, string>} reasons by name
 * @throws {Error} at a line without a reason
 */
function parseExemptions(text) {
  const exemptions = new Map();
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const at = line.indexOf(': ');
    const reason = line.slice(at + 2).trim();
    if (at < 1 || reason === '') throw new Error(`an exemption without a reason: ${line}`);
    exemptions.set(line.slice(0, at).trim(), reason);
  }
  return exemptions;
}

module.exports = {
  AGAIN,
  TRIES,
  STATUS,
  isOver,
  expected,
  isComparable,
  isOpen,
  statusOf,
  parseExemptions,
};
