'use strict';

// The table as Markdown.

const { formatSummary } = require('../../lib/cli/statistics');
const { majorsOf, serverOf } = require('./cells');
const { ROWS, SERVERS } = require('./rows');

const TITLES = {
  stock: 'stock, µs',
  onewrite: 'all parts',
  net: 'bare `net`',
  bun: 'Bun',
  deno: 'Deno',
};

function cellText(cell, name) {
  const server = serverOf(cell, name);
  if (server === undefined) return '';
  return name === 'stock' ? server.cpuPerRequest.median.toFixed(1) : formatSummary(server.ratio, 2);
}

/** @param {string} major @param {Record<string, any>} cells @returns {string[]} lines */
function tableOf(major, cells) {
  const rows = ROWS.filter(({ name }) => cells[`${major} ${name}`] !== undefined);
  const [first] = rows;
  const { runtime } = cells[`${major} ${first.name}`].servers[0];
  const used = SERVERS.filter((server) =>
    rows.some(({ name }) => cellText(cells[`${major} ${name}`], server) !== ''),
  );
  return [
    `## ${runtime}`,
    '',
    `| workload | ${used.map((name) => TITLES[name] ?? `\`${name}\``).join(' | ')} | fast path |`,
    `|---|${used.map(() => '---|').join('')}---|`,
    ...rows.map(({ name, says }) => {
      const cell = cells[`${major} ${name}`];
      const share = serverOf(cell, 'onewrite')?.fastShare;
      const texts = used.map((server) => cellText(cell, server));
      const fast = typeof share === 'number' ? `${Math.round(100 * share)} %` : '';
      return `| ${name}: ${says} | ${texts.join(' | ')} | ${fast} |`;
    }),
    '',
  ];
}

/**
 * @param {Record<string, any>} cells by `NODE ROW`
 * @returns {string}
 */
function page(cells) {
  const [{ machine }] = Object.values(cells);
  const runtimes = Object.values(cells)
    .flatMap(({ servers }) => servers)
    .filter(({ name }) => name === 'bun' || name === 'deno')
    .map(({ runtime }) => runtime);
  return [
    '# Results',
    '',
    'CPU time of the server process (user and system) for a request: in microseconds on stock Node, else as a ratio to stock Node in the same interleaved rounds; the median, and the 10th to 90th percentile. Less is better. “Fast path” is the share of responses that the part `responses` framed.',
    '',
    `Measured with \`npm run bench\` on ${machine.cpu}, ${machine.cores} cores, ${machine.os}, server and load pinned to a core each.${runtimes.length > 0 ? ` Other runtimes: ${[...new Set(runtimes)].join(', ')}.` : ''} \`net\` is a bare \`node:net\` server that writes a canned answer: no HTTP at all.`,
    '',
    '![CPU per request against stock Node](results.svg)',
    '',
    ...majorsOf(cells).flatMap((major) => tableOf(major, cells)),
  ].join('\n');
}

module.exports = { page };
