'use strict';

// Runs one workload's server and tells the harness over IPC what it used.

const { workload, options, stats } = JSON.parse(process.argv[2]);

// The harness may be killed without a chance to clean up.
process.once('disconnect', () => process.exit());

process.on('message', () => {
  process.send({
    cpu: process.cpuUsage(),
    responses: stats === null ? null : require(stats).stats().responses,
  });
});

(async () => {
  const server = await require(workload).createServer(options);
  server.listen(0, '127.0.0.1', () => {
    process.send({ port: server.address().port, runtime: `Node ${process.version}` });
  });
})();
