'use strict';

// How a command ends when it cannot do what it was asked. The codes are documented in the README.

const EXIT = Object.freeze({
  OK: 0,
  /** A part is off, or something failed that has no code of its own. */
  OFF: 1,
  USAGE: 2,
  /** The user's program could not be started, or ended. */
  ENDED: 3,
  /** The user's program opened no HTTP port in time. */
  NO_PORT: 4,
  /** The answers with and without the package differ. */
  DIFFERENT: 5,
  /** Requests were not answered. */
  UNANSWERED: 6,
});

/** An expected end, told to the user without a stack. */
class Failure extends Error {
  /**
   * @param {number} code of `EXIT`
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.exitCode = code;
  }
}

module.exports = { EXIT, Failure };
