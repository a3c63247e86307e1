'use strict';

// The whole table: each workload on each Node, stock and with each part, beside other runtimes and
// a bare `node:net` server. Cells that were measured are kept, so that a run that was stopped goes
// on where it was; `fresh=1` measures all anew. Writes RESULTS.md and results.svg beside this folder.

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { text: textOf } = require('node:stream/consumers');
const cli = require('../lib/cli');
const nodes = require('../../test/nodes');
const { chart } = require('./chart');
const { page } = require('./page');
const { ROWS, SERVERS, serversOf } = require('./rows');

const folder = path.join(__dirname, '..');
const store = path.join(folder, 'results.json');

const options = {
  nodes: cli.text('20,22,24,26', '20,22,24,26'),
  rows: cli.text('all', ROWS.map(({ name }) => name).join(',')),
  servers: cli.text(SERVERS.join(','), SERVERS.join(',')),
  rounds: cli.integer(15, 1, 1000),
  starts: cli.integer(3, 1, 100),
  fresh: cli.integer(0, 0, 1),
};

/** @param {string} line */
const say = (line) => process.stderr.write(`${line}\n`);

/** @returns {Record<string, object>} cells by `NODE ROW` */
function readCells() {
  return fs.existsSync(store) ? JSON.parse(fs.readFileSync(store, 'utf8')) : {};
}

/**
 * Measures a cell in a process of its own, whose failure is that of the cell.
 * @param {import('./rows').Row} row
 * @param {{ bin: string, servers: string[], rounds: number, starts: number }} how
 * @returns {Promise<object>}
 */
async function measure(row, { bin, servers, rounds, starts }) {
  // Short rounds, where connections can be kept between them.
  const load = row.tls ? ['duration=1'] : ['load=kept', 'duration=0.05'];
  const script = path.join(folder, 'http', `${row.workload}.js`);
  const args = [
    ...load,
    `rounds=${row.tls ? Math.min(rounds, 5) : rounds}`,
    `starts=${starts}`,
    `servers=${servers}`,
    `node=${bin}`,
    ...(row.options ?? []),
    '--json',
  ];
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [text, said, code] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ]);
  if (code !== 0) throw new Error(/^error: .*/m.exec(said)?.[0] ?? `it ended with ${code}`);
  const { machine, load: tool, servers: measured } = JSON.parse(text);
  return {
    machine,
    tool,
    servers: measured.map(({ rounds: _, ...summary }) => summary),
  };
}

/** @param {string} names @returns {import('./rows').Row[]} */
function rowsOf(names) {
  if (names === 'all') return ROWS;
  return names.split(',').map((name) => {
    const row = ROWS.find((known) => known.name === name);
    if (row === undefined) throw new cli.UsageError(`rows=${names}: there is no row ${name}`);
    return row;
  });
}

/** @param {string} majors @returns {{ major: number, bin: string }[]} */
function binariesOf(majors) {
  nodes.install();
  const known = nodes.binaries();
  return majors.split(',').map((major) => {
    const binary = known.find((candidate) => String(candidate.major) === major);
    if (binary === undefined) throw new cli.UsageError(`nodes=${majors}: no Node ${major} here`);
    return binary;
  });
}

async function measureAll({ nodes: majors, rows, servers, rounds, starts, fresh }) {
  const cells = readCells();
  const wanted = servers.split(',');
  const list = binariesOf(majors).flatMap((binary) =>
    rowsOf(rows).map((row) => ({ ...binary, row })),
  );
  for (const [i, { major, bin, row }] of list.entries()) {
    const key = `${major} ${row.name}`;
    const progress = `${i + 1}/${list.length} Node ${major}, ${row.name}`;
    const own = serversOf(row, wanted);
    const known = cells[key]?.servers.map(({ name }) => name) ?? [];
    if (!fresh && own.every((name) => known.includes(name))) {
      say(`${progress}: measured before`);
      continue;
    }
    try {
      cells[key] = await measure(row, { bin, servers: own, rounds, starts });
    } catch (error) {
      say(`${progress}: ${error.message}`);
      process.exitCode = 1;
      continue;
    }
    fs.writeFileSync(store, `${JSON.stringify(cells, null, 1)}\n`);
    const ratios = cells[key].servers
      .slice(1)
      .map(({ name, ratio }) => `${name} ${ratio.median.toFixed(2)}`);
    say(`${progress}: ${ratios.join(', ')}`);
  }
  fs.writeFileSync(path.join(folder, 'RESULTS.md'), page(cells));
  fs.writeFileSync(path.join(folder, 'results.svg'), chart(cells));
  return list.length;
}

if (require.main === module) {
  cli.main(options, measureAll, (count) => `${count} cells: benchmark/RESULTS.md, results.svg`);
}
