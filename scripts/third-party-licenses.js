'use strict';

// Writes THIRD_PARTY_LICENSES: the licences of the crates inside the compiled addon.
//
//   node scripts/third-party-licenses.js [--target TRIPLE]... [--all-targets] [--out FILE]
//
// Without arguments it is for the machine it runs on. The same lock file, toolchain and targets
// give the same bytes. Exits with status 1, and writes nothing, if a crate has no licence.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');

const root = path.join(__dirname, '..');

/** Licence texts of crates whose published folder lacks one; each is from the crate's repository. */
const supplements = {
  napi: ['napi-rs.txt'],
  'napi-sys': ['napi-rs.txt'],
};

const licenceFile = /^(licen[cs]e|copying|copyright|notice|unlicense)/i;

const byCodeUnits = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

function run(command, args) {
  return execFileSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function hostTarget() {
  return /^host: (.+)$/m.exec(run(process.env.RUSTC ?? 'rustc', ['-vV']))[1];
}

/**
 * The crates that end in the addon built for a target: reached from ours by normal dependencies.
 * Build scripts and procedural macros run in the compiler and leave none of their code behind.
 */
function linkedCrates(target) {
  const metadata = JSON.parse(
    run('cargo', ['metadata', '--locked', '--format-version=1', '--filter-platform', target]),
  );
  const packages = new Map(metadata.packages.map((p) => [p.id, p]));
  const nodes = new Map(metadata.resolve.nodes.map((n) => [n.id, n]));
  const isMacro = (id) => packages.get(id).targets.some((t) => t.kind.includes('proc-macro'));
  const seen = new Set();
  const visit = (id) => {
    if (seen.has(id) || isMacro(id)) return;
    seen.add(id);
    for (const dependency of nodes.get(id).deps) {
      if (dependency.dep_kinds.some(({ kind }) => kind === null)) visit(dependency.pkg);
    }
  };
  visit(metadata.resolve.root);
  seen.delete(metadata.resolve.root);
  return [...seen].map((id) => packages.get(id));
}

/** Every licence file of a folder, folders such as LICENSES included, as `{ name, text }`. */
function licenceTexts(folder) {
  const found = [];
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (!licenceFile.test(entry.name)) continue;
    if (entry.isDirectory()) {
      for (const name of fs.readdirSync(path.join(folder, entry.name))) {
        found.push(path.posix.join(entry.name, name));
      }
    } else {
      found.push(entry.name);
    }
  }
  return found
    .sort(byCodeUnits)
    .map((name) => ({ name, text: fs.readFileSync(path.join(folder, name), 'utf8') }));
}

function textsOfCrate(crate) {
  const folder = path.dirname(crate.manifest_path);
  const texts = licenceTexts(folder);
  if (crate.license_file && !texts.some(({ name }) => name === crate.license_file)) {
    const text = fs.readFileSync(path.join(folder, crate.license_file), 'utf8');
    texts.push({ name: crate.license_file, text });
  }
  if (texts.length > 0) return texts;
  return (supplements[crate.name] ?? []).map((name) => ({
    name: 'LICENSE',
    text: fs.readFileSync(path.join(__dirname, 'licenses', name), 'utf8'),
  }));
}

function crateSection(crate) {
  if (!crate.license && !crate.license_file) {
    throw new Error(`${crate.name} ${crate.version} names no licence`);
  }
  const texts = textsOfCrate(crate);
  if (texts.length === 0) {
    throw new Error(
      `${crate.name} ${crate.version} (${crate.license}) carries no licence text: ` +
        'take it from its repository into scripts/licenses/ and name it in this script',
    );
  }
  return {
    title: `${crate.name} ${crate.version}`,
    lines: [`Licence: ${crate.license ?? `see ${crate.license_file}`}`],
    texts,
  };
}

function plainText(html) {
  const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d+)|(\w+));/g, (whole, number, name) =>
      number ? String.fromCodePoint(Number(number)) : (entities[name] ?? whole),
    );
}

const nonEmptyLines = (html) =>
  plainText(html)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The libraries that the toolchain holds for the targets; null if it lacks one of the targets. */
function standardLibraries(sysroot, targets) {
  const names = new Set();
  for (const target of targets) {
    const folder = path.join(sysroot, 'lib', 'rustlib', target, 'lib');
    if (!fs.existsSync(folder)) return null;
    for (const file of fs.readdirSync(folder)) {
      const match = /^lib(\w+)-[0-9a-f]+\.rlib$/.exec(file);
      if (match) names.add(match[1]);
    }
  }
  return names;
}

