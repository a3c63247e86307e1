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

module.exports = { askedParts };
