'use strict';

// Options of the commands.

const { parseArgs } = require('node:util');
const { EXIT, Failure } = require('./failure');

/**
 * @param {string[]} args
 * @param {import('node:util').ParseArgsConfig['options']} options
 * @param {string} command for the hint
 * @returns {{ values: Record<string, any>, positionals: string[] }}
 */
function parse(args, options, command) {
  try {
    const { values, positionals, tokens } = parseArgs({
      args,
      options,
      allowPositionals: true,
      tokens: true,
    });
    const end = tokens.find(({ kind }) => kind === 'option-terminator')?.index ?? args.length;
    const stray = tokens.find(({ kind, index }) => kind === 'positional' && index < end);
    if (stray) throw new Error(`unexpected argument '${args[stray.index]}'`);
    return { values, positionals };
  } catch (error) {
    const [message] = error.message.split('. ', 1);
    throw new Failure(EXIT.USAGE, `${message}\nsee: onewrite ${command} --help`);
  }
}

/**
 * @param {string} name of the option
 * @param {string} text
 * @param {{ min: number, max: number, whole?: boolean }} limits
 * @returns {number}
 */
function numberFrom(name, text, { min, max, whole = false }) {
  const value = Number(text);
  const form = whole ? /^\d+$/ : /^\d+(\.\d+)?$/;
  if (!form.test(text) || value < min || value > max) {
    const kind = whole ? 'a whole number' : 'a number';
    throw new Failure(EXIT.USAGE, `--${name} ${text}: must be ${kind} from ${min} to ${max}`);
  }
  return value;
}

module.exports = { parse, numberFrom };