/**
 * The standard library is linked into every addon, so its notices belong here as well. The
 * toolchain carries them as one HTML file; a toolchain without it gets the library's own licence.
 * That file covers every platform that Rust knows, hence the look at what is there for ours.
 */
function standardLibrarySections(targets) {
  const rustc = process.env.RUSTC ?? 'rustc';
  const title = 'The Rust standard library';
  const sysroot = run(rustc, ['--print', 'sysroot']).trim();
  const libraries = standardLibraries(sysroot, targets);
  const docs = path.join(sysroot, 'share', 'doc', 'rust');
  const notices = path.join(docs, 'COPYRIGHT-library.html');
  if (!fs.existsSync(notices)) {
    const text = fs.readFileSync(path.join(__dirname, 'licenses', 'rust-std.txt'), 'utf8');
    return [{ title, lines: ['Licence: MIT OR Apache-2.0'], texts: [{ name: 'LICENSE', text }] }];
  }
  const html = fs.readFileSync(notices, 'utf8');
  const [own, ...crates] = html.slice(html.indexOf('id="in-tree-files"')).split('<h3>');
  const ownText = own.slice(own.indexOf('<div'), own.indexOf('<h2 id="out-of-tree-dependencies"'));
  const licences = path.join(docs, 'licenses');
  const named = new Set(plainText(ownText).match(/[A-Z][\w.]*-[\w.-]+|MIT/g));
  const sections = [
    {
      title: `${title}, ${run(rustc, ['--version']).trim()}`,
      lines: nonEmptyLines(ownText),
      texts: !fs.existsSync(licences)
        ? []
        : licenceNames(licences, named).map((name) => ({
            name,
            text: fs.readFileSync(path.join(licences, name), 'utf8'),
          })),
    },
  ];
  for (const crate of crates) {
    const name = plainText(crate.slice(0, crate.indexOf('</h3>'))).replace(/^\W+/, '');
    const library = name.replace(/-\d.*$/, '').replaceAll('-', '_');
    if (libraries && !libraries.has(library)) continue;
    const texts = [...crate.matchAll(/<code>([^<]*)<\/code><\/summary>\s*<pre>(.*?)<\/pre>/gs)];
    sections.push({
      title: `${title}: ${name}`,
      lines: nonEmptyLines(
        crate.slice(crate.indexOf('</h3>'), crate.search(/<b>Notices|$/)),
      ).filter((line) => !line.startsWith('URL:')),
      texts: texts.map(([, file, text]) => ({ name: plainText(file), text: plainText(text) })),
    });
  }
  return sections;
}

function licenceNames(folder, named) {
  return fs
    .readdirSync(folder)
    .filter((name) => named.has(path.basename(name, '.txt')))
    .sort(byCodeUnits);
}

/** Prints each text once; later sections with the same words refer to the first. */
function render(targets, sections) {
  const first = new Map();
  const out = [
    'THIRD-PARTY SOFTWARE IN ONEWRITE',
    '',
    'The compiled addon (onewrite.*.node) contains the Rust crates and the parts of the Rust',
    'standard library listed here, each under its own licence.',
    '',
    `Built for: ${targets.join(', ')}`,
    '',
  ];
  for (const { title, lines, texts } of sections) {
    out.push('='.repeat(80), title, ...lines, '');
    for (const { name, text } of texts) {
      const normal = text.replace(/\r\n?/g, '\n').replace(/^\n+|\s+$/g, '');
      const key = normal.replace(/\s+/g, ' ').trim();
      const known = first.get(key);
      if (known) {
        out.push(`--- ${name}: the same as ${known}`, '');
      } else {
        first.set(key, `${name} of ${title}`);
        out.push(`--- ${name}`, '', normal, '');
      }
    }
  }
  return `${out.join('\n').trimEnd()}\n`;
}

function main() {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', multiple: true },
      'all-targets': { type: 'boolean', default: false },
      out: { type: 'string', default: path.join(root, 'THIRD_PARTY_LICENSES') },
    },
  });
  const targets = values['all-targets']
    ? require('../package.json').napi.targets
    : (values.target ?? [hostTarget()]);
  const crates = new Map(
    targets.flatMap(linkedCrates).map((crate) => [`${crate.name} ${crate.version}`, crate]),
  );
  const sections = [...crates.keys()]
    .sort(byCodeUnits)
    .map((name) => crateSection(crates.get(name)));
  fs.writeFileSync(values.out, render(targets, [...sections, ...standardLibrarySections(targets)]));
  console.log(`${path.relative(process.cwd(), values.out)}: ${crates.size} crates`);
}

module.exports = { crateSection };

if (require.main === module) main();
