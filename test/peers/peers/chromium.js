'use strict';

// Chromium, headless, on an Express app: what its pages and its network saw.

const assert = require('node:assert');

const { mask } = require('../../behaviour/text');
const { digest, pattern, sha256 } = require('../lib/bytes');
const { exchanges } = require('../lib/journals');
const { HOST } = require('../lib/ports');
const tools = require('../lib/tools');
const { within } = require('../lib/within');

/** The name of the site, so that no port is in what is compared. */
const SITE = 'http://app.test';

const FILES = [
  { name: 'small \u00e4.txt', mimeType: 'text/plain', buffer: Buffer.from('a small file') },
  { name: 'large.bin', mimeType: 'application/octet-stream', buffer: pattern(2 * 1024 * 1024) },
];

/** Whether and when a browser asks for that is its own affair. */
const isIcon = (url) => url.endsWith('/favicon.ico');

/** What the pages of a browser ask for and get, from now on. */
class Network {
  #answers = [];
  failed = [];
  console = [];

  /** @param {import('playwright-core').BrowserContext} context */
  constructor(context) {
    context.on('response', (response) => {
      if (!isIcon(response.url())) this.#answers.push(this.#answer(response));
    });
    context.on('requestfailed', (request) => {
      this.failed.push(`${request.method()} ${request.url()} ${request.failure().errorText}`);
    });
    context.on('console', (message) => {
      if (isIcon(message.location().url)) return;
      this.console.push(`${message.type()} ${message.text()}`);
    });
    context.on('weberror', (error) => this.console.push(String(error.error())));
  }

