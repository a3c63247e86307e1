'use strict';

// The code blocks of a page, and how each is checked: an HTML comment right above a block says so.
//
//   <!-- test: app PART… -->  commands of a user. They are run in a folder with a small server and
//                             the packed package, and each server that they start must answer with
//                             these parts on: `all`, `none`, or names of parts
//   <!-- test: command -->    commands of a user that come to an end, in the same folder: the lines
//                             behind `# →` are what they print, in which `…` stands for anything
//   <!-- test: program -->    a program of a user, likewise: what it prints is behind `// →`
//   <!-- test: project -->    commands for somebody who works on the package. They are not run:
//                             the scripts and files that they name must be there
//   <!-- test: patch -->      a change to the source, which must apply
//   <!-- test: none, WHY -->  nothing to check, as in a drawing

/**
 * @typedef {object} Block
 * @property {string} file of the page, from the root of the project
 * @property {number} line of its fence, from 1
 * @property {string} language
 * @property {string} text
 * @property {string | null} check the first word of its mark, null without one
 * @property {string[]} words the others
 */

const MARK = /^<!-- test: (\w+)(?:,? (.+?))? -->$/;
const FENCE = /^( *)(`{3,}|~{3,}) *(\S*)/;

/**
 * @param {string} file
 * @param {string} page its text
 * @returns {Block[]}
 */
function blocksOf(file, page) {
  const lines = page.split('\n');
  const blocks = [];
  for (let i = 0; i < lines.length; i++) {
    const [, indent, fence, language] = FENCE.exec(lines[i]) ?? [];
    if (fence === undefined) continue;
    const above = lines[i - 1]?.trim() === '' ? lines[i - 2] : lines[i - 1];
    const [, check = null, words = ''] = MARK.exec(above?.trim() ?? '') ?? [];
    const start = i++;
    while (i < lines.length && lines[i].trim() !== fence) i++;
    if (i === lines.length) throw new Error(`${file}:${start + 1}: the block does not end`);
    // As a page shows it: a block in a list is indented as a whole.
    const text = lines
      .slice(start + 1, i)
      .map((line) => `${line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()}\n`)
      .join('');
    blocks.push({
      file,
      line: start + 1,
      language,
      text,
      check,
      words: words.split(' ').filter(Boolean),
    });
  }
  return blocks;
}

/** The commands of a block of shell, without comments and continued lines joined. */
function commandsOf(text) {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '');
}

/**
 * What is to be printed, white space aside, as a regular expression.
 * @param {string} text of a block
 * @param {'//' | '#'} sign of a comment
 */
function printedBy(text, sign) {
  const arrow = new RegExp(`(?:^|\\s)${sign} → (.*)$`);
  const comment = new RegExp(`^\\s*${sign} ?(.*)$`);
  const lines = [];
  let continues = false;
  for (const line of text.split('\n')) {
    const [, said] = arrow.exec(line) ?? [];
    const [, more] = comment.exec(line) ?? [];
    if (said !== undefined) lines.push(said);
    else if (continues && more !== undefined) lines.push(more);
    continues = said !== undefined || (continues && more !== undefined);
  }
  const escaped = oneLine(lines.join('\n')).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('…', '.*?')}$`);
}

const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page) {
  const isHeading = /^#+ +(.*)$/;
  return page
    .split('\n')
    .map((line) => isHeading.exec(line)?.[1])
    .filter((heading) => heading !== undefined)
    .map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    );
}

/** The links of a page that lead to no other host. @returns {{ to: string, anchor: string }[]} */
function linksOf(page) {
  return [...page.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => ({ to: target.split('#')[0], anchor: target.split('#')[1] ?? '' }));
}

/** The names in the first column of the table under a heading; a row may name several. */
function namesUnder(page, heading) {
  const section = page.split(/^#+ /m).find((text) => text.split('\n')[0].trim() === heading);
  if (section === undefined) throw new Error(`no heading ${heading}`);
  return [...section.matchAll(/^\| *((?:`[^`]+`(?:, )?)+) *\|/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
}

module.exports = { anchorsOf, blocksOf, commandsOf, linksOf, namesUnder, oneLine, printedBy };
