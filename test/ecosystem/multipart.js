'use strict';
// Bodies of uploads (RFC 7578).

const BOUNDARY = '----boundary-of-the-suite';

const TYPE = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

/**
 * @param {{ name: string, value: string, file?: string, type?: string }[]} parts `value` has one character a byte
 */
function multipart(...parts) {
  const texts = parts.map(({ name, value, file, type }) => {
    const filename = file === undefined ? '' : `; filename="${file}"`;
    const contentType = type === undefined ? '' : `\r\nContent-Type: ${type}`;
    const head = `Content-Disposition: form-data; name="${name}"${filename}${contentType}`;
    return `--${BOUNDARY}\r\n${head}\r\n\r\n${value}\r\n`;
  });
  return `${texts.join('')}--${BOUNDARY}--\r\n`;
}

/** The conversation about uploads. @param {import('./conversation').Conversation} c */
async function uploads(c) {
  const kept = await c.connect();
  const field = { name: 'title', value: 'holidays' };
  const file = { name: 'file', file: 'a.txt', type: 'text/plain', value: 'content of a\r\n' };
  const bytes = {
    name: 'file',
    file: 'b.bin',
    type: 'application/octet-stream',
    value: '\x00\xff'.repeat(500),
  };
  await kept.ask('POST', '/upload', 200, { headers: TYPE, body: multipart(field, file) });
  await kept.ask('POST', '/upload', 200, { headers: TYPE, body: multipart(field, file, bytes) });
  const large = { ...bytes, file: 'c.bin', value: 'large '.repeat(50_000) };
  await kept.ask('POST', '/upload', 200, { headers: TYPE, body: multipart(large, field) });
  const body = multipart(field, file, bytes);
  await kept.ask('POST', '/upload', 200, {
    headers: TYPE,
    chunks: [body.slice(0, 100), body.slice(100, 500), body.slice(500)],
  });
  await kept.ask('POST', '/upload', 200, { headers: { ...TYPE, Expect: '100-continue' }, body });
  await kept.ask('POST', '/upload', 200, { headers: TYPE, body: multipart(field) });
}

module.exports = { TYPE, multipart, uploads };
