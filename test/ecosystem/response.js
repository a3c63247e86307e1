'use strict';
// Reads responses whole from a connection, byte for byte.

/** @typedef {import('../behaviour/client').Client} Client */

/**
 * @typedef {object} Response
 * @property {number} status
 * @property {string[][]} fields name in lower case and value
 * @property {string} body without the chunked coding, one character a byte
 * @property {string} bytes all of it, interim responses included
 * @property {boolean} closes whether the server closes the connection after it
 */

/** @returns {{ status: number, version: string, fields: string[][] }} */
function parseHead(text) {
  const [line, ...rest] = text.split('\r\n').slice(0, -2);
  const [, version, status] = /^HTTP\/(\d\.\d) (\d{3}) /.exec(line) ?? [];
  if (status === undefined)
    throw new Error(`no status line: ${JSON.stringify(text.slice(0, 200))}`);
  const fields = rest.map((field) => {
    const colon = field.indexOf(':');
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
  });
  return { status: Number(status), version, fields };
}

/** @returns {string | undefined} the first value of the field */
function fieldOf({ fields }, name) {
  return fields.find(([field]) => field === name)?.[1];
}

/** @param {Client} client @returns {Promise<{ bytes: string, body: string }>} */
async function takeChunks(client) {
  let bytes = '';
  let body = '';
  for (;;) {
    const line = await client.takeThrough('\r\n');
    bytes += line;
    const size = Number.parseInt(line, 16);
    if (Number.isNaN(size)) throw new Error(`no chunk size: ${JSON.stringify(line)}`);
    if (size === 0) break;
    const chunk = await client.take(size + 2);
    bytes += chunk;
    body += chunk.slice(0, -2);
  }
  for (let line = ''; line !== '\r\n'; bytes += line) line = await client.takeThrough('\r\n');
  return { bytes, body };
}

/** @param {Client} client */
async function takeToEnd(client) {
  await client.until(() => client.isClosed);
  const bytes = await client.take(client.rest.length);
  return { bytes, body: bytes };
}

/** @param {Client} client @param {object} head @param {string} method that it answers */
function takeBody(client, head, method) {
  const { status } = head;
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) {
    return { bytes: '', body: '' };
  }
  if (fieldOf(head, 'transfer-encoding') === 'chunked') return takeChunks(client);
  const length = fieldOf(head, 'content-length');
  if (length === undefined) return takeToEnd(client);
  return client.take(Number(length)).then((body) => ({ bytes: body, body }));
}

/**
 * @param {Client} client
 * @param {string} method of the request that it answers
 * @returns {Promise<Response>}
 */
async function takeResponse(client, method) {
  const text = await client.takeThrough('\r\n\r\n');
  const head = parseHead(text);
  if (head.status < 200 && head.status !== 101) {
    const final = await takeResponse(client, method);
    return { ...final, bytes: text + final.bytes };
  }
  const { bytes, body } = await takeBody(client, head, method);
  const connection = fieldOf(head, 'connection')?.toLowerCase();
  const closes = connection === 'close' || client.isClosed;
  return { ...head, body, bytes: text + bytes, closes };
}

module.exports = { takeResponse, fieldOf };
