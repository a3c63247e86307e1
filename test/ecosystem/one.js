'use strict';
// Runs one case once, in one process.

const path = require('node:path');
const { Child } = require('./child');
const { Conversation } = require('./conversation');

/**
 * @typedef {object} Run
 * @property {Conversation['steps']} steps
 * @property {import('../..').InstallReport['parts'] | null} parts
 * @property {string | null} error why the conversation could not go on
 * @property {string} stdout @property {string} stderr
 * @property {number | string | null} exit
 * @property {number} ms
 */

const ROOT = path.join(__dirname, '..', '..');

/** Frames of the package, and those of Node that only it has below a handler: the stack of an error tells it. */
const OWN = [
  path.join(ROOT, 'lib') + path.sep,
  'HTTPServerAsyncResource.run',
  'callbackTrampoline',
];

/** @returns {string} without the lines of stacks that are frames of the package */
function withoutOwnFrames(text) {
  // What comes behind the last frame are the fields of an error that was printed whole.
  return text.replace(/\n +at (.*?)(?= \{$|$)/gm, (line, frame) =>
    OWN.some((part) => frame.includes(part)) ? '' : line,
  );
}

/** What a process printed, without what differs from process to process. */
const printed = (text, folder, volatile = /(?!)/g) =>
  withoutOwnFrames(text)
    .replace(volatile, '…')
    .replace(/\(node:\d+\)/g, '(node:PID)')
    .replaceAll(folder, 'FOLDER');

/**
 * @param {string} bin the Node binary
 * @param {import('./cases').Case} item
 * @param {{ preload: boolean, watched: boolean }} how
 * @returns {Promise<Run>}
 */
async function runOnce(bin, item, how) {
  const start = performance.now();
  const child = new Child(bin, item.file, { ...how, env: item.env, args: item.args });
  let conversation;
  let error = null;
  let exit = null;
  try {
    await child.ready;
    conversation = new Conversation(child, await child.request('ports'));
    await item.conversation(conversation);
    await conversation.finish();
    exit = await child.end(item.lingers === true);
  } catch (reason) {
    error = String(reason?.message ?? reason);
    if (child.printed.stderr) error += `; on stderr: ${child.printed.stderr.slice(-1000)}`;
  } finally {
    conversation?.destroy();
    await child.dispose();
  }
  return {
    steps: conversation?.steps ?? [],
    parts: conversation?.parts ?? null,
    error,
    stdout: printed(child.printed.stdout, child.folder, item.volatile),
    stderr: printed(child.printed.stderr, child.folder, item.volatile),
    exit,
    ms: Math.round(performance.now() - start),
  };
}

module.exports = { runOnce };
