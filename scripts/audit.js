'use strict';

// Asks the advisory databases about the packages and crates that the lock files name.
//
//   node scripts/audit.js [--require] [--advisory-db FOLDER]
//
// Fails on an advisory. A database that does not answer is said, and fails with --require alone:
// not every registry answers audits, and cargo-audit fetches its database from elsewhere.
// FOLDER is a clone of the RustSec database, to be used as it is.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');

const root = path.join(__dirname, '..');

/**
 * @typedef {{ advisories: string[] } | { unanswered: string }} Verdict on a lock file
 */

/** @returns {object | null} null when it is no JSON */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The line of an error that says most: the last, but for where npm keeps its log. */
function lastLine(text, otherwise) {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.includes('log of'));
  return lines.at(-1)?.trim() ?? otherwise;
}

/**
 * What `npm audit --json` says.
 * @param {{ status: number | null, stdout: string, stderr: string }} result
 * @returns {Verdict}
 */
function npmVerdict({ status, stdout, stderr }) {
  const report = parsed(stdout);
  if (report?.auditReportVersion === undefined || report.vulnerabilities === undefined) {
    const answer = report?.message ?? lastLine(stderr, `npm ended with ${status}`);
    return { unanswered: `the registry does not answer audits (${answer})` };
  }
  const advisories = Object.values(report.vulnerabilities).flatMap(({ name, severity, via }) =>
    via
      .filter((cause) => typeof cause === 'object')
      .map(({ title, url }) => `${name} (${severity}): ${title} ${url}`),
  );
  return { advisories };
}

/**
 * What `cargo audit --json` says; unmaintained and yanked crates are no advisories.
 * @param {{ status: number | null, stdout: string, stderr: string }} result
 * @returns {Verdict}
 */
function cargoVerdict({ status, stdout, stderr }) {
  const report = parsed(stdout);
  if (report?.vulnerabilities?.list === undefined) {
    if (/no such command/.test(stderr)) {
      return { unanswered: 'cargo-audit is not there: cargo install cargo-audit' };
    }
    return {
      unanswered: `cargo-audit made no report (${lastLine(stderr, `cargo ended with ${status}`)})`,
    };
  }
  const advisories = report.vulnerabilities.list.map(
    ({ advisory, package: crate }) =>
      `${crate.name} ${crate.version}: ${advisory.title} ${advisory.id}`,
  );
  return { advisories };
}

function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { status, stdout: stdout ?? '', stderr: error ? error.message : stderr };
}

function auditNpm(folder) {
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  return npmVerdict(run(command, [...first, 'audit', '--json', '--package-lock-only'], folder));
}

function auditCargo(folder, database) {
  const from = database === undefined ? [] : ['--db', database, '--no-fetch', '--stale'];
  return cargoVerdict(run('cargo', ['audit', '--json', ...from], folder));
}

/** Folders with a lock file of this name, from the root of the project. */
function foldersWith(lock) {
  const skipped = new Set(['node_modules', 'target', '.git']);
  const found = [];
  const search = (folder) => {
    for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
      if (entry.isDirectory() && !skipped.has(entry.name)) search(path.join(folder, entry.name));
      else if (entry.name === lock) found.push(folder);
    }
  };
  search('.');
  return found;
}

function main() {
  const { values } = parseArgs({
    options: {
      require: { type: 'boolean', default: false },
      'advisory-db': { type: 'string' },
    },
  });
  const database = values['advisory-db'] && path.resolve(values['advisory-db']);
  const verdicts = [
    ['package-lock.json', auditNpm],
    ['Cargo.lock', (folder) => auditCargo(folder, database)],
  ].flatMap(([lock, audit]) =>
    foldersWith(lock).map((folder) => ({
      file: path.join(folder, lock),
      ...audit(path.join(root, folder)),
    })),
  );
  for (const { file, advisories, unanswered } of verdicts) {
    if (unanswered !== undefined) console.log(`NOT AUDITED ${file}: ${unanswered}`);
    else if (advisories.length === 0) console.log(`${file}: no advisories`);
    else console.log([`${file}: ADVISORIES`, ...advisories].join('\n  '));
  }
  const hit = verdicts.filter(({ advisories }) => advisories?.length > 0).length;
  const silent = verdicts.filter(({ unanswered }) => unanswered !== undefined).length;
  console.log(
    `lock files: ${verdicts.length - hit - silent} without advisories, ${hit} with, ${silent} not audited`,
  );
  process.exitCode = hit > 0 || (values.require && silent > 0) ? 1 : 0;
}

main();
