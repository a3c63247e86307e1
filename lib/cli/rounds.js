'use strict';

// One round of load on a program: what was answered, and what the processes of the program used for it.

/**
 * @typedef {object} Round
 * @property {number} requestsPerSecond
 * @property {number} cpuPerRequest µs of user and system time of all processes
 * @property {number} memory bytes, resident in all processes at its end
 * @property {number} processes
 * @property {number} requests
 * @property {number} seconds
 * @property {Record<string, number>} latency percentiles in ms
 * @property {Record<string, number>} statuses
 * @property {Record<string, number>} errors
 * @property {number} reconnects
 * @property {number} busy share of the time in which the load used its core
 * @property {number} lost processes that ended during the round, with what they had used
 * @property {Counted | null} counted by the parts of the package; null without it
 * @property {Record<string, { on: boolean, reason: string | null }> | null} parts
 */

/** @typedef {Record<string, { fast: number, handedBack: Record<string, number> }>} Counted by part */

/** @param {Counted} sum @param {Counted} counted @param {1 | -1} sign */
function add(sum, counted, sign) {
  for (const [part, { fast, handedBack }] of Object.entries(counted)) {
    const own = (sum[part] ??= { fast: 0, handedBack: {} });
    own.fast += sign * fast;
    for (const [reason, count] of Object.entries(handedBack)) {
      own.handedBack[reason] = (own.handedBack[reason] ?? 0) + sign * count;
    }
  }
}

/**
 * @param {Map<object, import('./channel').Usage>} before
 * @param {Map<object, import('./channel').Usage>} after
 */
function used(before, after) {
  const sum = { cpu: 0, memory: 0, processes: 0, lost: 0, counted: {}, parts: null };
  let counts = false;
  for (const [reporter, usage] of after) {
    const earlier = before.get(reporter);
    if (usage.cpu !== null) {
      const { user, system } = earlier?.cpu ?? { user: 0, system: 0 };
      sum.cpu += usage.cpu.user + usage.cpu.system - user - system;
      sum.memory += usage.memory;
      sum.processes++;
    }
    if (usage.stats !== null) {
      counts = true;
      add(sum.counted, usage.stats, 1);
      if (earlier?.stats) add(sum.counted, earlier.stats, -1);
    }
    if (reporter.serves) sum.parts ??= usage.parts;
  }
  sum.lost = [...before.keys()].filter((reporter) => !after.has(reporter)).length;
  return { ...sum, counted: counts ? sum.counted : null };
}

/**
 * @param {import('./program').Program} program
 * @param {import('./load-process').LoadProcess} load
 * @param {import('./load').Job} job
 * @returns {Promise<Round>}
 */
async function measureRound(program, load, job) {
  await load.open(job);
  const before = await program.usages();
  const outcome = await load.run(program.name);
  const { cpu, ...use } = used(before, await program.usages());
  return {
    requestsPerSecond: outcome.requests / outcome.seconds,
    cpuPerRequest: cpu / outcome.requests,
    ...use,
    ...outcome,
  };
}

module.exports = { measureRound, add };
