'use strict';

// What the pages for people say: their commands and programs are run, their links lead somewhere,
// and their tables are complete. test/docs/blocks.js says how a block of code names its check.

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { after, describe, test } = require('node:test');

const { ENGINE_REASONS, REASONS, TEARDOWN_REASONS } = require('../lib/stats');
const { names } = require('../lib/parts');
const { anchorsOf, blocksOf, commandsOf, linksOf, namesUnder, oneLine, printedBy } =
  require('./docs/blocks');
const { pack, runCommands, runProgram, serve } = require('./docs/user');

const root = path.join(__dirname, '..');
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8').replaceAll('\r\n', '\n');
const exists = (file) => fs.existsSync(path.join(root, file));

const pages = [
  ...fs.readdirSync(root).filter((file) => file.endsWith('.md')),
  ...fs
    .readdirSync(path.join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
  'benchmark/README.md',
  'fuzz/README.md',
  'test/node-core/README.md',
];

let packed;
const folder = () => {
  packed ??= pack();
  packed.folder ??= packed.install();
  return packed.folder;
};
after(() => packed?.remove());

/** Sockets have no descriptors there, so that parts are off, and its shell is another. */
const skip = process.platform === 'win32' && 'the pages tell of POSIX systems';

/** Commands of a user: see test/docs/blocks.js. */
async function checkApp({ text, words }) {
  const expected = { all: names, none: [] }[words[0]] ?? words;
  assert.notEqual(words.length, 0, 'the mark says which parts are on');
  for (const command of commandsOf(text)) {
    if (command === 'npm install onewrite') {
      folder();
      continue;
    }
    assert.deepEqual(await serve(command, folder()), expected, command);
  }
}

/** What has run came to a good end, and has printed what the block says. */
function assertPrinted({ code, signal, stdout, stderr }, expected) {
  assert.equal(stderr, '');
  assert.deepEqual([code, signal], [0, null]);
  assert.match(oneLine(stdout), expected);
}

async function checkCommand({ text }) {
  assertPrinted(await runCommands(text, folder()), printedBy(text, '#'));
}

async function checkProgram({ text }) {
  assertPrinted(await runProgram(text, folder()), printedBy(text, '//'));
}

/** Commands whose first words are these are no files or scripts of the project. */
const TOOLS = /^(git|cd|npm (install|ci|pack|login|publish)|cargo|apt-get)\b/;

/** The scripts and files that commands of the project name must be there. */
function checkProject({ text }) {
  const { scripts } = require('../package.json');
  let at = root;
  for (const line of commandsOf(text).flatMap((command) => command.split(' && '))) {
    const command = line.replace(/^([A-Z_]+=\S+ +)+/, '');
    const script = /^npm (?:run )?(?:--silent |-s )?([\w:-]+)/.exec(command)?.[1];
    const file = /^(?:node|bash) (?:--test(?:-name-pattern "[^"]*")? )*((?!-)\S+)/.exec(
      command,
    )?.[1];
    const [, tool] = /^npx (\S+)/.exec(command) ?? [];
    if (/^npm (run|test)\b/.test(command)) {
      assert.ok(Object.hasOwn(scripts, script), `no script for: ${command}`);
    } else if (file !== undefined) {
      const target = path.join(at, file);
      assert.ok([target, `${target}.js`].some(fs.existsSync), `no file for: ${command}`);
      for (const [named] of command.matchAll(/\b(?:test|scripts|lib|src)\/[\w./-]+\.\w+/g)) {
        assert.ok(exists(named), `no ${named} for: ${command}`);
      }
    } else if (tool !== undefined) {
      assert.ok(exists(`node_modules/.bin/${tool}`), `no tool for: ${command}`);
    } else {
      assert.match(command, TOOLS, 'no command that is known here');
      if (command.startsWith('cd ') && !command.endsWith(' onewrite')) {
        at = path.join(at, command.slice(3));
        assert.ok(fs.statSync(at).isDirectory(), command);
      }
    }
  }
}

function checkPatch({ text }) {
  const { status, stderr, error } = spawnSync('git', ['apply', '--check', '-'], {
    cwd: root,
    input: text,
    encoding: 'utf8',
  });
  if (error) throw error;
  assert.equal(status, 0, stderr);
}

function checkNone({ words }) {
  assert.notEqual(words.length, 0, 'the mark says why nothing is checked');
}

const CHECKS = {
  app: { language: 'sh', check: checkApp, skip },
  command: { language: 'sh', check: checkCommand, skip },
  program: { language: 'js', check: checkProgram, skip },
  project: { language: 'sh', check: checkProject },
  patch: { language: 'diff', check: checkPatch, skip },
  none: { check: checkNone },
};

async function checkBlock(block) {
  const { check, language } = block;
  assert.notEqual(check, null, 'no mark says how this block is checked: see test/docs/blocks.js');
  assert.ok(Object.hasOwn(CHECKS, check), `there is no check ${check}`);
  if (CHECKS[check].language !== undefined) assert.equal(language, CHECKS[check].language);
  await CHECKS[check].check(block);
}

for (const page of pages) {
  describe(page, () => {
    const text = read(page);

    for (const block of blocksOf(page, text)) {
      const title = `line ${block.line}: ${block.text.split('\n')[0]}`;
      test(title, { skip: CHECKS[block.check]?.skip }, () => checkBlock(block));
    }

    test('links lead to files and headings that are there', () => {
      for (const { to, anchor } of linksOf(text)) {
        const target = to === '' ? page : path.posix.join(path.posix.dirname(page), to);
        assert.ok(exists(target), `${target} is not there`);
        if (anchor === '') continue;
        assert.ok(anchorsOf(read(target)).includes(anchor), `no heading ${anchor} in ${target}`);
      }
    });
  });
}

describe('a block of code', () => {
  const fenced = (mark, text, language = 'js') =>
    blocksOf('page.md', `${mark}\n\`\`\`${language}\n${text}\`\`\`\n`)[0];

  const REFUSED = {
    'has no mark': fenced('Some text.', '1;\n'),
    'has an unknown mark': fenced('<!-- test: prose -->', '1;\n'),
    'is of another language': fenced('<!-- test: program -->', '1;\n', 'sh'),
    'prints what it does not say': fenced('<!-- test: program -->', 'console.log(1);\n'),
    'prints something else than it says': fenced(
      '<!-- test: program -->',
      'console.log([1, 2]); // → [ 1, … 3 ]\n',
    ),
    throws: fenced('<!-- test: program -->', 'throw new Error();\n'),
    'has a command that fails': fenced('<!-- test: command -->', 'false\ntrue\n', 'sh'),
    'has a command that prints something else': fenced(
      '<!-- test: command -->',
      'echo a # → b\n',
      'sh',
    ),
    'names a script that is not there': fenced(
      '<!-- test: project -->',
      'npm run nonsense # a comment\n',
      'sh',
    ),
    'names a file that is not there': fenced(
      '<!-- test: project -->',
      'npm install && node scripts/nonsense.js\n',
      'sh',
    ),
    'changes a line that is not there': fenced(
      '<!-- test: patch -->',
      '--- a/index.js\n+++ b/index.js\n@@ -1,1 +1,1 @@\n-nonsense\n+sense\n',
      'diff',
    ),
    'is not checked for no reason': fenced('<!-- test: none -->', 'drawing\n', 'text'),
  };
  for (const [what, block] of Object.entries(REFUSED)) {
    test(`that ${what} is refused`, () => assert.rejects(checkBlock(block)));
  }

  test('with other parts on than it says is refused', { skip }, async () => {
    const text = 'ONEWRITE=off node -r onewrite/register app.js\n';
    await assert.rejects(checkBlock(fenced('<!-- test: app all -->', text, 'sh')), /responses/);
    await checkBlock(fenced('<!-- test: app none -->', text, 'sh'));
  });
});

describe('index.d.ts', () => {
  const types = read('index.d.ts');

  for (const [part, type, reasons] of [
    ['responses', 'HandBackReason', REASONS],
    ['teardown', 'TeardownHandBackReason', TEARDOWN_REASONS],
    ['engine', 'EngineHandBackReason', ENGINE_REASONS],
  ]) {
    test(`and docs/reasons.md have the reasons of ${part}, no other ones`, () => {
      const [, union] = new RegExp(`export type ${type} =([^;]+);`).exec(types);
      const typed = [...union.matchAll(/'([\w-]+)'/g)].map(([, name]) => name);
      const expected = Object.keys(reasons).sort();
      assert.deepEqual(typed.sort(), expected);
      assert.deepEqual(namesUnder(read('docs/reasons.md'), `\`${part}\``).sort(), expected);
    });
  }

  test('has a doc comment for everything that it exports', () => {
    const lines = types.split('\n');
    const isCode = (line) => /^(export |\s+\w+\??:.*[;{]$)/.test(line);
    const bare = lines.filter((line, i) => isCode(line) && !/\*\/$/.test(lines[i - 1]));
    assert.deepEqual(bare, []);
    const exported = [...types.matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
    assert.deepEqual(exported.sort(), Object.keys(require('..')).sort());
  });

  test('and the pages say each code of an error or a warning', () => {
    const sources = ['lib/errors.js', 'lib/parts.js', 'register.js'].map(read).join('\n');
    const codes = new Set(sources.match(/\b(?:ERR|ONEWRITE)_[A-Z_]+\b/g));
    const own = [...codes].filter((code) => code.startsWith('ONEWRITE_'));
    assert.ok(own.length > 1 && codes.size > 5, [...codes].join());
    for (const code of codes) assert.ok(types.includes(code), `${code} in index.d.ts`);
    const told = pages
      .filter((page) => page.startsWith('docs/'))
      .map(read)
      .join('\n');
    for (const code of codes) assert.ok(told.includes(code), `${code} in docs/`);
  });
});
