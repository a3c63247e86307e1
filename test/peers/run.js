'use strict';

// Real peers speak with servers on stock Node and with the package preloaded, and must not be able
// to tell which is which:
//   node test/peers/run.js [--node 20,22,24,26] [--peer nginx,haproxy,…] [--install] [--skip-missing]
// README.md in this folder lists the options and says what is compared.

const fs = require('node:fs');
const path = require('node:path');
const { execFileSync } = require('node:child_process');
const { parseArgs } = require('node:util');

const { MODES, STOCK } = require('../modes');
const counters = require('../node-core/counters');
const nodes = require('../nodes');
const { need } = require('../../scripts/package-folder');
const { differences } = require('./lib/differences');
const { Stage } = require('./lib/stage');
const table = require('./lib/table');
const tools = require('./lib/tools');

const manifest = require('./package.json');

const PRELOADED = MODES['all parts'];

/** In the order of what they cost. */
const PEERS = ['curl', 'ab', 'wrk', 'autocannon', 'nginx', 'haproxy', 'cluster', 'pm2', 'chromium'];

/** What is shown of many differences. */
const SHOWN = 20;

// Exit codes.
const DIFFERENCES = 1;
const NOTHING_PROVEN = 2;

/** A run that cannot start. */
class CannotRun extends Error {}

/** @typedef {object} Result of a peer on a Node
 * @property {string} peer
 * @property {string} version of the peer
 * @property {string} node version
 * @property {string[]} problems none where all agreed
 * @property {number} seen how many things were compared
 * @property {Record<string, import('../node-core/counters').Sum>} counted with the package, by part
 */

function list(word, known, option) {
  const chosen = word.split(',');
  const unknown = chosen.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new CannotRun(`--${option} knows ${known}, not ${unknown}`);
  return chosen;
}

function options() {
  const majors = nodes.binaries().map(({ major }) => String(major));
  const { values } = parseArgs({
    options: {
      node: { type: 'string', default: majors.join(',') },
      peer: { type: 'string', default: PEERS.join(',') },
      install: { type: 'boolean', default: false },
      'skip-missing': { type: 'boolean', default: false },
      'stock-twice': { type: 'boolean', default: false },
      markdown: { type: 'string' },
    },
  });
  const wanted = list(values.node, majors, 'node');
  return {
    binaries: nodes.binaries().filter(({ major }) => wanted.includes(String(major))),
    peers: list(values.peer, PEERS, 'peer'),
    install: values.install,
    skipMissing: values['skip-missing'],
    stockTwice: values['stock-twice'],
    markdown: values.markdown,
  };
}

/** Loads the peers; tells those apart whose tools are not here. */
function find(names, { install, skipMissing }) {
  need(__dirname, Object.keys(manifest.dependencies));
  const peers = names.map((name) => ({ name, ...require(`./peers/${name}`) }));
  if (install) {
    const wanted = peers.flatMap((peer) => tools.missing(peer.tools));
    if (wanted.length > 0) tools.install([...new Set(wanted)]);
  }
  const missing = new Map(
    peers
      .map((peer) => [peer.name, tools.missing(peer.tools)])
      .filter(([, wanted]) => wanted.length > 0),
  );
  for (const [name, wanted] of missing)
    console.log(`${name} needs: apt-get install ${wanted.join(' ')}`);
  if (missing.size > 0 && !skipMissing) {
    throw new CannotRun(
      'tools are missing; --install has apt-get install them, --skip-missing goes on without',
    );
  }
  const here = peers.filter(({ name }) => !missing.has(name));
  if (here.length === 0) throw new CannotRun('the tools of all peers are missing');
  return { peers: here, skipped: [...missing.keys()] };
}

/** A conversation in one mode. */
async function hold(peer, bin, mode, watched) {
  const stage = new Stage(bin, mode);
  try {
    await peer.converse(stage, watched);
    return { transcript: stage.transcript, counters: stage.counters(), problem: null };
  } catch (error) {
    return { transcript: stage.transcript, counters: stage.counters(), problem: error.stack };
  } finally {
    await stage.clear();
  }
}

