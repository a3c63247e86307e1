'use strict';

// The comparison as text.

const { formatNumber, formatSummary } = require('../../lib/cli/statistics');
const { table } = require('../../lib/cli/table');

/**
 * @param {{ fastShare: number, handedBack: { [reason: string]: number } }} server
 * @returns {string} "100.0 %", and the reasons of the rest
 */
function formatFastShare({ fastShare, handedBack }) {
  const reasons = Object.entries(handedBack).map(
    ([reason, count]) => `${reason} ${formatNumber(count, 0)}`,
  );
  return `${formatNumber(100 * fastShare, 1)} %${reasons.length ? `; handed back: ${reasons.join(', ')}` : ''}`;
}

/** @param {Awaited<ReturnType<typeof import('./compare').compare>>} result */
function formatReport(result) {
  const { machine, pinned, servers } = result;
  const options = Object.entries(result.options).filter(
    ([name]) => name !== 'node' && name !== 'load',
  );
  const [base] = servers;
  const runtimes = [...new Set(servers.map(({ runtime }) => runtime))];
  return [
    `${result.benchmark} ${options.map(([name, value]) => `${name}=${value}`).join(' ')}`,
    `${runtimes.join(', ')}, ${machine.cpu}, ${machine.os}`,
    `load: ${result.load}; ${pinned ? `server on core ${pinned.server}, load on core ${pinned.load}` : 'not pinned'}`,
    '',
    ...table([
      ['median (10%-90%)', 'requests/s', 'CPU per request, µs', `ratio to ${base.name}`, 'error'],
      ...servers.map((server) => [
        server.name,
        formatSummary(server.requestsPerSecond, 0),
        formatSummary(server.cpuPerRequest, 2),
        server === base ? '' : formatSummary(server.ratio, 3),
        server === base ? '' : `±${formatNumber(server.ratio.error, 3)}`,
      ]),
    ]),
    '',
    ...servers
      .filter(({ fastShare }) => fastShare !== null)
      .map((server) => `${server.name}, responses by the fast path: ${formatFastShare(server)}`),
  ].join('\n');
}

module.exports = { formatReport };
