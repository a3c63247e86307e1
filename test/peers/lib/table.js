'use strict';

// The results as a table, and the counters in words.

const { sum } = require('../../node-core/counters');

/** @typedef {import('../../node-core/counters').Sum} Sum */

/** @param {Sum} [counted] */
function share({ fast, handedBack } = { fast: 0, handedBack: {} }) {
  const all = Object.values(handedBack).reduce((total, count) => total + count, fast);
  return all === 0 ? 'none' : `${((100 * fast) / all).toFixed(0)} %`;
}

/** @param {Sum} counted */
function shareInWords(counted) {
  const reasons = Object.entries(counted.handedBack)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${reason} ${count}`);
  const left = reasons.length > 0 ? `; handed back: ${reasons.join(', ')}` : '';
  return `${share(counted)} on the fast path (${counted.fast}${left})`;
}

function row(peer, results) {
  const failed = results.filter(({ problems }) => problems.length > 0).map(({ node }) => node);
  const points = Math.min(...results.map(({ seen }) => seen));
  const outcome =
    failed.length > 0 ? `differs on ${failed.join(', ')}` : `agrees in ${points} points`;
  const counted = sum(results.map((result) => result.counted));
  const shares = ['responses', 'teardown', 'engine'].map((part) => share(counted[part]));
  const versions = [results[0].version, results.map(({ node }) => node).join(', ')];
  return `| ${[peer, ...versions, outcome, ...shares].join(' | ')} |`;
}

/**
 * A table of the peers: each with its Nodes, its result and, over all of these, its share on the
 * fast path.
 * @param {import('../run').Result[]} results
 */
function markdown(results) {
  const head = ['peer', 'version', 'Node', 'result', 'responses', 'teardown', 'engine'];
  const names = [...new Set(results.map(({ peer }) => peer))];
  const rows = names.map((name) =>
    row(
      name,
      results.filter(({ peer }) => peer === name),
    ),
  );
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...rows, ''].join('\n');
}

module.exports = { markdown, share, shareInWords };
