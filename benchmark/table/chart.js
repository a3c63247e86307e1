'use strict';

// The table's column of all parts as bars, one for each Node, against stock Node at 1.

const { majorsOf, serverOf } = require('./cells');
const { ROWS } = require('./rows');

const WIDTH = 760;
const LEFT = 90;
const RIGHT = 60;
const TOP = 46;
const BAR = 9;
const GAP = 10;
/** The scale ends here; a longer bar would say so by its number. */
const MOST = 1.2;
const COLOURS = ['#1b6ca8', '#2a9d8f', '#e9a23b', '#c8553d'];

const x = (ratio) => LEFT + ((WIDTH - LEFT - RIGHT) * Math.min(ratio, MOST)) / MOST;
const round = (value) => String(Math.round(10 * value) / 10);

function legend(majors) {
  return majors.map((major, i) => {
    const at = LEFT + 90 * i;
    return (
      `<rect x="${at}" y="12" width="10" height="10" fill="${COLOURS[i % COLOURS.length]}"/>` +
      `<text x="${at + 15}" y="21">Node ${major}</text>`
    );
  });
}

function grid(height) {
  return [0, 0.25, 0.5, 0.75, 1].map((ratio) => {
    const at = round(x(ratio));
    const dash = ratio === 1 ? '' : ' stroke-dasharray="2 3"';
    const label = ratio === 1 ? 'stock' : ratio;
    return (
      `<line x1="${at}" x2="${at}" y1="${TOP - 6}" y2="${height - 8}" stroke="#999"${dash}/>` +
      `<text x="${at}" y="${TOP - 10}" text-anchor="middle" fill="#666">${label}</text>`
    );
  });
}

/**
 * @param {Record<string, any>} cells by `NODE ROW`
 * @returns {string} SVG
 */
function chart(cells) {
  const majors = majorsOf(cells);
  const ratioOf = (major, name) => serverOf(cells[`${major} ${name}`], 'onewrite')?.ratio.median;
  let y = TOP;
  const bars = [];
  for (const { name } of ROWS) {
    const ratios = majors.map((major) => ratioOf(major, name));
    if (ratios.every((ratio) => ratio === undefined)) continue;
    const middle = y + (majors.length * BAR) / 2 + 4;
    bars.push(`<text x="${LEFT - 8}" y="${middle}" text-anchor="end">${name}</text>`);
    for (const [i, ratio] of ratios.entries()) {
      if (ratio !== undefined) {
        const width = round(x(ratio) - LEFT);
        const colour = COLOURS[i % COLOURS.length];
        bars.push(
          `<rect x="${LEFT}" y="${y}" width="${width}" height="${BAR - 1}" fill="${colour}"/>` +
            `<text class="value" x="${round(x(ratio) + 4)}" y="${y + BAR - 1.5}">${ratio.toFixed(2)}</text>`,
        );
      }
      y += BAR;
    }
    y += GAP;
  }
  const height = y + 6;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="CPU per request with all parts, against stock Node">`,
    '<style>text { font: 12px sans-serif; fill: #222 } .value { font-size: 9px; fill: #444 }</style>',
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...legend(majors),
    ...grid(height),
    ...bars,
    '</svg>',
    '',
  ].join('\n');
}

module.exports = { chart };
