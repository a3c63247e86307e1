'use strict';

// Proves that the tests can fail: damages the framing in src/wire, one fault at a time, and runs
// the tests that go through the shim, those of the builder, and those in Rust. The tests of the
// shim must find each fault in code that the shim uses, those of the builder all of them.
//
//   node scripts/mutation.js [--only TEXT] [--tolerate]
//
// Works on a copy in target/mutation. With --tolerate tests that fail without any damage do not
// count; else there must be none.

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');

const nodes = require('../test/nodes');

const root = path.join(__dirname, '..');
const work = path.join(root, 'target', 'mutation');
const copy = path.join(work, 'copy');
const target = path.join(work, 'build');

/** `[file, text, replacement]`s; `shim: false` where only the builder uses the code. */
const MUTANTS = [
  {
    name: 'chunk size off by one',
    edits: [
      ['message.rs', 'chunk::put_size(out, body as u64)', 'chunk::put_size(out, body as u64 + 1)'],
    ],
  },
  {
    name: 'no CRLF behind the chunk size',
    edits: [
      ['chunk.rs', 'out.put(&digits[at..])?;\n    out.put(b"\\r\\n")', 'out.put(&digits[at..])'],
    ],
  },
  {
    name: 'chunk size in upper-case hexadecimal',
    edits: [['chunk.rs', 'b"0123456789abcdef"', 'b"0123456789ABCDEF"']],
  },
  {
    name: 'no CRLF behind the chunk data',
    edits: [['chunk.rs', 'END_AFTER_DATA: &[u8] = b"\\r\\n0', 'END_AFTER_DATA: &[u8] = b"0']],
  },
  {
    name: 'no last chunk in an empty chunked body',
    edits: [['message.rs', 'Coding::Chunked => chunk::END,', 'Coding::Chunked => b"",']],
  },
  {
    name: 'no empty trailer section behind the last chunk',
    edits: [['chunk.rs', 'END: &[u8] = b"0\\r\\n\\r\\n"', 'END: &[u8] = b"0\\r\\n"']],
  },
  {
    name: 'Date line without its space',
    edits: [['head.rs', 'b"Date: "', 'b"Date:"']],
  },
  {
    name: 'Date of the next day',
    edits: [['date.rs', 'Duration::from_secs(second)', 'Duration::from_secs(second + 86_400)']],
  },
  {
    name: 'Date that never changes',
    edits: [['date.rs', 'if second != self.second {', 'if self.second == 0 && second > 0 {']],
    // Only a run of more than a second shows it; the Rust tests need none.
    rustOnly: true,
  },
  {
    name: 'Date behind Connection',
    edits: [
      [
        'head.rs',
        'if let Some(second) = head.date {',
        'if let (Some(second), true) = (head.date, false) {',
      ],
      [
        'head.rs',
        '    match head.length {',
        '    if let Some(second) = head.date {\n        out.put(b"Date: ")?;\n        out.put(dates.get(second))?;\n        out.put(b"\\r\\n")?;\n    }\n    match head.length {',
      ],
    ],
  },
  {
    name: 'keep-alive seconds off by one',
    edits: [
      ['head.rs', 'out.put_decimal(timeout)?;', 'out.put_decimal(timeout.wrapping_add(1))?;'],
    ],
  },
  {
    name: 'max of Keep-Alive left out',
    edits: [['head.rs', 'if let Some(max) = max {', 'if let (Some(max), true) = (max, false) {']],
  },
  {
    name: 'Connection: close in another casing',
    edits: [['head.rs', 'b"Connection: close\\r\\n"', 'b"Connection: Close\\r\\n"']],
  },
  {
    name: 'Content-Length off by one',
    edits: [['head.rs', 'out.put_decimal(length)?;', 'out.put_decimal(length.wrapping_add(1))?;']],
  },
  {
    name: 'Content-Length of 32 bits',
    edits: [
      ['head.rs', 'out.put_decimal(length)?;', 'out.put_decimal(u64::from(length as u32))?;'],
    ],
    // The builder adds only lengths of bodies that it has.
    builder: false,
  },
  {
    name: 'no Transfer-Encoding line',
    edits: [
      [
        'head.rs',
        'Length::Chunked => out.put(b"Transfer-Encoding: chunked\\r\\n")?,',
        'Length::Chunked => {}',
      ],
    ],
  },
  {
    name: 'no empty line behind the head',
    edits: [
      [
        'head.rs',
        '        Length::Chunked => out.put(b"Transfer-Encoding: chunked\\r\\n")?,\n    }\n    out.put(b"\\r\\n")',
        '        Length::Chunked => out.put(b"Transfer-Encoding: chunked\\r\\n")?,\n    }\n    Ok(())',
      ],
    ],
  },
  {
    name: 'fields in reverse order',
    edits: [
      [
        'head.rs',
        'in head.fields {',
        'in head.fields.into_iter().collect::<Vec<_>>().into_iter().rev() {',
      ],
    ],
  },
  {
    name: 'TAB behind the colon',
    edits: [['out.rs', '*colon = *b": ";', '*colon = *b":\\t";']],
  },
  {
    name: 'value and name of a field from each other',
    edits: [
      [
        'field.rs',
        'self.rest.split_at_checked(*name as usize)?',
        'self.rest.split_at_checked(*value as usize)?',
      ],
    ],
  },
  {
    name: 'status line of HTTP/1.0',
    edits: [['head.rs', 'b"HTTP/1.1 "', 'b"HTTP/1.0 "']],
    shim: false,
  },
  {
    name: '204 with a body',
    edits: [
      [
        'framing.rs',
        'status < 200 || status == 204 || status == 304',
        'status < 200 || status == 304',
      ],
    ],
    shim: false,
  },
  {
    name: '304 with a body',
    edits: [
      [
        'framing.rs',
        'status < 200 || status == 204 || status == 304',
        'status < 200 || status == 204',
      ],
    ],
    shim: false,
  },
  {
    name: 'a body in an answer to HEAD',
    edits: [
      ['framing.rs', 'let body = !no_content && !request.omit_body;', 'let body = !no_content;'],
    ],
    shim: false,
  },
  {
    name: 'a wrong length let through',
    edits: [
      [
        'framing.rs',
        'given != ContentLength::Octets(sent)',
        'given == ContentLength::Contradiction',
      ],
    ],
    shim: false,
  },
  {
    name: 'length beside coding let through',
    edits: [
      [
        'framing.rs',
        'if facts.transfer_coding {\n            return',
        'if facts.transfer_coding && false {\n            return',
      ],
    ],
    shim: false,
  },
  {
    name: 'xchunked taken for chunked',
    edits: [['framing.rs', '&& !value[..start].last().is_some_and(is_word)', '']],
    shim: false,
  },
  {
    name: 'control characters let through',
    edits: [['field.rs', "((byte < 0x20) & (byte != b'\\t'))", '(byte == 0)']],
    shim: false,
  },
];

