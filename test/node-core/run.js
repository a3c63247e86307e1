'use strict';

// Runs Node's own tests on stock Node and with the package preloaded:
//   node test/node-core/run.js [options]
// README.md in this folder lists the options and says what the verdict means.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { parseArgs } = require('node:util');

const { CannotRun } = require('./cannot-run');
const { compare } = require('./compare');
const { sum } = require('./counters');
const { obtain } = require('./fetch');
const nodes = require('./nodes');
const one = require('./one');
const { report, gist } = require('./report');
const { PARTS, list } = require('./suite');
const verdict = require('./verdict');

const EXEMPTIONS = path.join(__dirname, 'exemptions.txt');

// Exit codes.
const REGRESSIONS = 1;
const NOTHING_PROVEN = 2;

/** The progress is told after so many tests. */
const STEP = 25;

function options() {
  const { values } = parseArgs({
    options: {
      node: { type: 'string', default: nodes.SUITE },
      sets: { type: 'string', default: 'default' },
      part: { type: 'string', default: Object.keys(PARTS).join(',') },
      match: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      timeout: { type: 'string', default: '60' },
      suite: { type: 'string' },
      package: { type: 'string', default: path.join(__dirname, '..', '..') },
      json: { type: 'string' },
    },
  });
  const parts = values.part.split(',');
  const unknown = parts.filter((part) => !Object.hasOwn(PARTS, part));
  if (unknown.length > 0) throw new CannotRun(`--part knows ${Object.keys(PARTS)}, not ${unknown}`);
  const count = (name) => {
    const number = Number(values[name]);
    if (!(Number.isInteger(number) && number > 0)) throw new CannotRun(`--${name} takes a number`);
    return number;
  };
  return {
    nodes: values.node.split(','),
    // A plus between the parts of a set; `default` is what a user has who sets nothing.
    sets: new Map(
      values.sets
        .split(',')
        .map((set) => [set, set === 'default' ? null : set.replaceAll('+', ',')]),
    ),
    parts,
    match: values.match === undefined ? undefined : new RegExp(values.match),
    jobs: count('jobs'),
    timeout: count('timeout') * 1000,
    suite: values.suite,
    package: path.resolve(values.package),
    json: values.json,
  };
}

/** Fails unless each set switches something on, for else nothing would be compared. */
function probe(bin, root, sets) {
  const script = 'process.stdout.write(JSON.stringify(require(process.argv[1]).install().parts))';
  for (const [set, parts] of sets) {
    const env = { ...process.env, ONEWRITE: parts ?? '' };
    const register = path.join(root, 'register.js');
    const text = execFileSync(bin, ['-r', register, '-e', script, root], { env, encoding: 'utf8' });
    const report = Object.entries(JSON.parse(text));
    const on = report.filter(([, part]) => part.on).map(([name]) => name);
    if (on.length === 0) {
      const reasons = report.map(([name, { reason }]) => `${name}: ${reason}`);
      throw new CannotRun(`the set ${set} switches nothing on (${reasons.join('; ')})`);
    }
    console.log(`${set} switches on: ${on.join(', ')}`);
  }
}

/** A port below those that the kernel gives out, and that nobody listens on. */
async function freePort() {
  for (let port = 12346 + (process.pid % 10000); ; port++) {
    const server = net.createServer();
    const free = await new Promise((resolve) => {
      server.on('error', () => resolve(false)).listen(port, () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

function progressOf(tests, sets) {
  const start = Date.now();
  let done = 0;
  const say = (words) => {
    const seconds = Math.round((Date.now() - start) / 1000);
    console.log(`[${String(done).padStart(4)}/${tests.length} ${seconds} s] ${words}`);
  };
  return {
    first(record) {
      done++;
      const open = sets.filter((set) => verdict.isOpen(record, set));
      if (!verdict.isComparable(record)) {
        say(`${record.name} fails on stock Node`);
      } else if (!verdict.isOver(record.stock[0])) {
        say(`${record.name} flickers on stock Node`);
      } else if (open.length > 0) {
        say(`${record.name} failed with ${open.join(', ')}, to be run again`);
      } else if (done % STEP === 0 || done === tests.length) {
        say(record.name);
      }
    },
    again(record, set) {
      const { runs, stock, package: own } = record.again[set];
      say(`${record.name}: failed ${own} of ${runs} times with ${set}, ${stock} on stock Node`);
    },
  };
}

async function runOn(word, tests, root, chosen, exemptions) {
  const { bin, version } = nodes.find(word);
  const sets = [...chosen.sets.keys()];
  console.log(`\n##### Node ${version}, ${tests.length} tests, ${chosen.jobs} at a time`);
  probe(bin, chosen.package, chosen.sets);
  const setting = {
    ...chosen,
    bin,
    root,
    port: await freePort(),
    register: path.join(chosen.package, 'register.js'),
  };
  const records = await compare(tests, setting, progressOf(tests, sets));
  const result = report(records, sets, exemptions, console.log);
  return { version, sets, records, ...result };
}

/** What a later run, or a person, compares with; outputs only where something failed. */
function forFile({ version, sets, records, regressions }, exemptions) {
  const brief = ({ outcome, code, signal, ms, output, counters }) => ({
    outcome,
    ms,
    ...(outcome === 'failed' || outcome === 'timed out'
      ? { code, signal, gist: gist(output) }
      : {}),
    ...(counters.length > 0 ? { counters: sum(counters) } : {}),
  });
  return {
    node: version,
    regressions,
    counters: Object.fromEntries(
      sets.map((set) => [set, sum(records.flatMap((r) => r.sets[set]?.counters ?? []))]),
    ),
    tests: records.map((record) => ({
      name: record.name,
      part: record.part,
      preload: record.preload,
      status: Object.fromEntries(
        sets.map((set) => [set, verdict.statusOf(record, set, exemptions)]),
      ),
      stock: record.stock.map(brief),
      sets: Object.fromEntries(
        Object.entries(record.sets).map(([set, result]) => [set, brief(result)]),
      ),
      again: record.again,
    })),
  };
}

async function main() {
  const chosen = options();
  const exemptions = verdict.parseExemptions(fs.readFileSync(EXEMPTIONS, 'utf8'));
  const root = obtain(chosen.suite, console.log);
  const tests = list(root, chosen.parts, chosen.match);
  if (tests.length === 0) throw new CannotRun(`no test matches ${chosen.match}`);
  console.log(`the tests in ${path.relative(process.cwd(), root) || '.'}`);

  const results = [];
  for (const word of chosen.nodes) {
    results.push(await runOn(word, tests, root, chosen, exemptions));
  }
  if (chosen.json !== undefined) {
    const text = JSON.stringify(
      results.map((result) => forFile(result, exemptions)),
      null,
      1,
    );
    fs.writeFileSync(chosen.json, `${text}\n`);
  }

  console.log('');
  for (const { version, sets, regressions, unproven } of results) {
    console.log(`Node ${version} with ${sets.join(', ')}: ${regressions} regressions`);
    if (regressions > 0) process.exitCode = REGRESSIONS;
    // The parts stream and net may well hold no server at all.
    if (unproven.length === 0 || !/^https?$/m.test(chosen.parts.join('\n'))) continue;
    console.log(`Node ${version}: nothing took the fast path with ${unproven.join(', ')}`);
    process.exitCode ||= NOTHING_PROVEN;
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    one.stop();
    process.exit(128 + (signal === 'SIGINT' ? 2 : 15));
  });
}

main().catch((error) => {
  one.stop();
  console.error(error instanceof CannotRun ? `nothing was run: ${error.message}` : error);
  process.exitCode = NOTHING_PROVEN;
});
