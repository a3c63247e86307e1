'use strict';

// Sends each stream case in each way to servers of this process, and prints what could be told, a line of JSON a case:
// `{ file, name, records: { record: [ways] }, requests, native }`. The last line has the counts of the package.
//
//   node [-r ../../register.js] test/streams/run.js SEED DRAWN all|few [TEXT]
//
// Each stream arrives in random pieces DRAWN times, and split at each of its bytes or at few. With a text, only cases
// are run whose name or file has it.

const fs = require('node:fs');
const path = require('node:path');
const { Driver } = require('./drive');
const { HANDLERS } = require('./handlers');
const { readByLibuv } = require('./libuv');
const { arrivals } = require('./pieces');

const [seed, drawn, splits, only = ''] = process.argv.slice(2);
const folder = path.join(__dirname, 'cases');
const installed = path.join(__dirname, '..', '..', 'register.js') in require.cache;
const names = Object.keys(HANDLERS);

function* cases() {
  for (const file of fs.readdirSync(folder).sort()) {
    for (const item of require(path.join(folder, file))) {
      if (item.name.includes(only) || file.includes(only)) yield { file, ...item };
    }
  }
}

/** Each way in which a case's stream arrives, with a handler: whole with each, otherwise with each in turn. */
function* waysOf(item, index) {
  const all = arrivals(
    item.bytes,
    `${seed} ${item.name}`,
    Number(drawn),
    splits === 'few' || item.few,
  );
  for (const { name, place, pieces } of all) {
    const handlers = name === 'whole' ? names : [names[(place + index) % names.length]];
    for (const handler of handlers)
      yield { way: `${name}, a program that ${handler}`, handler, pieces };
  }
}

async function main() {
  const driver = new Driver();
  const results = [...cases()].map((item) => ({
    item,
    left: 0,
    started: false,
    records: new Map(),
    requests: 0,
    native: 0,
  }));

  function* exchanges() {
    for (const [index, result] of results.entries()) {
      const { item } = result;
      const ways = [...waysOf(item, index)];
      result.left = ways.length;
      for (const { way, handler, pieces } of ways) {
        const isWhole = way.startsWith('whole');
        yield {
          result,
          way,
          server: item.server ?? 'plain',
          steps: pieces,
          serve: HANDLERS[handler],
          reached({ socket }) {
            if (!isWhole) return;
            result.requests++;
            if (readByLibuv(socket) === 0) result.native++;
          },
        };
      }
    }
  }

  await driver.drive(exchanges(), ({ result, way }, record) => {
    const text = JSON.stringify(record);
    const { records, item } = result;
    if (!records.has(text)) records.set(text, []);
    records.get(text).push(way);
    if (--result.left > 0) return;
    const { file, name, plain = false } = item;
    const { requests, native } = result;
    const line = { file, name, plain, requests, native, records: [...records] };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    records.clear();
  });
  const stats = installed ? require('../..').stats() : null;
  process.stdout.write(`${JSON.stringify({ installed, stats })}\n`, () => process.exit());
}

main();