const DOES_NOT_RUN = 'does not run at all';

/** What drawn responses went through on stock Node, by their groups. */
let stock;

/** What is run; each gives the names of the tests, or of the groups of responses, that failed. */
const SUITES = {
  shim: () => {
    stock ??= transcripts('stock', []);
    const own = transcripts('own', ['-r', path.join(copy, 'register.js')]);
    return Object.keys(stock).filter((id) => own[id] !== stock[id]);
  },
  builder: () => [
    ...runNode([
      '--test-skip-pattern=/leak|workers|100,000/',
      'test/message/framing.test.js',
      'test/message/programs.test.js',
      'test/message/refusals.test.js',
    ]),
    ...runNode(['--test-name-pattern=/builder/', 'test/property.test.js'], {
      ONEWRITE_PROPERTY_SEED: 'mutation',
      ONEWRITE_PROPERTY_CASES: '3000',
    }),
  ],
  rust: () => {
    const { stdout, status } = run('cargo', ['test', '--locked', '--lib']);
    const failed = [...stdout.matchAll(/^test (\S+) \.\.\. FAILED$/gm)].map(([, name]) => name);
    return status === 0 || failed.length > 0 ? failed : [`the crate ${DOES_NOT_RUN}`];
  },
};

const { bin } = nodes.binaries().at(-1);

// `node --test` does nothing in the environment of a test.
const { NODE_TEST_CONTEXT, ...plainEnv } = process.env;

