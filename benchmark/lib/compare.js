'use strict';

// Drives one workload on several variants of a server, in interleaved rounds, and compares what they used.

const { checkAnswers } = require('./answers');
const cli = require('./cli');
const { chooseTool, toolNames } = require('./load');
const machine = require('../../lib/cli/machine');
const { formatReport } = require('./report');
const peers = require('./peers');
const { requestsOf } = require('./requests');
const { ServerProcess } = require('./server-process');
const { formatNumber, summarize } = require('../../lib/cli/statistics');
const { variants } = require('./variants');

/** @typedef {Partial<import('./requests').Request>} PartialRequest what differs from `GET /` */

/**
 * @typedef {object} Workload
 * @property {string} name
 * @property {{ [name: string]: cli.Option }} options its own, and other defaults for those below
 * @property {(options: any) => PartialRequest | PartialRequest[]} request what is sent, if several then in turn
 * @property {(options: any) => import('node:http').Server | Promise<import('node:http').Server>} createServer
 * @property {string[]} [packages] those of benchmark/package.json that it needs
 * @property {boolean} [tls] whether its server speaks TLS
 */

/**
 * @typedef {object} Round
 * @property {number} requests
 * @property {number} seconds
 * @property {number} cpu µs of user and system time of the server process
 * @property {number} fast responses by the fast path
 * @property {{ [reason: string]: number }} handedBack responses by Node's own code
 */

const warmUp = 1; // seconds

/** Options of every workload. */
const common = {
  c: cli.integer(50, 1, 10_000),
  pipelining: cli.integer(1, 1, 1000),
  newConnections: cli.integer(0, 0, 1),
  duration: cli.decimal(5, 0.01, 3600),
  rounds: cli.integer(5, 1, 10_000),
  starts: cli.integer(1, 1, 1000),
  servers: cli.text('stock,onewrite', 'stock,onewrite'),
  load: cli.choice('auto', ...toolNames),
  node: cli.text(process.execPath, 'PATH'),
};

/** @param {string} line */
const progress = (line) => process.stderr.write(`${line}\n`);

/**
 * One round of load on one server.
 *
 * @param {ServerProcess} server
 * @param {() => Promise<import('./load').Outcome>} load
 * @returns {Promise<Round>}
 */
async function measureRound(server, load) {
  const before = await server.measure();
  const { requests, seconds } = await load();
  const after = await server.measure();
  /** @type {{ [reason: string]: number }} */
  const handedBack = {};
  for (const [reason, count] of Object.entries(after.responses?.handedBack ?? {})) {
    const added = count - (before.responses.handedBack[reason] ?? 0);
    if (added > 0) handedBack[reason] = added;
  }
  return {
    requests,
    seconds,
    cpu: after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system,
    fast: after.responses === null ? 0 : after.responses.fast - before.responses.fast,
    handedBack,
  };
}

/**
 * @param {ServerProcess[]} servers the first is the base
 * @param {Round[][][]} starts by start and server
 */
function summarizeServers(servers, starts) {
  const cpuPerRequest = ({ cpu, requests }) => cpu / requests;
  return servers.map(({ name, runtime, counts }, s) => {
    const rounds = starts.flatMap((start) => start[s]);
    /** @type {{ [reason: string]: number }} */
    const handedBack = {};
    let fast = 0;
    for (const round of rounds) {
      fast += round.fast;
      for (const [reason, count] of Object.entries(round.handedBack)) {
        handedBack[reason] = (handedBack[reason] ?? 0) + count;
      }
    }
    const counted = Object.values(handedBack).reduce((sum, count) => sum + count, fast);
    // Paired by round: what disturbs the machine for a while disturbs both.
    const ratios = starts.map((start) =>
      start[s].map((round, r) => cpuPerRequest(round) / cpuPerRequest(start[0][r])),
    );
    return {
      name,
      runtime,
      requestsPerSecond: summarize(rounds.map(({ requests, seconds }) => requests / seconds)),
      cpuPerRequest: summarize(rounds.map(cpuPerRequest)),
      // What a process's own code and memory layout make of it lasts as long as the process.
      ratio: summarize(
        starts.length === 1 ? ratios[0] : ratios.map((list) => summarize(list).median),
      ),
      fastShare: !counts ? null : counted === 0 ? 0 : fast / counted,
      handedBack,
      rounds,
    };
  });
}

