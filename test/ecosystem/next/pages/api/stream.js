export default async function handler(req, res) {
  res.writeHead(200, { 'Content-Type': 'text/plain' });
  for (const piece of ['one ', 'two ', 'three']) {
    res.write(piece);
    await new Promise(setImmediate);
  }
  res.end();
}
