'use strict';

// `onewrite bench`: the user's own program without and with the package, in interleaved rounds.

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { setTimeout: delay } = require('node:timers/promises');
const { answersOf, assertAgreement } = require('./answers');
const { optionsFrom, usage } = require('./bench-options');
const { EXIT, Failure } = require('./failure');
const { LoadProcess } = require('./load-process');
const machine = require('./machine');
const { page } = require('./page');
const { Program, SIDES } = require('./program');
const { Progress } = require('./progress');
const { measureRound } = require('./rounds');
const { formatNumber } = require('./statistics');
const { summarizeRounds } = require('./summary');
const { format } = require('./text');

const { version } = require('../../package.json');

/** @throws {Failure} where the package does nothing */
function assertUseful() {
  const native = require('../native');
  const sockets = require('../internals/sockets');
  const reason = native.reason ?? sockets.missing();
  if (reason !== null) throw new Failure(EXIT.OFF, `nothing to compare here: ${reason}`);
}

/** Requests after which a program is warm, and how many times the time for that may be taken to come there. */
const WARM = 10_000;
const MOST_WARM_UPS = 3;

/** How long the end of a program is waited for when it does not answer. */
const AFTERMATH = 1000; // ms

/** A bench: its programs, its load, and what it does with them. */
class Bench {
  #options;
  #folder;
  #pinned = machine.separateCores();
  #load = new LoadProcess(this.#pinned?.load ?? null);
  #progress;
  #sockets = 0;
  /** @type {Set<Program>} */
  #running = new Set();
  /** The last run with the package. @type {Program} */
  #last;

  /** @param {ReturnType<typeof optionsFrom>} options */
  constructor(options) {
    this.#options = options;
    this.#progress = new Progress(2 * options.rounds + 4);
    this.#folder = fs.mkdtempSync(path.join(os.tmpdir(), 'onewrite-bench-'));
    // Whichever way this ends.
    process.once('exit', () => fs.rmSync(this.#folder, { recursive: true, force: true }));
  }

  /** @param {import('./program').Side} side */
  async #start(side) {
    const socket = path.join(this.#folder, String(this.#sockets++));
    const program = new Program(side, socket, this.#options, this.#pinned?.others ?? null);
    this.#running.add(program);
    await program.start();
    if (side.preloads) this.#last = program;
    return program;
  }

  async #stop(program) {
    this.#running.delete(program);
    await program.stop();
  }

  /**
   * A program may end while another one is waited for; and when one leaves requests unanswered, its
   * end is likely to be the cause, and to be known a little later.
   * @template T
   * @param {Promise<T>} work
   * @returns {Promise<T>}
   */
  async #whileRunning(work) {
    const deaths = [...this.#running].map(({ death }) => death);
    try {
      return await Promise.race([work, ...deaths]);
    } catch (error) {
      await Promise.race([...deaths, delay(AFTERMATH)]);
      throw error;
    }
  }

  #job(program, seconds) {
    const { request, connections } = this.#options;
    const fields = request.headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const text = `GET ${request.path} HTTP/1.1\r\n${fields}\r\n`;
    return { ...program.target, request: text, connections, seconds };
  }

  async #warmUp(program) {
    const { warmUp } = this.#options;
    let requests = 0;
    this.#progress.say(`warm-up ${program.name}`);
    // What is compiled is compiled for being called often, which takes longer on a busy machine.
    for (let i = 0; warmUp > 0 && i < MOST_WARM_UPS && requests < WARM; i++) {
      const round = this.#load.round(this.#job(program, warmUp), program.name);
      requests += (await this.#whileRunning(round)).requests;
    }
  }

  async #answersOf(program) {
    return this.#whileRunning(answersOf(program, this.#options.request));
  }