  async #answer(response) {
    const request = response.request();
    const all = await response.headersArray();
    const fields = all.map(({ name, value }) => mask(`${name}: ${value}`));
    const isOpen = /\/(events|begun)$/.test(response.url());
    // A redirect has no body, nor has what is not over yet.
    const hasBody = !isOpen && !(response.status() >= 300 && response.status() < 400);
    return {
      request: `${request.method()} ${response.url()}`,
      status: `${response.status()} ${response.statusText()}`,
      fields,
      ...(hasBody && { body: digest(await response.body()) }),
    };
  }

  /** The answers since it was asked last, in an order that is no matter of time. */
  async take() {
    const answers = await within(Promise.all(this.#answers.splice(0)), 'the bodies of all answers');
    return answers.sort((a, b) => (a.request < b.request ? -1 : 1));
  }
}

/** Fetches in the page. @returns {Promise<{ status: number, text: string }>} */
function fetchIn(page, url, options) {
  return page.evaluate(
    async ([target, init]) => {
      const response = await fetch(target, init);
      const { status, redirected } = response;
      const text = await response.text();
      return { status, redirected, text: text.length > 500 ? text.length : text };
    },
    [url, options],
  );
}

/** The page with its files, twice, the second time with what the browser has of it. */
async function load(stage, page, network) {
  await page.goto(`${SITE}/`);
  stage.saw('the page', await network.take());
  const color = await page.evaluate(() => getComputedStyle(document.querySelector('h1')).color);
  assert.strictEqual(color, 'rgb(1, 2, 3)', 'the style sheet applies');
  const width = await page.evaluate(() => document.querySelector('#image').naturalWidth);
  assert.strictEqual(width, 10, 'the image is there');
  await page.reload();
  stage.saw('the page again', await network.take());
}

async function fetches(stage, page, network) {
  const asked = [
    ['/visits'],
    ['/visits'],
    ['/redirect'],
    ['/picture'],
    ['/parts'],
    ['/error'],
    ['/nowhere'],
    ['/page.js', { headers: { Range: 'bytes=0-99' } }],
    ['/visits', { method: 'HEAD' }],
    ['/visits', { cache: 'no-store', headers: { 'Accept-Encoding': 'identity' } }],
  ];
  for (const [i, [url, options]] of asked.entries()) {
    stage.saw(`fetch ${i} ${url}`, await fetchIn(page, url, options));
  }
  stage.saw('answers of fetch', await network.take());
  const together = Array.from({ length: 12 }, (_, i) => fetchIn(page, `/parts?number=${i}`));
  stage.saw('twelve at a time', await Promise.all(together));
  stage.saw('answers of twelve', await network.take());
}

/** Server-sent events, through an end of the stream that the browser mends. */
async function events(stage, page, program) {
  const count = (n) => page.waitForFunction((wanted) => window.seen.events.length >= wanted, n);
  await page.evaluate(() => window.peers.listen());
  await count(1);
  assert.strictEqual(await program.ask('publish', 'one'), 1);
  await count(2);
  await program.ask('interrupt');
  await count(4);
  await program.ask('publish', 'two');
  await count(5);
  stage.saw('server-sent events', await page.evaluate(() => window.seen.events));
  await page.evaluate(() => window.source.close());
  await program.ask('closed', 'GET /events');
}

async function forms(stage, page, network) {
  await Promise.all([page.waitForURL(`${SITE}/form`), page.click('#form button')]);
  stage.saw('after the form', await page.textContent('body'));
  stage.saw('answers of the form', await network.take());
  await page.goto(`${SITE}/`);
  await page.setInputFiles('#files', FILES);
  await Promise.all([page.waitForURL(`${SITE}/upload`), page.click('#upload button')]);
  const uploaded = JSON.parse(await page.textContent('body'));
  stage.saw('after the upload', uploaded);
  const hashes = uploaded.files.map(({ sha256: hash }) => hash);
  assert.deepStrictEqual(
    hashes,
    FILES.map(({ buffer }) => sha256(buffer)),
  );
  await page.goto(`${SITE}/`);
  stage.saw('answers of the upload', await network.take());
}

/** A fetch that the page gives up, a beacon, and a page that goes with a stream open. */
async function ends(stage, page, network, program) {
  const outcome = page.evaluate(async () => {
    window.controller = new AbortController();
    const response = await fetch('/begun', { signal: window.controller.signal });
    const reader = response.body.getReader();
    const { value } = await reader.read();
    window.controller.abort();
    const end = await reader.read().catch(({ name }) => name);
    return [new TextDecoder().decode(value), end];
  });
  stage.saw('a fetch that is given up', await outcome);
  await program.ask('closed', 'GET /begun');
  await page.evaluate(() => navigator.sendBeacon('/beacon', 'from the page'));
  await program.ask('noted', 'beacon');
  await page.evaluate(() => window.peers.listen());
  await page.waitForFunction(() => window.seen.events.length >= 1);
  await page.close();
  await program.ask('closed', 'GET /events');
  stage.saw('answers at the end', await network.take());
}

/** @param {import('../lib/stage').Stage} stage @param {boolean} watched */
async function converse(stage, watched) {
  const { chromium } = require('playwright-core');
  const { program, address } = await stage.start('app.js', watched ? ['--watched'] : []);
  const browser = await chromium.launch({
    executablePath: tools.find('chromium'),
    args: ['--no-sandbox', `--host-resolver-rules=MAP app.test ${HOST}:${address.port}`],
    env: { ...process.env, HOME: stage.folder, TMPDIR: stage.folder },
  });
  try {
    const context = await browser.newContext();
    const network = new Network(context);
    const page = await context.newPage();
    await load(stage, page, network);
    await fetches(stage, page, network);
    stage.saw('WebSocket', await page.evaluate(() => window.peers.socket()));
    await events(stage, page, program);
    await forms(stage, page, network);
    await ends(stage, page, network, program);
    stage.saw('cookies', await context.cookies());
    stage.saw('failed requests', network.failed);
    stage.saw('console', network.console);
  } finally {
    await browser.close();
  }
  const journal = await program.ask('journal');
  stage.saw(
    'exchanges',
    exchanges(journal).filter((exchange) => !exchange.includes('/favicon.ico')),
  );
  stage.saw('besides', journal.besides);
  await stage.end(program);
}

module.exports = {
  tools: { chromium: 'chromium' },
  version: () => /Chromium (\S+)/.exec(tools.output('chromium', '--version'))?.[1],
  converse,
};
