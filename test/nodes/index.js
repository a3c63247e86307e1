'use strict';

// The Node.js binaries that the tests run. Run as a program it installs them:
//   node test/nodes

const { execFileSync } = require('node:child_process');
const path = require('node:path');

const packages = require('../../scripts/package-folder');

const folder = __dirname;
const majors = [20, 22, 24, 26];

/** The package that holds the binary. */
const packageOf = (major) => `node${major}`;

/** The packages hold glibc binaries for Linux x64, which nothing else can run. */
const supported =
  process.platform === 'linux' &&
  process.arch === 'x64' &&
  process.report.getReport().header.glibcVersionRuntime !== undefined;

function binaryOf(major) {
  return path.join(folder, 'node_modules', packageOf(major), 'bin', 'node');
}

/**
 * The binaries to test with, oldest first: Node 20, 22, 24 and 26 where they can run, else the
 * running Node alone.
 *
 * @returns {{ major: number, bin: string }[]}
 * @throws {Error} when they can run here but are not installed
 */
function binaries() {
  if (!supported) {
    return [{ major: Number.parseInt(process.versions.node, 10), bin: process.execPath }];
  }
  const missing = packages.missing(folder, majors.map(packageOf));
  if (missing.length > 0) {
    throw new Error(`${missing.join(', ')} not installed: run "node test/nodes" first`);
  }
  return majors.map((major) => ({ major, bin: binaryOf(major) }));
}

/** Installs what is missing, at the versions of the lock file. */
function install() {
  if (!supported) {
    console.log(
      `The Node binaries of test/nodes are for Linux x64 with glibc: testing with the running Node ${process.versions.node} alone`,
    );
    return;
  }
  packages.need(folder, majors.map(packageOf));
  for (const { bin } of binaries()) {
    // Starting each one proves that it runs here, before some test fails for that reason.
    const version = execFileSync(bin, ['--version'], { encoding: 'utf8' }).trim();
    console.log(`Node ${version}: ${path.relative(process.cwd(), bin)}`);
  }
}

module.exports = { binaries, install };

if (require.main === module) install();
