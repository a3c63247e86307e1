'use strict';

// Runs one workload's server and tells the harness over IPC what it used. Bun and Deno run it too.

const { cannedServer } = require('./canned');
const { requestsOf } = require('./requests');

const job = JSON.parse(process.argv[2]);

// The harness may be killed without a chance to clean up.
process.once('disconnect', () => process.exit());

// What would be measured is Node's own code, under the name of the package.
process.on('warning', ({ code, message }) => {
  if (code === 'ONEWRITE_UNAVAILABLE') throw new Error(message);
});

process.on('message', () => {
  process.send({
    cpu: process.cpuUsage(),
    responses: job.stats === null ? null : require(job.stats).stats().responses,
  });
});

const { bun, deno } = process.versions;

(async () => {
  const workload = require(job.workload);
  let server = await workload.createServer(job.options);
  if (job.canned) server = await cannedServer(server, requestsOf(workload, job.options)[0]);
  server.listen(0, '127.0.0.1', () => {
    const runtime = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node ${process.version}`;
    process.send({ port: server.address().port, runtime });
  });
})();
