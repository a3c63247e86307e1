'use strict';

// The methods of handles that start, stop and end the reading of a connection, and
// say whether it keeps the process alive. They are the engine's while it reads one.
// In the prototypes, once: a handle whose own prototype is changed, or that gets
// methods of its own, costs a new connection more than all else that is done to it.

const { Places } = require('./places');

/** Where a handle, and a parser, has its lane. */
const kLane = Symbol('onewrite.lane');

/** Names of methods, of which a kind of handle may have some. */
const NAMES = ['close', 'reset', 'ref', 'unref', 'readStart', 'readStop'];

/**
 * @typedef {object} Reader what reads connections instead of their handles
 * @property {(lane: object) => void} leave lets a connection go
 * @property {(slot: number, holds: boolean) => void} hold
 * @property {(slot: number, watched: boolean) => void} watch
 */

/** The hooks of the kinds of handles, by their prototypes. */
const kinds = new Map();

/** Whether the engine reads a lane. */
const isRead = (lane) => lane !== undefined && lane.slot >= 0;

/** @param {Record<string, Function>} stock @param {Reader} reader */
function hooksOf(stock, { leave, hold, watch }) {
  const leaving = (name) =>
    function () {
      const { [kLane]: lane } = this;
      if (isRead(lane)) leave(lane);
      return Reflect.apply(stock[name], this, arguments);
    };
  const holding = (name, holds) =>
    function () {
      const { [kLane]: lane } = this;
      if (isRead(lane)) hold(lane.slot, holds);
      return stock[name].call(this);
    };
  const watching = (name, watched) =>
    function () {
      const { [kLane]: lane } = this;
      if (!isRead(lane)) return stock[name].call(this);
      watch(lane.slot, watched);
      return 0;
    };
  return {
    close: leaving('close'),
    reset: leaving('reset'),
    ref: holding('ref', true),
    unref: holding('unref', false),
    readStart: watching('readStart', true),
    readStop: watching('readStop', false),
  };
}

/**
 * Has the handles of this kind ask the reader.
 * @param {object} handle
 * @param {Reader} reader
 */
function guard(handle, reader) {
  const { prototype } = handle.constructor;
  let kind = kinds.get(prototype);
  if (kind === undefined) {
    const stock = {};
    const places = NAMES.filter((name) => name in prototype).map((name) => ({
      hook: name,
      target: prototype,
      name,
      own: Object.hasOwn(prototype, name),
    }));
    kind = { places: new Places(stock, places), hooks: hooksOf(stock, reader) };
    kinds.set(prototype, kind);
  }
  kind.places.patch(kind.hooks);
}

/** Puts Node's own methods back, where nobody has wrapped these. */
function unguard() {
  for (const { places, hooks } of kinds.values()) places.unpatch(hooks);
}

module.exports = { kLane, guard, unguard };
