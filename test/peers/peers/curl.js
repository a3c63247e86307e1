'use strict';

// curl: the exact bytes that it gets in its many ways to ask, and what it says of each transfer.

const assert = require('node:assert');

const { mask } = require('../../behaviour/text');
const { digest, pattern } = require('../lib/bytes');
const { withoutResets } = require('../lib/journals');
const { HOST } = require('../lib/ports');
const tools = require('../lib/tools');

const MIB = 1024 * 1024;

/** What curl counts of a transfer. */
const COUNTED = [
  'response_code',
  'http_version',
  'num_connects',
  'num_headers',
  'num_redirects',
  'size_download',
  'size_header',
  'size_request',
  'size_upload',
  'exitcode',
];
const WRITE_OUT = `%{stderr}${COUNTED.map((name) => `${name}=%{${name}}`).join(' ')}\n`;

/**
 * What curl hangs up on; how far it has come by then is a matter of time. A socket file tells of
 * the end of curl at once, and so the end of everything large is such a matter there.
 */
const TOO_MUCH = /\/large-end\?much/;

/** @returns {{ paths: string[], args: string[] }} */
const ask = (paths, ...args) => ({ paths: paths.split(' '), args });

/** What is asked of the origin. @param {{ small: string, large: string, cookies: string }} files */
const conversations = ({ small, large, cookies }) => ({
  'a text': ask('/hello'),
  'a head': ask('/hello', '-I'),
  'the head of what is large': ask('/large', '-I'),
  JSON: ask('/json'),
  'many fields': ask('/fields'),
  'no fields': ask('/implicit'),
  nothing: ask('/empty'),
  204: ask('/status?code=204'),
  404: ask('/nowhere'),
  500: ask('/status?code=500'),
  'another phrase': ask('/phrase'),
  'a redirect': ask('/redirect', '-L'),
  'a latin1 field': ask('/latin1'),
  'early hints': ask('/hints'),
  'a fresh entity': ask('/tagged', '-H', 'If-None-Match: "tag"'),
  'a stale entity': ask('/tagged', '-H', 'If-None-Match: "other"'),
  'a range': ask('/range', '-r', '10-19'),
  'cookies that it keeps': ask('/cookie /cookie /cookie', '-b', cookies, '-c', cookies),
  chunks: ask('/chunked'),
  'chunks as they are': ask('/chunked-later', '--raw'),
  trailers: ask('/trailers', '--raw'),
  'eight requests on a connection': ask('/hello'.concat(' /hello'.repeat(7))),
  'different requests on a connection': ask('/hello /json /chunked /empty /tagged /close /hello'),
  'a connection each': ask('/hello /hello', '-H', 'Connection: close'),
  'HTTP/1.0': ask('/hello /json /chunked', '-0'),
  'HTTP/1.0, kept': ask('/hello /json /chunked /json', '-0', '-H', 'Connection: keep-alive'),
  'an offer of HTTP/2': ask('/hello /hello', '--http2'),
  'another upgrade': ask('/seen', '-H', 'Connection: Upgrade', '-H', 'Upgrade: other'),
  'a form': ask('/hash', '-d', 'a=1', '-d', 'b=2'),
  'a form with a file': ask('/length', '-F', 'a=1', '-F', `file=@${large};filename=large.bin`),
  'a small body': ask('/hash', '--data-binary', `@${small}`),
  'a large body, expecting 100': ask('/hash /hash', '--data-binary', `@${large}`),
  'a large body at once': ask('/hash', '-H', 'Expect:', '--data-binary', `@${large}`),
  'a body in chunks': ask('/hash', '-H', 'Transfer-Encoding: chunked', '-T', large),
  'a body that is refused': ask('/hash', '-H', 'X-Want: refuse', '-T', large),
  'a body that nobody reads': ask('/unread /unread', '--data-binary', `@${small}`),
  'a slow body': ask('/hash', '-H', 'Expect:', '--limit-rate', '8M', '-T', large),
  PUT: ask('/hash', '-X', 'PUT', '-d', 'x'),
  DELETE: ask('/status?code=200', '-X', 'DELETE'),
  'a method that Node does not know': ask('/hello', '-X', 'BREW'),
  'OPTIONS *': ask('/', '-X', 'OPTIONS', '--request-target', '*'),
  'an absolute target': ask('/hello', '--request-target', 'http://app.test/hello'),
  'a target as it is': ask('/../hello/./%20', '--path-as-is'),
  'few fields': ask('/seen', '-H', 'X-Empty;', '-H', 'User-Agent:', '-H', 'Accept:'),
  'a field of 8 KB': ask('/seen', '-H', `X-Long: ${'x'.repeat(8_000)}`),
  'a field of 20 KB': ask('/seen', '-H', `X-Long: ${'x'.repeat(20_000)}`),
  'what is large': ask('/large'),
  'what is large, in chunks': ask('/large-chunked'),
  'what is large, at once': ask('/large-end'),
  'what is large, slowly': ask('/large-end', '--limit-rate', '2M'),
  'a connection that is cut before the answer': ask('/cut-before /hello'),
  'a connection that is cut within the answer': ask('/cut-within /hello'),
  'more than it wants': ask('/large-end?much', '--max-filesize', '1000'),
});

/** What must come of some, or the comparison would compare failures. */
const SIZES = { 'what is large': 8 * MIB, 'what is large, at once': MIB, 'a text': 11 };

/** All conversations with an origin. */
async function talk(stage, name, connection) {
  const files = {
    small: stage.write('small', pattern(1000)),
    large: stage.write('large', pattern(3 * MIB)),
    cookies: stage.place(`cookies of ${name}`),
  };
  for (const [what, { paths, args }] of Object.entries(conversations(files))) {
    const urls = paths.map((path) => `http://app.test${path}`);
    // It is patient where it expects 100, so that it never sends a body before the answer to that.
    const patient = ['--max-time', '50', '--expect100-timeout', '40'];
    const common = ['-q', '-sS', '-i', '-w', WRITE_OUT, ...patient];
    const command = ['curl', ...common, ...connection, ...args, ...urls];
    const { code, stdout, stderr } = await stage.run(command);
    const output = digest(Buffer.from(mask(stdout.toString('latin1')), 'latin1'));
    stage.saw(`${name}: ${what}`, { code, output, counted: stderr.trimEnd().split('\n') });
    if (what in SIZES) assert.match(stderr, new RegExp(`size_download=${SIZES[what]} `), what);
  }
}

/** @param {import('../lib/stage').Stage} stage @param {boolean} watched */
async function converse(stage, watched) {
  const args = watched ? ['--watched'] : [];
  const file = stage.place('origin.sock');
  const upgrading = await stage.start('origin.js', args, { name: 'origin on TCP' });
  const plain = ['--plain', '--socket', file];
  const byFile = await stage.start('origin.js', [...args, ...plain], { name: 'origin on a file' });

  await talk(stage, 'TCP', ['--connect-to', `::${HOST}:${upgrading.address.port}`]);
  await talk(stage, 'file', ['--unix-socket', file]);

  for (const [name, { program }] of Object.entries({ TCP: upgrading, file: byFile })) {
    const isFile = name === 'file';
    const { connections, besides } = await program.ask('journal');
    const untimely = isFile ? /\/large/ : TOO_MUCH;
    const timely = connections.filter(([first]) => !untimely.test(first));
    const journal = { connections: timely, besides };
    stage.saw(`journal on ${name}`, isFile ? withoutResets(journal) : journal);
    await stage.end(program);
  }
}

module.exports = {
  tools: { curl: 'curl' },
  version: () => tools.output('curl', '-V').split(' ')[1],
  converse,
};
