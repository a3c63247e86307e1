'use strict';

// The command line all benchmarks share: `name=value` options, `--json`, `--help`, and exit codes.
// 0: measured; 1: something failed; 2: the command line was wrong.

const path = require('node:path');

/** A command line that cannot be run; the process exits with 2. */
class UsageError extends Error {}

/**
 * @typedef {object} Option
 * @property {string | number} byDefault
 * @property {string} usage what the usage line shows after `name=`
 * @property {(text: string) => string | number} read throws a `UsageError` that completes "name=text: …"
 */

/**
 * @param {RegExp} form what may be written
 * @param {string} what it is called
 * @returns {(byDefault: number, min: number, max: number) => Option} one from `min` to `max`
 */
const numberOf = (form, what) => (byDefault, min, max) => ({
  byDefault,
  usage: String(byDefault),
  read(text) {
    const value = Number(text);
    if (!form.test(text) || value < min || value > max) {
      throw new UsageError(`must be a ${what} from ${min} to ${max}`);
    }
    return value;
  },
});

const integer = numberOf(/^\d+$/, 'whole number');
const decimal = numberOf(/^\d+(\.\d+)?$/, 'number');

/**
 * @param {...string} values the first is the default
 * @returns {Option} one of `values`
 */
function choice(...values) {
  return {
    byDefault: values[0],
    usage: values.join('|'),
    read(text) {
      if (!values.includes(text)) throw new UsageError(`must be one of ${values.join(', ')}`);
      return text;
    },
  };
}

/**
 * @param {string} byDefault
 * @param {string} usage
 * @returns {Option} any text but the empty one
 */
function text(byDefault, usage) {
  return {
    byDefault,
    usage,
    read(value) {
      if (value === '') throw new UsageError('must not be empty');
      return value;
    },
  };
}

/**
 * @param {string[]} argv arguments after the script's name
 * @param {{ [name: string]: Option }} spec
 * @returns {{ options: { [name: string]: any }, json: boolean, help: boolean }}
 */
function parse(argv, spec) {
  const result = { options: {}, json: false, help: false };
  for (const [name, option] of Object.entries(spec)) result.options[name] = option.byDefault;
  for (const argument of argv) {
    if (argument === '--json') {
      result.json = true;
      continue;
    }
    if (argument === '--help' || argument === '-h') {
      result.help = true;
      continue;
    }
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(argument) ?? [];
    if (name === undefined || !Object.hasOwn(spec, name)) {
      throw new UsageError(`unknown option: ${argument}`);
    }
    try {
      result.options[name] = spec[name].read(value);
    } catch (error) {
      throw new UsageError(`${argument}: ${error.message}`);
    }
  }
  return result;
}

/** @param {{ [name: string]: Option }} spec */
function usage(spec) {
  const names = Object.entries(spec).map(([name, option]) => `[${name}=${option.usage}]`);
  const script = path.relative(process.cwd(), process.argv[1]);
  return `usage: node ${script} ${names.join(' ')} [--json]`;
}

/**
 * Parses the command line, runs the benchmark and prints what it gives back:
 * as one line of JSON with `--json`, as text without. Progress belongs on stderr.
 *
 * @template Result
 * @param {{ [name: string]: Option }} spec
 * @param {(options: { [name: string]: any }) => Promise<Result>} run
 * @param {(result: Result) => string} format
 */
async function main(spec, run, format) {
  try {
    const { options, json, help } = parse(process.argv.slice(2), spec);
    if (help) return console.log(usage(spec));
    const result = await run(options);
    console.log(json ? JSON.stringify(result) : format(result));
  } catch (error) {
    console.error(`error: ${error.message}`);
    if (error instanceof UsageError) console.error(usage(spec));
    // Not `process.exitCode`: a failed run may have left a server or a load tool behind,
    // and those are ended on exit.
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}

module.exports = { UsageError, integer, decimal, choice, text, main };
