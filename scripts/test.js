'use strict';

// Runs every check of the package and says at the end which failed. `npm test` is this script.

const { spawnSync } = require('node:child_process');

/** In the order of what it costs; the addon first, so that no test runs against a stale one. */
const checks = [
  ['build', 'the addon'],
  ['lint', 'JavaScript: format and lint'],
  ['test:types', 'index.d.ts'],
  ['lint:rust', 'Rust: format and lint'],
  ['test:rust', 'Rust: tests'],
  ['test:js', 'JavaScript: tests on every Node'],
];

function runScript(name) {
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const { status, error } = spawnSync(command, [...args, 'run', '--silent', name], {
    stdio: ['ignore', 'inherit', 'inherit'],
    // Only a .cmd file starts npm on Windows, and that takes a shell.
    shell: !npm && process.platform === 'win32',
  });
  if (error) throw error;
  return status === 0;
}

const results = checks.map(([name, what]) => {
  const start = Date.now();
  console.log(`\n=== ${name}: ${what}`);
  const passed = runScript(name);
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(`=== ${name}: ${passed ? 'passed' : 'FAILED'} after ${seconds} s`);
  return { name, passed };
});

const failed = results.filter(({ passed }) => !passed);
for (const { name } of failed) console.log(`FAILED: npm run ${name}`);
console.log(`checks: ${results.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 ? 1 : 0;
