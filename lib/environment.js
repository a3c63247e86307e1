'use strict';

/**
 * The names of the parts that the environment variable ONEWRITE asks for.
 * @returns {string[] | null} null when it asks for all, or says nothing
 */
function askedParts() {
  const value = process.env.ONEWRITE;
  if (!value || value === 'all') return null;
  return value === 'off' ? [] : value.split(',').map((name) => name.trim());
}

/** Whether ONEWRITE_DEBUG asks for the reasons of hand-backs on stderr. */
function isDebugging() {
  const value = process.env.ONEWRITE_DEBUG;
  return value !== undefined && value !== '' && value !== '0';
}

module.exports = { askedParts, isDebugging };
