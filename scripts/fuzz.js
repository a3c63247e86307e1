'use strict';

// Builds the fuzz targets on stable Rust and runs each for some seconds.
//
//   node scripts/fuzz.js [SECONDS]
//
// An input that fails a check is written to fuzz/artifacts, and the run fails.

const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const folder = path.join(__dirname, '..', 'fuzz');
const target = path.join(folder, 'target', 'stable');

/** Coverage for libFuzzer, as cargo-fuzz asks for it; and the checks of a debug build. */
const FLAGS = [
  '-Cpasses=sancov-module',
  '-Cllvm-args=-sanitizer-coverage-level=4',
  '-Cllvm-args=-sanitizer-coverage-inline-8bit-counters',
  '-Cllvm-args=-sanitizer-coverage-pc-table',
  '-Cllvm-args=-sanitizer-coverage-trace-compares',
  '-Cdebug-assertions',
  '-Coverflow-checks',
  '-Ccodegen-units=1',
  '--cfg=fuzzing',
];

function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error) throw error;
  if (status !== 0) {
    console.error(`${path.basename(command)} failed`);
    process.exit(1);
  }
}

const seconds = Number(process.argv[2] ?? 20);
if (!Number.isInteger(seconds) || seconds < 1) {
  console.error('usage: node scripts/fuzz.js [SECONDS]');
  process.exit(2);
}
// Named, the flags are not for build scripts.
const [, host] = /^host: (.+)$/m.exec(execFileSync('rustc', ['-vV'], { encoding: 'utf8' }));
run('cargo', ['build', '--release', '--locked', '--target', host, '--target-dir', target], {
  RUSTFLAGS: FLAGS.join(' '),
});
for (const file of fs.readdirSync(path.join(folder, 'fuzz_targets'))) {
  if (!file.endsWith('.rs')) continue;
  const name = path.basename(file, '.rs');
  const artifacts = path.join(folder, 'artifacts', name);
  const corpus = path.join(folder, 'corpus', name);
  for (const directory of [artifacts, corpus]) fs.mkdirSync(directory, { recursive: true });
  run(path.join(target, host, 'release', name), [
    corpus,
    `-artifact_prefix=${artifacts}${path.sep}`,
    '-dict=request.dict',
    '-max_len=600',
    `-max_total_time=${seconds}`,
    '-print_final_stats=1',
    '-verbosity=0',
  ]);
}
