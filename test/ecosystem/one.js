'use strict';
// Runs one case once, in one process.

const { Child } = require('./child');
const { Conversation } = require('./conversation');

/**
 * @typedef {object} Run
 * @property {Conversation['steps']} steps
 * @property {string | null} error why the conversation could not go on
 * @property {string} stdout @property {string} stderr
 * @property {[number | null, string | null] | null} exit
 * @property {number} ms
 */

/** What Node prints of itself differs from process to process. */
const withoutIds = (text, folder) =>
  text.replace(/\(node:\d+\)/g, '(node:PID)').replaceAll(folder, 'FOLDER');

/**
 * @param {string} bin the Node binary
 * @param {{ file: string, conversation: Function, lingers?: boolean, env?: object, args?: string[] }} item
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
    error,
    stdout: withoutIds(child.printed.stdout, child.folder),
    stderr: withoutIds(child.printed.stderr, child.folder),
    exit,
    ms: Math.round(performance.now() - start),
  };
}

module.exports = { runOnce };
