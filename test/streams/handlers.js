'use strict';

// What programs do with a request: each listens to more or less of it, and answers in its own time. An answer that
// is taken for that of another request would show.

const answer = (res, name) => res.end(`answer to ${name}`);

function watch(record, req, res, name) {
  record.listen(req, `${name} req`, ['aborted', 'end', 'close', 'error']);
  record.listen(res, `${name} res`, ['finish', 'close', 'error']);
}

function schedule(record, name) {
  process.nextTick(() => record.note(`${name} tick`));
  queueMicrotask(() => record.note(`${name} microtask`));
}

/** @type {Record<string, (c: { record: object, req: object, res: object, name: string, chunks: string[] }) => void>} */
const HANDLERS = {
  ignores: ({ res, name }) => answer(res, name),
  reads({ record, req, res, name, chunks }) {
    watch(record, req, res, name);
    req.on('data', (chunk) => {
      chunks.push(chunk.toString('latin1'));
      record.note(`${name} data`, chunk.length);
    });
    req.on('end', () => answer(res, name));
  },
  watches({ record, req, res, name }) {
    watch(record, req, res, name);
    schedule(record, name);
    answer(res, name);
  },
  waits({ record, req, res, name, chunks }) {
    watch(record, req, res, name);
    record.pending++;
    setImmediate(() => {
      record.pending--;
      record.note(`${name} immediate`, req.readableLength);
      req.on('data', (chunk) => chunks.push(chunk.toString('latin1')));
      res.writeHead(200, { 'X-Name': name });
      answer(res, name);
    });
  },
};

module.exports = { HANDLERS };
