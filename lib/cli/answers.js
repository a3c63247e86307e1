'use strict';

// Whether a program answers alike with the package and without it, before anything is timed.
//
// What differs between answers of stock Node as well is volatile, and is not compared: a request
// id, a clock, a session. Answers of one run come more than a second apart, for clocks. Where the
// sides still differ, a second run of stock Node tells what changes from start to start.

const { once } = require('node:events');
const http = require('node:http');
const { setTimeout: delay } = require('node:timers/promises');
const { EXIT, Failure } = require('./failure');

const PATIENCE = 10_000; // ms

/** So that what is given in seconds changes. */
const APART = 1100; // ms

/** How much of two bodies is shown around their first difference. */
const SHOWN = 60; // characters

/**
 * @typedef {object} Request
 * @property {string} path
 * @property {[string, string][]} headers
 */

/**
 * @typedef {object} Answer
 * @property {string} status status line without the version
 * @property {string} version
 * @property {[string, string][]} fields
 * @property {Buffer} body
 */

/**
 * @param {{ name: string, target: { host: string, port: number } }} program
 * @param {Request} request
 * @returns {Promise<Answer>}
 */
async function ask({ name, target }, { path, headers }) {
  const signal = AbortSignal.timeout(PATIENCE);
  try {
    // A connection of its own, which the load will use too.
    const agent = new http.Agent({ keepAlive: true });
    const sent = http.get({ ...target, agent, path, headers: headers.flat(), signal });
    const [answer] = await once(sent, 'response');
    const pieces = [];
    for await (const piece of answer) pieces.push(piece);
    agent.destroy();
    const { rawHeaders } = answer;
    return {
      status: `${answer.statusCode} ${answer.statusMessage}`,
      version: answer.httpVersion,
      fields: Array.from({ length: rawHeaders.length / 2 }, (_, i) => [
        rawHeaders[2 * i],
        rawHeaders[2 * i + 1],
      ]),
      body: Buffer.concat(pieces),
    };
  } catch (error) {
    const why = signal.aborted ? `no answer within ${PATIENCE / 1000} s` : error.message;
    throw new Failure(EXIT.UNANSWERED, `${name}: ${path} was not answered: ${why}`);
  }
}

/** Names of the fields that only some of the answers have, or have another number of. */
function namesIn(answers, differ) {
  const names = new Set(
    answers.flatMap(({ fields }) => fields.map(([name]) => name.toLowerCase())),
  );
  const valuesOf = (answer, name) =>
    answer.fields.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value);
  return [...names].filter((name) => {
    const [first, ...others] = answers.map((answer) => valuesOf(answer, name));
    return others.some((values) => differ(first, values));
  });
}

/**
 * @param {Answer[]} stock answers of stock Node
 */
function volatileOf(stock) {
  const [first, ...others] = stock;
  return {
    status: others.some(({ status }) => status !== first.status),
    /** Fields that some answers have and some have not. */
    occasional: namesIn(stock, (a, b) => a.length !== b.length),
    /** Fields whose value changes. */
    values: ['date', ...namesIn(stock, (a, b) => a.join() !== b.join())],
    body: others.some(({ body }) => !body.equals(first.body)),
    length: others.some(({ body }) => body.length !== first.body.length),
  };
}

/** @typedef {ReturnType<typeof volatileOf>} Volatile */

/** @param {Answer} answer @param {Volatile} volatile @returns {string} the head, as far as it has to be equal */
function stableHead({ version, status, fields }, volatile) {
  const lines = fields
    .filter(([name]) => !volatile.occasional.includes(name.toLowerCase()))
    .map(([name, value]) =>
      volatile.values.includes(name.toLowerCase()) ? `${name}: …` : `${name}: ${value}`,
    );
  return [`HTTP/${version} ${volatile.status ? '…' : status}`, ...lines].join('\n');
}

/** The first difference of two texts, as two lines. */
function firstDifference(expected, actual) {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at++;
  const around = (text) => JSON.stringify(text.slice(Math.max(0, at - SHOWN / 2), at + SHOWN / 2));
  return `  stock:    ${around(expected)}\n  onewrite: ${around(actual)}`;
}

/**
 * @param {Answer} expected of stock Node
 * @param {Answer} actual
 * @param {Volatile} volatile
 * @returns {string | null} what differs
 */
function difference(expected, actual, volatile) {
  const found = [];
  const heads = [expected, actual].map((answer) => stableHead(answer, volatile));
  if (heads[0] !== heads[1]) found.push(`their heads differ\n${firstDifference(...heads)}`);
  const bodies = [expected, actual].map(({ body }) => body.toString('latin1'));
  if (!volatile.body && bodies[0] !== bodies[1]) {
    found.push(`their bodies differ\n${firstDifference(...bodies)}`);
  } else if (!volatile.length && bodies[0].length !== bodies[1].length) {
    found.push(`their bodies have ${bodies[0].length} and ${bodies[1].length} bytes`);
  }
  return found.length === 0 ? null : found.join('\n');
}

/**
 * @param {{ stock: Answer[], onewrite: Answer[] }} answers
 * @returns {string | null} what differs between the sides, and not among the answers of stock Node
 */
function compare({ stock, onewrite }) {
  const volatile = volatileOf(stock);
  for (const answer of onewrite) {
    const found = difference(stock[0], answer, volatile);
    if (found !== null) return found;
  }
  return null;
}

/**
 * @param {{ stock: Answer[], onewrite: Answer[] }} answers that agree
 */
function agreement({ stock: [first, ...others] }) {
  const volatile = volatileOf([first, ...others]);
  return {
    status: Number.parseInt(first.status, 10),
    bytes: first.body.length,
    volatile: [...new Set([...volatile.occasional, ...volatile.values])].sort(),
    bodyCompared: !volatile.body,
  };
}

/**
 * The answers of one run of a program.
 * @param {Parameters<typeof ask>[0]} program
 * @param {Request} request
 * @returns {Promise<Answer[]>}
 */
async function answersOf(program, request) {
  const first = await ask(program, request);
  await delay(APART);
  return [first, await ask(program, request)];
}

/**
 * @param {{ stock: Answer[], onewrite: Answer[] }} answers of one run each
 * @param {() => Promise<Answer[]>} runAgain those of a second run of stock Node
 * @returns {Promise<ReturnType<typeof agreement>>}
 * @throws {Failure} when the sides differ
 */
async function assertAgreement(answers, runAgain) {
  if (compare(answers) === null) return agreement(answers);
  const more = { ...answers, stock: [...answers.stock, ...(await runAgain())] };
  const found = compare(more);
  if (found === null) return agreement(more);
  throw new Failure(
    EXIT.DIFFERENT,
    `the answers with and without the package differ\n${found}\n` +
      'Unless the program itself does that, please report it.',
  );
}

module.exports = { answersOf, assertAgreement };