function run(command, args, env = {}) {
  const result = spawnSync(command, args, {
    cwd: copy,
    env: { ...plainEnv, CARGO_TARGET_DIR: target, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 300_000,
  });
  if (result.error && result.error.code !== 'ETIMEDOUT') throw result.error;
  return result;
}

function runNode(args, env) {
  const { stdout, status } = run(bin, ['--test', '--test-reporter=tap', ...args], env);
  const failed = [...stdout.matchAll(/^ *not ok \d+ - (.*?)(?: #.*)?$/gm)].map(([, name]) => name);
  const ran = status === 0 || failed.some((name) => name !== args.at(-1));
  return ran ? failed : [`${args.at(-1)} ${DOES_NOT_RUN}`];
}

/** Has drawn responses served; a line for each group of them, by its name. */
function transcripts(name, args) {
  const file = path.join(work, `${name}.transcript`);
  fs.rmSync(file, { force: true });
  run(bin, ['--no-warnings', ...args, 'test/property/exchange.js', 'mutation', '1500', file]);
  if (name === 'stock' && !fs.existsSync(file)) throw new Error('stock Node does not serve');
  // A crash leaves none: then every group is another.
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  return Object.fromEntries(lines.map((line) => [/"id":"([^"]+)"/.exec(line)[1], line]));
}

/** The files of the working tree that are not ignored. */
function copyPackage() {
  fs.rmSync(copy, { recursive: true, force: true });
  const { stdout } = spawnSync('git', ['ls-files', '-zco', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of stdout.split('\0').filter(Boolean)) {
    if (!fs.statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile()) continue;
    fs.mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    fs.copyFileSync(path.join(root, file), path.join(copy, file));
  }
}

const addon = fs.readdirSync(root).find((file) => /^onewrite\..*\.node$/.test(file));
const library = { linux: 'libonewrite.so', darwin: 'libonewrite.dylib', win32: 'onewrite.dll' };

function build() {
  const { status, stderr } = run('cargo', ['build', '--locked']);
  if (status !== 0) throw new Error(`the damaged crate does not build:\n${stderr}`);
  fs.copyFileSync(path.join(target, 'debug', library[process.platform]), path.join(copy, addon));
}

/** Applies the edits; gives back what undoes them. */
function damage({ name, edits }) {
  const originals = new Map();
  for (const [file, text, replacement] of edits) {
    const place = path.join(copy, 'src', 'wire', file);
    const source = fs.readFileSync(place, 'utf8');
    if (!originals.has(place)) originals.set(place, source);
    if (source.split(text).length !== 2)
      throw new Error(`${name}: ${file} must hold once:\n${text}`);
    fs.writeFileSync(
      place,
      source.replace(text, () => replacement),
    );
  }
  return () => {
    for (const [place, source] of originals) fs.writeFileSync(place, source);
  };
}

/** Who must find a fault. */
function finders({ shim = true, builder = true, rustOnly = false }) {
  if (rustOnly) return ['rust'];
  return [...(shim ? ['shim'] : []), ...(builder ? ['builder'] : [])];
}

function main() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      tolerate: { type: 'boolean', default: false },
    },
  });
  if (addon === undefined) throw new Error('build the addon first: npm run build');
  copyPackage();
  const mutants = MUTANTS.filter(({ name }) => name.includes(values.only));
  // Each pattern is looked for before anything takes its time.
  for (const mutant of mutants) damage(mutant)();

  build();
  const before = Object.fromEntries(Object.entries(SUITES).map(([suite, act]) => [suite, act()]));
  const failing = Object.entries(before).flatMap(([suite, failed]) =>
    failed.map((name) => `${suite}: ${name}`),
  );
  for (const name of failing) console.log(`fails undamaged: ${name}`);
  if (failing.length > 0 && !values.tolerate)
    throw new Error('the undamaged package does not pass');

  console.log(`| fault | ${Object.keys(SUITES).join(' | ')} |`);
  console.log(`| --- |${' --- |'.repeat(Object.keys(SUITES).length)}`);
  let survived = 0;
  for (const mutant of mutants) {
    const undo = damage(mutant);
    build();
    const cells = Object.entries(SUITES).map(([suite, act]) => {
      const count = act().filter((name) => !before[suite].includes(name)).length;
      if (count > 0) return `found by ${count}`;
      if (!finders(mutant).includes(suite)) return '-';
      survived++;
      return 'NOT FOUND';
    });
    undo();
    console.log(`| ${mutant.name} | ${cells.join(' | ')} |`);
  }
  console.log(`\nfaults: ${mutants.length}, not found where they must be: ${survived}`);
  process.exitCode = survived > 0 ? 1 : 0;
}

main();
