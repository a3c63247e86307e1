'use strict';
// What measure.js has measured, in a file that is kept.

const fs = require('node:fs');
const path = require('node:path');
const { formatSummary } = require('../../lib/cli/statistics');

const FILE = path.join(__dirname, 'cpu.json');

/**
 * CPU per request against stock Node: the median of the paired rounds, 10th and 90th percentile.
 * @typedef {{ node: string, median: number, low: number, high: number }} Measured
 */

/** @returns {Record<string, Measured[]>} by case, a version of Node each */
const read = () => (fs.existsSync(FILE) ? JSON.parse(fs.readFileSync(FILE, 'utf8')) : {});

const major = ({ node }) => Number(/\d+/.exec(node));

/** @param {string} name of the case @param {Measured} result takes the place of an older one */
function keep(name, result) {
  const all = read();
  const others = (all[name] ?? []).filter((each) => major(each) !== major(result));
  all[name] = [...others, result].sort((a, b) => major(a) - major(b));
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
  fs.writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** @param {Measured} result */
const text = (result) => formatSummary(result, 2);

/** What the table says of a case: the latest version of Node that it was measured on. @param {string} name */
function cell(name) {
  const latest = read()[name]?.at(-1);
  return latest === undefined ? '–' : `${text(latest)} on ${major(latest)}`;
}

module.exports = { keep, text, cell };
