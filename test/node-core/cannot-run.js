'use strict';

/** A reason for which nothing can be run, in words for the user. */
class CannotRun extends Error {}

module.exports = { CannotRun };
