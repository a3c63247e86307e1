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

const { need } = require('../package-folder.js');

const root = path.join(__dirname, '..', '..');

/** Each tool as it is started with a tarball. */
const tools = [
  { name: 'publint', arguments: (tarball) => ['run', tarball, '--strict'] },
  { name: '@arethetypeswrong/cli', arguments: (tarball) => [tarball, '--no-emoji'] },
];

/** Packs what is built into a folder. @returns {string} the tarball */
function pack(folder) {
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  execFileSync(command, [...args, 'pack', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [tarball] = fs.readdirSync(folder);
  return path.join(folder, tarball);
}

/** The program of a tool. */
function programOf(name) {
  const folder = path.join(__dirname, 'node_modules', name);
  const { bin } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const [file] = typeof bin === 'string' ? [bin] : Object.values(bin);
  return path.join(folder, file);
}

function main() {
  need(
    __dirname,
    tools.map(({ name }) => name),
  );
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'onewrite-package-checks-'));
  try {
    const tarball = pack(folder);
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
