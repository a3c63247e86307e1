'use strict';

// The bytes that libuv has read from a connection, whatever a program sees as `bytesRead`: those that the engine has
// read are not among them. Must be loaded before the first connection.

const { TCP } = process.binding('tcp_wrap');

let prototype = TCP.prototype;
while (!Object.hasOwn(prototype, 'bytesRead')) prototype = Object.getPrototypeOf(prototype);
const { get } = Object.getOwnPropertyDescriptor(prototype, 'bytesRead');

/** @param {import('node:net').Socket} socket */
const readByLibuv = (socket) => Reflect.apply(get, socket._handle, []);

module.exports = { readByLibuv };
