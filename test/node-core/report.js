'use strict';

// Says what came out of a run.

const { NOT_ELIGIBLE, ENOUGH, sum, shareOf } = require('./counters');
const { STATUS, isOver, statusOf } = require('./verdict');

/** Lines of a failed test's output that are shown. */
const SHOWN = 12;

/**
 * @param {import('./verdict').Record[]} records
 * @param {string[]} sets
 * @param {Map<string, string>} exemptions
 * @param {(line: string) => void} print
 * @returns {{ regressions: number, unproven: string[] }} how many there are, and the sets with
 *   which the package did nothing at all
 */
function report(records, sets, exemptions, print) {
  const statuses = new Map(
    sets.map((set) => [set, records.map((record) => statusOf(record, set, exemptions))]),
  );
  const of = (set, status) => records.filter((_, i) => statuses.get(set)[i] === status);
  const unproven = [];
  let regressions = 0;

  apart(records, sets, of, print);
  for (const set of sets) {
    const found = of(set, STATUS.REGRESSION);
    regressions += found.length;
    print(`\n== parts: ${set}`);
    table(records, statuses.get(set), print);
    const exempt = of(set, STATUS.EXEMPT);
    if (exempt.length > 0) {
      print(`exempt: ${exempt.length}`);
      for (const { name } of exempt) print(`  ${name}: ${exemptions.get(name)}`);
    }
    print(`pass on stock Node and fail with the package: ${found.length}`);
    for (const record of found) describe(record, set, print);
    if (!counted(records, set, print)) unproven.push(set);
  }
  return { regressions, unproven };
}

function apart(records, sets, of, print) {
  const group = (title, members, words = () => '') => {
    if (members.length === 0) return;
    print(`\n${title}: ${members.length}`);
    for (const record of members) print(`  ${record.name}${words(record)}`);
  };
  group('fail on stock Node', of(sets[0], STATUS.STOCK_FAILS), lastOnStock);
  group(
    'fail on stock Node with any preloaded file',
    of(sets[0], STATUS.PRELOAD_FAILS),
    lastOnStock,
  );
  group(
    'fail when NODE_OPTIONS preloads any file, compared with it on the command line',
    records.filter(({ preload }) => preload === 'arguments'),
  );
  group(
    'flicker',
    records.filter((record) => sets.some((set) => of(set, STATUS.FLICKERS).includes(record))),
    ({ again }) =>
      Object.entries(again)
        .map(([set, { runs, stock, package: own }]) => ` [${set}: ${stock} and ${own} of ${runs}]`)
        .join(''),
  );
}

function lastOnStock({ stock }) {
  const { outcome, code, signal } = stock.find((result) => !isOver(result));
  return outcome === 'timed out' ? ' (timed out)' : ` (${signal ?? `exit code ${code}`})`;
}

function table(records, statuses, print) {
  const columns = Object.values(STATUS).filter((status) => statuses.includes(status));
  print(['part'.padEnd(8), 'tests', ...columns].join('  '));
  for (const part of new Set(records.map((record) => record.part))) {
    const own = statuses.filter((_, i) => records[i].part === part);
    const counts = columns.map((status) => {
      const count = own.filter((other) => other === status).length;
      return String(count).padStart(status.length);
    });
    print([part.padEnd(8), String(own.length).padStart(5), ...counts].join('  '));
  }
}

function describe(record, set, print) {
  const { runs, stock, package: own } = record.again[set];
  const { outcome, code, signal, output } = record.sets[set];
  print(`\n  ${record.name}: failed ${own} of ${runs} times, on stock Node ${stock}`);
  print(`    ${outcome}, ${signal ?? `exit code ${code}`}`);
  for (const line of gist(output)) print(`    | ${line}`);
}

/** The error that a test ended with, without the frames of Node itself. */
function gist(output) {
  const lines = output
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*\(?node:/.test(line));
  const error = lines.findIndex((line) => /^\S*(Error|Mismatched)\b/.test(line));
  return error < 0 ? lines.slice(-SHOWN) : lines.slice(error, error + SHOWN);
}

/** @returns {boolean} whether the package did anything with this set */
function counted(records, set, print) {
  const snapshots = records.flatMap((record) => record.sets[set]?.counters ?? []);
  const sums = Object.entries(sum(snapshots));
  for (const [part, { fast, handedBack }] of sums) {
    const reasons = Object.entries(handedBack).sort(([, a], [, b]) => b - a);
    const { eligible, share } = shareOf(part, { fast, handedBack });
    print(`${part}: ${fast} on the fast path, handed back:`);
    for (const [reason, count] of reasons) {
      const excluded = NOT_ELIGIBLE[part]?.includes(reason);
      print(`  ${String(count).padStart(8)}  ${reason}${excluded ? ' (not eligible)' : ''}`);
    }
    print(
      `${part}: ${(100 * share).toFixed(1)}% of the ${eligible} eligible on the fast path` +
        (share < ENOUGH ? `, less than ${100 * ENOUGH}%: such a run proves little` : ''),
    );
  }
  return sums.some(([, { fast }]) => fast > 0);
}

module.exports = { report, gist };
