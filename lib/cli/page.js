'use strict';

// The result of a bench as a page with plots, in one file that loads nothing.

const { escapeHtml, linePlot } = require('./plots');
const style = require('./page-style');
const { formatNumber, formatSummary } = require('./statistics');
const { FIGURES, MEBIBYTE, fastPathRows, formatAnswers, headline, percent } = require('./text');

/** Percentiles that are plotted: what lies below the median is of no concern. */
const PLOTTED = [50, 75, 90, 95, 99, 99.9, 100];

/** The large figures on top: label, name of the ratio, and what is better. */
const TILES = [
  ['CPU per request', 'cpuPerRequest'],
  ['requests per second', 'requestsPerSecond'],
  ['latency, median', 'latency50'],
  ['memory', 'memory'],
];

/** @param {any} result */
function tiles({ ratio }) {
  return TILES.map(([label, name]) => {
    const { median, low, high, verdict } = ratio[name];
    const spread = `${formatNumber(low, 2)}–${formatNumber(high, 2)}`;
    return (
      `<div class="tile"><h3>${label}</h3><div class="value ${verdict}">×&thinsp;${formatNumber(median, 2)}</div>` +
      `<div class="soft">10–90&thinsp;%: ${spread}</div></div>`
    );
  }).join('\n');
}

/** A plot with its caption. */
function figure(plot) {
  return (
    `<figure><figcaption><h3>${escapeHtml(plot.title)}</h3><span class="soft">${escapeHtml(plot.unit)}</span></figcaption>` +
    `${linePlot(plot)}</figure>`
  );
}

/** @param {any} result */
function plots({ sides }) {
  const names = Object.keys(sides);
  const rounds = sides.stock.rounds.map((_, i) => String(i + 1));
  const byRound = (title, unit, name, factor = 1) =>
    figure({
      title,
      unit,
      labels: rounds,
      series: names.map((side) => ({
        name: side,
        values: sides[side].rounds.map((round) => round[name] * factor),
        median: sides[side][name].median * factor,
      })),
    });
  const latency = figure({
    title: 'Latency by percentile',
    unit: 'ms; band: 10–90 % of the rounds',
    labels: PLOTTED.map((p) => (p === 100 ? 'max' : `${p} %`)),
    logarithmic: true,
    series: names.map((side) => {
      const ranges = PLOTTED.map((p) =>
        sides[side].latency.find(({ percentile }) => percentile === p),
      );
      return { name: side, values: ranges.map(({ median }) => median), ranges };
    }),
  });
  return [
    byRound('CPU per request, by round', 'µs', 'cpuPerRequest'),
    byRound('Requests per second, by round', 'requests/s', 'requestsPerSecond'),
    latency,
    byRound('Memory, by round', 'MiB', 'memory', 1 / MEBIBYTE),
  ].join('\n');
}

/** @param {any} result */
function figures({ sides, ratio }) {
  const rows = FIGURES.map(([label, decimals, of, name]) => {
    const cells = [sides.stock, sides.onewrite].map((side) => formatSummary(of(side), decimals));
    const mark = ratio[name].verdict;
    const text = formatSummary(ratio[name], 2);
    const numbers = cells.map((cell) => `<td class="number">${cell}</td>`).join('');
    return `<tr><td>${escapeHtml(label)}</td>${numbers}<td class="number ${mark}">${text}</td></tr>`;
  });
  return (
    '<table><thead><tr><th>median (10&thinsp;%–90&thinsp;%)</th><th class="number">stock</th>' +
    `<th class="number">onewrite</th><th class="number">ratio</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`
  );
}

/** @param {any} result */
function fastPath(result) {
  const rows = fastPathRows(result).map(([name, text]) => {
    const { share } = result.fastPath[name];
    const width = formatNumber(100 * (share ?? 0), 1);
    return `<tr><td>${name}</td><td class="number">${text}</td><td><span class="bar"><i style="width: ${width}%"></i></span></td></tr>`;
  });
  const head = '<tr><th>part</th><th class="number">fast path</th><th></th></tr>';
  return `<table class="parts"><thead>${head}</thead><tbody>${rows.join('\n')}</tbody></table>`;
}

/** @param {any} result */
function reasons({ reasons: list }) {
  if (list.length === 0) return '<p class="soft">Nothing was left to Node’s own code.</p>';
  const rows = list.map(
    ({ part, reason, share, cause, advice }) =>
      `<tr><td class="number">${percent(share)}</td><td>${part}<br><code>${escapeHtml(reason)}</code></td>` +
      `<td>${escapeHtml(cause)}</td><td>${escapeHtml(advice)}</td></tr>`,
  );
  return (
    '<div class="scroll"><table><thead><tr><th class="number">share</th><th>part</th><th>left to Node because</th>' +
    `<th>what you could change</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`
  );
}

/** @param {string[]} notes */
function notesOf(notes) {
  if (notes.length === 0) return '';
  return `<h2>Notes</h2><ul>${notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('')}</ul>`;
}

/** @param {any} result */
function how({ onewrite, node, options, machine, pinned, answers }) {
  const lines = [
    `Node.js ${node}, onewrite ${onewrite}, ${machine.cpu}, ${machine.cores} cores, ${machine.os}.`,
    `${options.rounds} rounds of ${options.duration} s on each side in turn, ${options.connections} keep-alive connections, ` +
      `each with one request at a time${options.oneAtATime ? '; the program started anew for each round' : ''}. ` +
      (pinned
        ? `The program ran on core ${pinned.program}, the load on core ${pinned.load}.`
        : 'Processes were not pinned to cores.'),
    `Before: a warm-up, and a check of the answers. Status ${formatAnswers(answers)}.`,
    'CPU is user and system time, memory what is resident, of all processes of the program. Ratios are of rounds that were ' +
      'run one after the other; a ratio is coloured when so many rounds agree on its direction that chance would have them do so less than once in 20.',
  ];
  return lines.map((line) => `<p class="soft">${escapeHtml(line)}</p>`).join('\n');
}

/** @param {any} result @returns {string} HTML */
function page(result) {
  const command = `${result.command.join(' ')}  GET ${result.url}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>onewrite bench: ${escapeHtml(command)}</title>
<style>${style}</style>
</head>
<body>
<code class="command">${escapeHtml(command)}</code>
<h1>${escapeHtml(headline(result))}</h1>
<p class="soft">The program with onewrite, compared with the same on stock Node.js. Below 1 is better, but for requests per second.</p>
<div class="tiles">
${tiles(result)}
</div>
<h2>Round by round</h2>
<div class="legend"><span class="key-stock">stock</span><span class="key-onewrite">onewrite</span></div>
<div class="plots">
${plots(result)}
</div>
<h2>Figures</h2>
<div class="scroll">
${figures(result)}
</div>
<h2>What took the fast path</h2>
${fastPath(result)}
<h2>What was left to Node</h2>
${reasons(result)}
${notesOf(result.notes)}
<h2>How it was measured</h2>
${how(result)}
</body>
</html>
`;
}

module.exports = { page };
