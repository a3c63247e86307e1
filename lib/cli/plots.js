'use strict';

// Plots of a bench as SVG, to stand in a page. Colours are the page's, by class.

const { formatNumber } = require('./statistics');

const WIDTH = 430;
const HEIGHT = 250;
const MARGIN = { left: 54, right: 14, top: 12, bottom: 30 };

/** @param {string} text @returns {string} safe in HTML, also in attributes */
function escapeHtml(text) {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return String(text).replace(/[&<>"']/g, (character) => entities[character]);
}

/** A number as short as it can be read: three digits that count. */
function short(value) {
  if (value === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return formatNumber(value, Math.min(digits, 3))
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
}

/** Steps of 1, 2 or 5 times a power of ten, some four up to the largest value. */
function linearTicks(most) {
  const rough = most / 4 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const count = Math.ceil(most / step - 1e-9) || 1;
  return Array.from({ length: count + 1 }, (_, i) => i * step);
}

/** 1, 2 and 5 times the powers of ten around the values; the powers alone when those are many. */
function logTicks(least, most) {
  const from = Math.floor(Math.log10(least));
  const to = Math.ceil(Math.log10(most));
  const factors = to - from > 2 ? [1] : [1, 2, 5];
  const ticks = [];
  for (let power = from; power <= to; power++) {
    for (const factor of factors) ticks.push(factor * 10 ** power);
  }
  const first = ticks.findLastIndex((tick) => tick <= least);
  const last = ticks.findIndex((tick) => tick >= most);
  return ticks.slice(Math.max(0, first), last < 0 ? undefined : last + 1);
}

/**
 * @param {number[]} values
 * @param {boolean} logarithmic
 * @returns {{ ticks: number[], at: (value: number) => number }} `at`: the height of a value
 */
function scaleFor(values, logarithmic) {
  const most = Math.max(...values);
  const ticks = logarithmic ? logTicks(Math.min(...values), most) : linearTicks(most);
  const place = logarithmic ? Math.log10 : (value) => value;
  const [bottom, top] = [place(ticks[0]), place(ticks[ticks.length - 1])];
  const height = HEIGHT - MARGIN.top - MARGIN.bottom;
  const at = (value) =>
    HEIGHT - MARGIN.bottom - (height * (place(value) - bottom)) / (top - bottom || 1);
  return { ticks, at };
}

const coordinate = (value) => String(Math.round(10 * value) / 10);

/**
 * @typedef {object} Series
 * @property {string} name, and class of what is drawn
 * @property {number[]} values one for each label
 * @property {number} [median] drawn as a line across
 * @property {{ low: number, high: number }[]} [ranges] drawn behind the values
 */

/**
 * @param {object} plot
 * @param {string} plot.title
 * @param {string} plot.unit
 * @param {string[]} plot.labels below
 * @param {Series[]} plot.series
 * @param {boolean} [plot.logarithmic]
 * @returns {string} SVG
 */
function linePlot({ title, unit, labels, series, logarithmic = false }) {
  const drawn = series.flatMap(({ values, ranges = [] }) => [
    ...values,
    ...ranges.flatMap(({ low, high }) => [low, high]),
  ]);
  const { ticks, at } = scaleFor(drawn, logarithmic);
  const width = WIDTH - MARGIN.left - MARGIN.right;
  const x = (i) => MARGIN.left + (width * (i + 0.5)) / labels.length;
  const point = (value, i) => `${coordinate(x(i))},${coordinate(at(value))}`;
  const right = WIDTH - MARGIN.right;

  const grid = ticks.map((tick) => {
    const y = coordinate(at(tick));
    return (
      `<line class="grid" x1="${MARGIN.left}" x2="${right}" y1="${y}" y2="${y}"/>` +
      `<text class="tick" x="${MARGIN.left - 8}" y="${y}" dy="0.32em" text-anchor="end">${short(tick)}</text>`
    );
  });
  // Not more labels than can be read.
  const every = Math.ceil(labels.length / 12);
  const below = labels.map((label, i) =>
    i % every > 0
      ? ''
      : `<text class="tick" x="${coordinate(x(i))}" y="${HEIGHT - 8}" text-anchor="middle">${escapeHtml(label)}</text>`,
  );
  const bodies = series.map(({ name, values, median, ranges }) => {
    const band = ranges
      ? `<polygon class="band ${name}" points="${[
          ...ranges.map(({ high }, i) => point(high, i)),
          ...ranges.map(({ low }, i) => point(low, i)).reverse(),
        ].join(' ')}"/>`
      : '';
    const across =
      median === undefined
        ? ''
        : `<line class="median ${name}" x1="${MARGIN.left}" x2="${right}" y1="${coordinate(at(median))}" y2="${coordinate(at(median))}"/>`;
    const dots = values.map(
      (value, i) =>
        `<circle class="dot ${name}" cx="${coordinate(x(i))}" cy="${coordinate(at(value))}" r="3.2">` +
        `<title>${escapeHtml(`${name}, ${labels[i]}: ${short(value)} ${unit}`)}</title></circle>`,
    );
    const line = `<polyline class="line ${name}" points="${values.map(point).join(' ')}"/>`;
    return band + across + line + dots.join('');
  });
  return (
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(`${title}, ${unit}`)}">` +
    `${grid.join('')}${below.join('')}${bodies.join('')}</svg>`
  );
}

module.exports = { linePlot, escapeHtml, short };