/**
 * @param {ServerProcess[]} servers
 * @param {import('./load').Driver[]} drivers of each server
 * @param {{ rounds: number, duration: number }} options
 * @returns {Promise<Round[][]>} of each server
 */
async function measure(servers, drivers, options) {
  for (const [s, server] of servers.entries()) {
    progress(`warm-up ${server.name}`);
    await drivers[s].run(warmUp);
  }
  /** @type {Round[][]} */
  const rounds = servers.map(() => []);
  for (let r = 1; r <= options.rounds; r++) {
    // In turn each is the first: who runs twice in a row finds the caches warm.
    const order = [...servers.keys()].map((s) => (s + r) % servers.length);
    for (const s of order) {
      const round = await measureRound(servers[s], () => drivers[s].run(options.duration));
      rounds[s].push(round);
      progress(
        `round ${r}/${options.rounds} ${servers[s].name}: ${formatNumber(round.requests / round.seconds, 0)} ` +
          `requests/s, ${formatNumber(round.cpu / round.requests, 2)} µs CPU per request`,
      );
    }
  }
  return rounds;
}

/**
 * @param {Workload} workload
 * @param {string} file the workload's module
 * @param {any} options the workload's and the common ones
 */
async function compare(workload, file, options) {
  const { tls = false, packages = [] } = workload;
  const load = {
    requests: requestsOf(workload, options),
    connections: options.c,
    pipelining: options.pipelining,
    newConnections: options.newConnections === 1,
    tls,
  };
  const tool = chooseTool(options.load, load, options.duration);
  const list = variants(options.node, options.servers);
  if (list.some(({ canned }) => canned) && (tls || load.requests.length > 1)) {
    throw new cli.UsageError(`servers=${options.servers}: net has one answer, and no TLS`);
  }
  peers.need(packages);
  const pinned = machine.separateCores();
  /** @type {Round[][][]} */
  const starts = [];
  let servers = [];
  for (let start = 1; start <= options.starts; start++) {
    if (options.starts > 1) progress(`start ${start}/${options.starts}`);
    servers = list.map(
      (variant) => new ServerProcess(variant, file, options, pinned?.server ?? null),
    );
    starts.push(await measureServers(servers, { tool, load, pinned, options }));
  }
  return {
    benchmark: workload.name,
    options,
    machine: machine.describe(),
    load: tool.label,
    pinned,
    servers: summarizeServers(servers, starts),
  };
}

/**
 * Measures servers from their start to their end.
 *
 * @param {ServerProcess[]} servers
 * @returns {Promise<Round[][]>} of each server
 */
async function measureServers(servers, { tool, load, pinned, options }) {
  /** @type {import('./load').Driver[]} */
  let drivers = [];
  const work = (async () => {
    await Promise.all(servers.map((server) => server.listening()));
    progress(`check: ${await checkAnswers(servers, load.tls, load.requests)}`);
    drivers = servers.map(({ port }) => tool.open(load, port, pinned?.load ?? null));
    return measure(servers, drivers, options);
  })();
  // A server may also die while another one is driven, or while the load tool goes on without it.
  const rounds = await Promise.race([work, ...servers.map((server) => server.death)]);
  for (const driver of drivers) driver.close();
  for (const server of servers) server.stop();
  return rounds;
}

/**
 * Runs a workload's module from the command line.
 *
 * @param {Workload} workload
 * @param {string} file the module's path
 */
function main(workload, file) {
  const spec = { ...workload.options };
  for (const [name, option] of Object.entries(common)) spec[name] ??= option;
  return cli.main(spec, (options) => compare(workload, file, options), formatReport);
}

module.exports = { compare, main };
