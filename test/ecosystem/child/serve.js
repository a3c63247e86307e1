'use strict';
// Starts the first server of a case, for its requests to be measured: nothing is noted.
//   node test/ecosystem/child/serve.js CASE FOLDER

const { Toolbox } = require('./toolbox');

const [file, folder] = process.argv.slice(2);

class Silent extends Toolbox {
  log() {}
}

async function main() {
  const started = await require(file).server(new Silent(folder, '/dev/null'));
  const [server] = started.servers ?? [started];
  if (!server.listening) server.listen({ port: 0, host: '127.0.0.1' });
}

main();
