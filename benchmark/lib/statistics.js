'use strict';

/** @typedef {{ median: number, min: number, max: number }} Summary */

/**
 * @param {number[]} values at least one
 * @returns {Summary}
 */
function summarize(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return {
    median: sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2,
    min: sorted[0],
    max: sorted[sorted.length - 1],
  };
}

/**
 * A summary as text: "12.3 (11.9-13.0)".
 *
 * @param {Summary} summary
 * @param {number} decimals
 */
function formatSummary({ median, min, max }, decimals) {
  const [m, lo, hi] = [median, min, max].map((value) => formatNumber(value, decimals));
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
