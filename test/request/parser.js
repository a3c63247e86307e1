'use strict';

// The request parser of the package, through examples/request.rs.

const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..', '..');
const source = path.join(root, 'examples', 'request.rs');
const binary = path.join(root, 'target', 'request-example');

/** Compiles the example unless that was done. It includes the parser and needs no crate. */
function build() {
  const made = (file) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const folder = path.join(root, 'src', 'request');
  const parts = fs.readdirSync(folder).map((name) => path.join(folder, name));
  if ([source, ...parts].every((file) => made(file) < made(binary))) return;
  fs.mkdirSync(path.dirname(binary), { recursive: true });
  const unfinished = `${binary}-${process.pid}`;
  execFileSync('rustc', ['--edition', '2021', '-O', '-o', unfinished, source], {
    stdio: ['ignore', 2, 2],
  });
  fs.renameSync(unfinished, binary);
}

/**
 * @typedef {[start: number, end: number]} Span offsets into an input
 *
 * @typedef {object} Request a whole request
 * @property {string} method
 * @property {Span} target
 * @property {boolean} persists
 * @property {Span[]} fields names and values in turn
 * @property {Span[] | null} body the content, or the data of each chunk
 * @property {number} head bytes of the head
 * @property {number} length bytes of the whole request
 */

/**
 * Parses the request at the start of each input.
 * @param {Buffer[]} inputs
 * @param {number} limit heads of so many bytes and more are left to Node
 * @returns {(Request | { reason: string })[]}
 */
function parseAll(inputs, limit) {
  build();
  const length = (input) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(input.length);
    return bytes;
  };
  const { status, stdout, stderr, error } = spawnSync(binary, [String(limit)], {
    input: Buffer.concat(inputs.flatMap((input) => [length(input), input])),
    maxBuffer: Infinity,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`the parser ended with ${status}: ${stderr}`);
  const lines = stdout.toString('latin1').trimEnd().split('\n');
  if (lines.length !== inputs.length) throw new Error(`${lines.length} of ${inputs.length} lines`);
  return lines.map((line) => JSON.parse(line));
}

module.exports = { parseAll };