/** @returns {string[]} what is wrong with a conversation that was held in both modes */
function judge(stock, own) {
  if (stock.problem !== null) return [`on stock Node: ${stock.problem}`];
  if (own.problem !== null) return [`preloaded: ${own.problem}`];
  const problems = differences(stock.transcript, own.transcript);
  if (stock.counters.length > 0) problems.push('the package was loaded on stock Node');
  if (Object.keys(stock.transcript).length === 0) problems.push('nothing was compared');
  return problems;
}

/**
 * @param {object} peer
 * @param {{ bin: string, version: string }} node
 * @param {import('../modes').Mode} mode what stock Node is compared with
 * @returns {Promise<Result>}
 */
async function compare(peer, { bin, version }, mode) {
  const result = { peer: peer.name, version: peer.version(), node: version, problems: [], seen: 0 };
  const counted = [];
  // Where a program listens to each event, less takes the fast path: both are compared.
  for (const watched of peer.watches === false ? [false] : [false, true]) {
    const stock = await hold(peer, bin, STOCK, watched);
    const own = await hold(peer, bin, mode, watched);
    const where = watched ? 'watched' : 'unwatched';
    result.problems.push(
      ...judge(stock, own).map(
        (problem) => `${where}${problem.startsWith('/') ? '' : ', '}${problem}`,
      ),
    );
    result.seen += Object.keys(stock.transcript).length;
    if (!watched) counted.push(...own.counters);
  }
  const sums = counters.sum(counted);
  const fast = Object.values(sums).reduce((all, part) => all + part.fast, 0);
  if (fast === 0 && mode !== STOCK) result.problems.push('nothing took the fast path');
  return { ...result, counted: sums };
}

function show({ peer, version, problems, seen, counted }, ms) {
  const outcome = problems.length === 0 ? `agrees in ${seen} points` : 'DIFFERS';
  console.log(`${peer} ${version}: ${outcome} (${(ms / 1000).toFixed(1)} s)`);
  for (const [part, sum] of Object.entries(counted))
    console.log(`  ${part}: ${table.shareInWords(sum)}`);
  for (const problem of problems.slice(0, SHOWN)) console.log(`  ${problem}`);
  if (problems.length > SHOWN) console.log(`  … ${problems.length - SHOWN} more`);
}

async function main() {
  const chosen = options();
  const { peers, skipped } = find(chosen.peers, chosen);
  const results = [];
  for (const { bin } of chosen.binaries) {
    const version = execFileSync(bin, ['--version'], { encoding: 'utf8' }).trim().slice(1);
    console.log(`\n##### Node ${version}`);
    for (const peer of peers) {
      const start = Date.now();
      const mode = chosen.stockTwice ? STOCK : PRELOADED;
      const result = await compare(peer, { bin, version }, mode);
      results.push(result);
      show(result, Date.now() - start);
    }
  }
  const text = table.markdown(results);
  console.log(`\n${text}`);
  if (chosen.markdown !== undefined) fs.writeFileSync(path.resolve(chosen.markdown), text);

  const failed = results.filter(({ problems }) => problems.length > 0);
  for (const { peer, node } of failed) console.log(`FAILED: ${peer} on Node ${node}`);
  const counts = [`${results.length - failed.length} agreed`, `${failed.length} failed`];
  if (skipped.length > 0) counts.push(`${skipped.length} skipped (${skipped.join(', ')})`);
  console.log(`conversations: ${counts.join(', ')}`);
  if (failed.length > 0) process.exitCode = DIFFERENCES;
}

main().catch((error) => {
  console.error(error instanceof CannotRun ? `nothing is proven: ${error.message}` : error);
  // Not `process.exitCode`: what was started may still run, and is ended on exit.
  process.exit(NOTHING_PROVEN);
});
