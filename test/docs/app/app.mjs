// As app.js, an ES module.

import http from 'node:http';
import { stats } from 'onewrite';

const server = http.createServer((req, res) => {
  res.setHeader('Content-Type', 'text/plain');
  res.end(req.url === '/stats' ? JSON.stringify(stats()) : 'hello');
});
server.listen(process.env.PORT ?? 3000, () => {
  console.log(`http://localhost:${server.address().port}/`);
});
