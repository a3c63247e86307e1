'use strict';
// A case that is one handler and the exact bytes of its answer.

const { look } = require('./scenario');
const { GET } = require('./text');

/**
 * The handler answers twice: once unobserved, as in a plain program, and once with listeners on the response and a
 * look at it at each moment. A connection that stays open carries both answers, so that a byte too many or too few
 * in the first shows in the second.
 *
 * @param {object} spec
 * @param {string} spec.name a sentence that says what holds
 * @param {string} spec.path 'fast', the reason of the hand-back, or 'any'
 * @param {(req: object, res: object, t: object) => unknown} spec.handler
 * @param {string} spec.reply all bytes of the answer, Date masked
 * @param {string} [spec.request] the request, a plain GET if absent
 * @param {boolean} [spec.closes] the server closes after the answer; by default when the reply says so
 * @param {object} [spec.server] options of createServer
 * @param {(server: object) => void} [spec.setup] called before the server listens for connections
 * @param {number} [spec.counted] how many of the two exchanges count as an ended response
 */
function wire(spec) {
  const { handler, name, path, reply, request = GET, server: options, setup, counted = 2 } = spec;
  const closes =
    spec.closes ?? /\r\nConnection: close\r\n/i.test(reply.slice(0, reply.indexOf('\r\n\r\n') + 2));

  async function run(t) {
    let observed = false;
    let over;
    const server = await t.serve((req, res) => {
      if (!observed) return handler(req, res, t);
      over = t.watch(res);
      const result = handler(req, res, t);
      t.log('handler returned', look(res));
      return result;
    }, options);
    setup?.(server);
    t.responses = counted;

    const first = await t.connect(server);
    first.send(request);
    await first.expect(reply, 'first answer');
    if (closes) await first.expectClose();

    observed = true;
    const second = closes ? await t.connect(server) : first;
    second.send(request);
    await second.expect(reply, 'second answer');
    await over;
    if (closes) await second.expectClose();
    else await second.finish();
  }

  return { name, path, run };
}

module.exports = { wire };
