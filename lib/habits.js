'use strict';

// Whether connections of a server go on behind their first request. To take one
// over costs more than its first request gains, so where most end with that, one
// is taken over behind it.

/** The score moves between 0 and this. */
const MOST = 16;

class Habit {
  #score = 0;

  /** Whether most of the connections of late had one request. */
  get endsEarly() {
    return this.#score > MOST / 2;
  }

  /** Notes a connection that has ended. @param {number} requests that came on it */
  note(requests) {
    // More than two of three have to be short.
    this.#score = requests > 1 ? Math.max(0, this.#score - 2) : Math.min(MOST, this.#score + 1);
  }
}

/** @type {WeakMap<import('node:http').Server, Habit>} */
const habits = new WeakMap();

/** @param {import('node:http').Server} server @returns {Habit} the habit of its connections */
function habitOf(server) {
  let habit = habits.get(server);
  if (habit === undefined) {
    habit = new Habit();
    habits.set(server, habit);
  }
  return habit;
}

module.exports = { habitOf };
