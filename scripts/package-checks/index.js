'use strict';

// Looks at the packed package as the tools of a user do: publint at its manifest and its files,
// Are The Types Wrong at how each of its entries resolves to types.
//
//   node scripts/package-checks
//
// Packs what is built already. The tools are in a package of their own, installed when needed.

const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const lock = require('./package-lock.json');

const root = path.join(__dirname, '..', '..');

/** Each tool as it is started with a tarball. */
const tools = [
  { name: 'publint', arguments: (tarball) => ['run', tarball, '--strict'] },
  { name: '@arethetypeswrong/cli', arguments: (tarball) => [tarball, '--no-emoji'] },
];

function runNpm(args, cwd) {
  // The npm that runs us, if one does, so that both agree on settings and lock file format.
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  execFileSync(command, [...first, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

const place = (name) => path.join('node_modules', name);

/** @returns {object | null} null when the tool is not there at the version of the lock file */
function manifestOf(name) {
  const file = path.join(__dirname, place(name), 'package.json');
  if (!fs.existsSync(file)) return null;
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8'));
  return manifest.version === lock.packages[`node_modules/${name}`].version ? manifest : null;
}

/** The program of a tool. */
function programOf(name) {
  const { bin } = manifestOf(name);
  const [file] = typeof bin === 'string' ? [bin] : Object.values(bin);
  return path.join(__dirname, place(name), file);
}

function main() {
  if (!tools.every(({ name }) => manifestOf(name))) {
    console.log('Installing publint and Are The Types Wrong in scripts/package-checks');
    runNpm(['ci', '--no-audit', '--no-fund'], __dirname);
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'onewrite-package-checks-'));
  try {
    runNpm(['pack', '--ignore-scripts', '--pack-destination', folder], root);
    const [tarball] = fs.readdirSync(folder).map((name) => path.join(folder, name));
    for (const tool of tools) {
      const args = [programOf(tool.name), ...tool.arguments(tarball)];
      const { status, error } = spawnSync(process.execPath, args, {
        cwd: __dirname,
        env: { ...process.env, NO_COLOR: '1' },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      if (error) throw error;
      console.log(`${tool.name}: ${status === 0 ? 'passed' : 'FAILED'}`);
      if (status !== 0) process.exitCode = 1;
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

main();
