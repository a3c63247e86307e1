'use strict';

// The result of a bench as text.

const { formatNumber, formatSummary } = require('./statistics');
const { styleFor } = require('./style');
const { FEWEST } = require('./summary');
const { table } = require('./table');

/** How many reasons are shown. */
const TOP = 5;

const MEBIBYTE = 1 << 20;

/** @param {number} share */
function percent(share) {
  return `${formatNumber(100 * share, share > 0 && share < 0.01 ? 2 : 1)} %`;
}

/** A summary in another unit. */
function scaled({ median, low, high, error }, factor) {
  return { median: median * factor, low: low * factor, high: high * factor, error: error * factor };
}

/** What is compared: label, decimals, and the figure of a side and of the ratio. */
const FIGURES = [
  ['requests/s', 0, (side) => side.requestsPerSecond, 'requestsPerSecond'],
  ['CPU per request, µs', 1, (side) => side.cpuPerRequest, 'cpuPerRequest'],
  ['latency 50 %, ms', 2, (side) => latencyOf(side, 50), 'latency50'],
  ['latency 90 %, ms', 2, (side) => latencyOf(side, 90), 'latency90'],
  ['latency 99 %, ms', 2, (side) => latencyOf(side, 99), 'latency99'],
  ['memory, MiB', 0, (side) => scaled(side.memory, 1 / MEBIBYTE), 'memory'],
];

function latencyOf(side, percentile) {
  return side.latency.find((entry) => entry.percentile === percentile);
}

/** In one sentence, for those who read no tables. */
function headline({ ratio: { cpuPerRequest }, options }) {
  const { verdict, median } = cpuPerRequest;
  if (options.rounds < FEWEST) return `Too few rounds to tell: it takes ${FEWEST} or more.`;
  if (verdict === 'same') return 'No clear difference in CPU per request.';
  const change = percent(Math.abs(1 - median));
  return `With onewrite a request takes ${change} ${verdict === 'better' ? 'less' : 'more'} CPU.`;
}

/** @param {{ status: number, bytes: number, volatile: string[], bodyCompared: boolean }} answers */
function formatAnswers({ status, bytes, volatile, bodyCompared }) {
  const body = bodyCompared ? `the body of ${formatNumber(bytes, 0)} bytes` : 'not the body';
  return `${status}; equal with and without the package: status, fields but for ${volatile.join(', ')}, ${body}`;
}

/** What the parts did, a line for each. */
function fastPathRows({ fastPath, parts }) {
  return Object.entries(fastPath).map(([name, { share }]) => {
    const off = parts?.[name] && !parts[name].on;
    return [name, off ? 'off' : share === null ? 'no work' : percent(share)];
  });
}

function formatReasons({ reasons }) {
  if (reasons.length === 0) return [];
  const lines = reasons
    .slice(0, TOP)
    .flatMap(({ part, reason, share, cause, advice }) => [
      `  ${percent(share)} of ${part} (${reason}): ${cause}`,
      `    ${advice}`,
    ]);
  return ['', "left to Node's own code:", ...lines];
}

/** @param {any} result */
function format(result) {
  const { bold, dim, green, red, yellow } = styleFor(process.stdout);
  const { options, machine, pinned, sides, ratio } = result;
  const paints = { better: green, worse: red, same: (text) => text };
  const rows = table([
    ['median (10 %-90 %)', 'stock', 'onewrite', 'ratio'],
    ...FIGURES.map(([label, decimals, figure, name]) => [
      label,
      formatSummary(figure(sides.stock), decimals),
      formatSummary(figure(sides.onewrite), decimals),
      formatSummary(ratio[name], 2),
    ]),
  ]).map((line, i) => {
    if (i === 0) return line;
    const name = FIGURES[i - 1][3];
    const text = formatSummary(ratio[name], 2);
    return line.slice(0, -text.length) + paints[ratio[name].verdict](text);
  });
  return [
    `${result.command.join(' ')}  GET ${result.url}`,
    dim(
      `Node.js ${result.node}, onewrite ${result.onewrite}; ${machine.cpu}, ${machine.cores} cores, ${machine.os}`,
    ),
    dim(
      `${options.connections} connections, ${options.rounds} rounds of ${options.duration} s each` +
        `${options.oneAtATime ? ', started anew for each' : ''}; ` +
        (pinned
          ? `program on core ${pinned.program}, load on core ${pinned.load}`
          : 'not pinned to cores'),
    ),
    dim(`answers: ${formatAnswers(result.answers)}`),
    '',
    ...rows,
    '',
    'by the fast path:',
    ...table(fastPathRows(result)).map((line) => `  ${line}`),
    ...formatReasons(result),
    ...(result.notes.length > 0 ? [''] : []),
    ...result.notes.map((note) => yellow(`note: ${note}`)),
    '',
    bold(headline(result)),
  ].join('\n');
}

module.exports = {
  format,
  FIGURES,
  MEBIBYTE,
  formatAnswers,
  fastPathRows,
  headline,
  percent,
};
