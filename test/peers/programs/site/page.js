// What the page does when the suite asks it to, in the browser.

window.seen = { events: [], errors: [] };

window.peers = {
  /** Listens to server-sent events; resolves with the first. */
  listen() {
    const source = new EventSource('events');
    window.source = source;
    const note = (event) => window.seen.events.push([event.type, event.lastEventId, event.data]);
    source.addEventListener('message', note);
    source.addEventListener('news', note);
    source.addEventListener('error', () => window.seen.events.push(['error', source.readyState]));
  },

  /** Talks over a WebSocket. */
  socket() {
    return new Promise((resolve, reject) => {
      const seen = [];
      const ws = new WebSocket(`ws://${location.host}/socket`);
      ws.binaryType = 'arraybuffer';
      ws.onopen = () => {
        ws.send('hello');
        ws.send('long '.repeat(10_000));
        ws.send(new Uint8Array(70_000).fill(7));
      };
      ws.onmessage = ({ data }) => {
        seen.push(typeof data === 'string' ? [data.length, data.slice(0, 30)] : [data.byteLength]);
        if (seen.length === 3) ws.close(4002, 'enough');
      };
      ws.onclose = ({ code, reason, wasClean }) => resolve([...seen, { code, reason, wasClean }]);
      ws.onerror = () => reject(new Error('WebSocket failed'));
    });
  },
};
