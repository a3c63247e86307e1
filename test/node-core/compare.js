'use strict';

// Runs tests on stock Node and with the package, and gathers what
// verdict.js judges.

const one = require('./one');
const { AGAIN, TRIES, isOver, expected, isComparable, isOpen } = require('./verdict');

/**
 * @typedef {object} Setting
 * @property {string} bin the Node binary
 * @property {string} root of the suite
 * @property {number} timeout of a test, in milliseconds
 * @property {number} port for the tests that want a fixed one
 * @property {string} register the package's preload file
 * @property {Map<string, string | null>} sets values of ONEWRITE by the name of the set
 * @property {number} jobs tests that run at a time
 */

/**
 * Runs each test once on stock Node and once with each set; those where that
 * does not settle the matter, again.
 * @param {import('./suite').Test[]} tests
 * @param {Setting} setting
 * @param {{ first(record: object): void, again(record: object, set: string): void }} progress
 * @returns {Promise<import('./verdict').Record[]>} in the order of the tests
 */
async function compare(tests, setting, progress) {
  const records = new Map();
  await inTurn(tests, setting.jobs, async (test) => {
    const record = await first(test, setting);
    records.set(test, record);
    progress.first(record);
  });
  const open = tests.flatMap((test) =>
    [...setting.sets.keys()]
      .filter((set) => isOpen(records.get(test), set))
      .map((set) => ({ test, set, alone: test.alone })),
  );
  await inTurn(open, setting.jobs, async ({ test, set }) => {
    const record = records.get(test);
    record.again[set] = await again(test, record, set, setting);
    progress.again(record, set);
  });
  return tests.map((test) => records.get(test));
}

/** Calls `action` for each item, so many at a time; for some, one at a time. */
async function inTurn(items, jobs, action) {
  const beside = items.filter(({ alone }) => !alone);
  const worker = async () => {
    while (beside.length > 0) await action(beside.shift());
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  for (const item of items) if (item.alone) await action(item);
}

function modeOf(setting, set, preload) {
  return set === null
    ? { register: null, parts: null, preload }
    : { register: setting.register, parts: setting.sets.get(set), preload };
}

async function first(test, setting) {
  const record = {
    name: test.name,
    part: test.part,
    preload: 'options',
    stock: await tries(test, 'options', setting),
    withoutPreload: false,
    sets: {},
    again: {},
  };
  if (!isComparable(record)) {
    // NODE_OPTIONS alone may be what the test does not expect, in itself or in
    // the processes that it starts.
    record.withoutPreload = isOver(await one.run(test, modeOf(setting, null, 'none'), setting));
    if (!record.withoutPreload) return record;
    const byArguments = await tries(test, 'arguments', setting);
    if (!byArguments.some(isOver)) return record;
    record.preload = 'arguments';
    record.stock = byArguments;
  }
  for (const set of setting.sets.keys()) {
    record.sets[set] = await one.run(test, modeOf(setting, set, record.preload), setting);
  }
  return record;
}

/** Runs on stock Node, until the test passes. */
async function tries(test, preload, setting) {
  const results = [];
  do {
    results.push(await one.run(test, modeOf(setting, null, preload), setting));
  } while (!isOver(results.at(-1)) && results.length < TRIES);
  return results;
}

// In turn, so that both sides see the same load of the machine.
async function again(test, record, set, setting) {
  const failures = { runs: AGAIN, stock: 0, package: 0 };
  const outcome = expected(record);
  for (let i = 0; i < AGAIN; i++) {
    const stock = await one.run(test, modeOf(setting, null, record.preload), setting);
    if (stock.outcome !== outcome) failures.stock++;
    const own = await one.run(test, modeOf(setting, set, record.preload), setting);
    if (own.outcome !== outcome) {
      failures.package++;
      // Of a failure that comes again there is something to see.
      record.sets[set] = { ...own, counters: record.sets[set].counters };
    }
  }
  return failures;
}

module.exports = { compare };