  /** The answers of a run that is there for nothing else. */
  async #answersOfRun(side) {
    const program = await this.#start(side);
    const answers = await this.#answersOf(program);
    await this.#stop(program);
    return answers;
  }

  /** @param {Program[]} programs none where they are started one at a time */
  async #check(programs) {
    this.#progress.say('check that the answers agree');
    const answers = [];
    if (programs.length === 0) {
      for (const side of SIDES) answers.push(await this.#answersOfRun(side));
    } else {
      answers.push(...(await Promise.all(programs.map((program) => this.#answersOf(program)))));
    }
    const [stock, onewrite] = answers;
    const agreed = await assertAgreement({ stock, onewrite }, () => this.#answersOfRun(SIDES[0]));
    this.#progress.advance();
    return agreed;
  }

  async #round(program, number) {
    const { rounds, duration } = this.#options;
    this.#progress.show(`round ${number}/${rounds} ${program.name}`);
    const round = await this.#whileRunning(
      measureRound(program, this.#load, this.#job(program, duration)),
    );
    this.#progress.advance();
    this.#progress.say(
      `round ${number}/${rounds} ${program.name}: ${formatNumber(round.requestsPerSecond, 0)} requests/s, ` +
        `${formatNumber(round.cpuPerRequest, 1)} µs CPU per request`,
    );
    return round;
  }

  /** @param {(side: import('./program').Side, number: number) => Promise<import('./rounds').Round>} measure */
  async #interleave(measure) {
    /** @type {{ stock: import('./rounds').Round[], onewrite: import('./rounds').Round[] }} */
    const rounds = { stock: [], onewrite: [] };
    for (let number = 1; number <= this.#options.rounds; number++) {
      // What the one leaves behind, a warm cache or a hot core, is not always to the other's favour.
      const order = number % 2 === 1 ? SIDES : [...SIDES].reverse();
      for (const side of order) rounds[side.name].push(await measure(side, number));
    }
    return rounds;
  }

  async #runTogether() {
    const programs = await Promise.all(SIDES.map((side) => this.#start(side)));
    this.#progress.advance();
    const answers = await this.#check(programs);
    for (const program of programs) {
      await this.#warmUp(program);
      this.#progress.advance();
    }
    const programOf = (side) => programs[SIDES.indexOf(side)];
    const rounds = await this.#interleave((side, number) => this.#round(programOf(side), number));
    return { answers, rounds };
  }

  async #runOneAtATime() {
    const answers = await this.#check([]);
    const rounds = await this.#interleave(async (side, number) => {
      const program = await this.#start(side);
      await this.#warmUp(program);
      const round = await this.#round(program, number);
      await this.#stop(program);
      return round;
    });
    return { answers, rounds };
  }

  async run() {
    const { command, request, json, html, ...options } = this.#options;
    try {
      this.#progress.say('start the program');
      const { answers, rounds } = options.oneAtATime
        ? await this.#runOneAtATime()
        : await this.#runTogether();
      this.#progress.say('stop the program');
      return this.#report(answers, rounds);
    } finally {
      this.#load.stop();
      await Promise.all([...this.#running].map((program) => program.stop()));
      this.#progress.clear();
    }
  }

  #report(answers, rounds) {
    const { command, request, connections, duration, warmUp, oneAtATime, port } = this.#options;
    const { notes, ...summary } = summarizeRounds(rounds, answers.status);
    const { node, ports } = this.#last;
    if (ports.length > 1 && port === null) {
      notes.unshift(`the program opened HTTP ports ${ports.join(', ')}; --port chooses`);
    }
    if (!answers.bodyCompared) {
      notes.unshift(
        'bodies were not compared: they change from request to request without the package, too',
      );
    }
    return {
      onewrite: version,
      node,
      command,
      url: request.path,
      headers: request.headers,
      options: { connections, duration, rounds: rounds.stock.length, warmUp, oneAtATime, port },
      ONEWRITE: process.env.ONEWRITE ?? null,
      machine: machine.describe(),
      pinned: this.#pinned && { program: this.#pinned.others, load: String(this.#pinned.load) },
      answers,
      ...summary,
      notes,
    };
  }
}

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function run(args) {
  const options = optionsFrom(args);
  assertUseful();
  const result = await new Bench(options).run();
  if (options.html !== null) fs.writeFileSync(options.html, page(result));
  console.log(options.json ? JSON.stringify(result) : format(result));
  if (options.html !== null) process.stderr.write(`page: ${options.html}\n`);
  return EXIT.OK;
}

module.exports = { usage, run };
