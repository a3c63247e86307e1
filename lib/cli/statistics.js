'use strict';

/**
 * @typedef {object} Summary
 * @property {number} median
 * @property {number} low the 10th percentile, by nearest rank: the smallest of up to ten values
 * @property {number} high the 90th
 * @property {number} error standard error of the median
 */

/**
 * @param {number[]} values at least one
 * @returns {Summary}
 */
function summarize(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const last = sorted.length - 1;
  const middle = last / 2;
  const at = (share) => sorted[Math.round(share * last)];
  return {
    median: (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2,
    low: sorted[Math.ceil(0.1 * sorted.length) - 1],
    high: sorted[last - Math.ceil(0.1 * sorted.length) + 1],
    // Of a normal distribution, whose quartiles are 1.349 deviations apart.
    error: (1.2533 * (at(0.75) - at(0.25))) / 1.349 / Math.sqrt(sorted.length),
  };
}

/**
 * A summary as text: "12.3 (11.9-13.0)".
 *
 * @param {Summary} summary
 * @param {number} decimals
 */
function formatSummary({ median, low, high }, decimals) {
  const [m, lo, hi] = [median, low, high].map((value) => formatNumber(value, decimals));
  return `${m} (${lo}-${hi})`;
}

/**
 * @param {number} value
 * @param {number} decimals
 */
function formatNumber(value, decimals) {
  return value.toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

module.exports = { summarize, formatSummary, formatNumber };
