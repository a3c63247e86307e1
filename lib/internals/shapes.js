'use strict';

// What follows from the names of a request's fields alone: `rawHeaders` but for
// its values, and the keys of `headers`. The addon numbers sequences of names;
// Node's own rules are asked once for each.

const { IncomingMessage } = require('node:http');

/** As many as the addon keeps. */
const KEPT = 512;

/** @type {(Shape | undefined)[]} by the last digits of their numbers */
const kept = new Array(KEPT);

const stock = {
  addHeaderLine: IncomingMessage.prototype._addHeaderLine,
  addHeaderLines: IncomingMessage.prototype._addHeaderLines,
  headers: Object.getOwnPropertyDescriptor(IncomingMessage.prototype, 'headers')?.get,
};

/** A key as V8 keeps those of objects: once, and without the text that it was cut from. */
const intern = (name) => Object.keys({ [Buffer.from(name, 'latin1').latin1Slice()]: 0 })[0];

class Shape {
  /**
   * @param {number} number
   * @param {string[]} names
   */
  constructor(number, names) {
    this.number = number;
    /** Names, and room for values, in turn. */
    this.raw = names.flatMap((name) => [intern(name), '']);
    /** The key of each field in `headers`; null where fields are joined or left out. */
    this.keys = null;
    /** `headers` without values. */
    this.template = null;
    this.ask(names);
  }

  /** Has Node make `headers` of the names, with their places for values. */
  ask(names) {
    const message = new IncomingMessage(null);
    const fields = names.flatMap((name, i) => [name, `${i}`]);
    message._addHeaderLines(fields, fields.length);
    const entries = Object.entries(message.headers);
    const places = entries.map(([, value]) => (typeof value === 'string' ? Number(value) : -1));
    const isPlain = names.every((_, i) => places.includes(i)) && entries.length === names.length;
    if (!isPlain || Object.getPrototypeOf(message.headers) !== Object.prototype) return;
    this.keys = names.map((_, i) => intern(entries[places.indexOf(i)][0]));
    this.template = Object.fromEntries(entries.map(([key]) => [key, '']));
  }
}

/** @param {number} number @returns {Shape | undefined} */
function shapeOf(number) {
  const shape = kept[number % KEPT];
  return shape?.number === number ? shape : undefined;
}

/** @param {number} number @param {string[]} names */
function learn(number, names) {
  const shape = new Shape(number, names);
  kept[number % KEPT] = shape;
  return shape;
}

/** Whether `headers` of a server's requests are made by Node's own functions. */
function isStock() {
  const { prototype } = IncomingMessage;
  return (
    prototype._addHeaderLine === stock.addHeaderLine &&
    prototype._addHeaderLines === stock.addHeaderLines &&
    Object.getOwnPropertyDescriptor(prototype, 'headers')?.get === stock.headers
  );
}

module.exports = { shapeOf, learn, isStock };
