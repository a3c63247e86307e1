export default function handler(req, res) {
  res.status(201).json({ method: req.method, body: req.body, query: req.query });
}
