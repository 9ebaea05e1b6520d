import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { callProgram } from '../called-program.ts';
import { CrawledFolder, html } from '../unit/search/indexing/crawled-folder.ts';
import { Chromium, findChromium } from './chromium.ts';
import type { BrowserTab } from './dev-tools.ts';

const found = findChromium();
const skip = 'missing' in found ? found.missing : false;
/** Where pictures of the pages go, for people to look at; none are taken without it. */
const { SCREENSHOTS: shots } = process.env;
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
};
const ATTACK = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;

describe('A static search in a browser', { skip }, () => {
  const root = mkdtempSync(join(tmpdir(), 'orbweaver-site-search-'));
  const asked: string[] = [];
  let server: Server;
  let chromium: Chromium;
  let url: string;

  before(async () => {
    const folder = join(root, 'crawl');
    {
      await using crawled = new CrawledFolder(folder);
      const visit = (path: string, title: string, text: string): Promise<number> =>
        crawled.visit(`https://site.example/${path}`, { html: html(title, text), text, facts: { title } });
      await visit('garden', 'Garden spiders', 'The garden spider builds an orb web between plants, in an hour.');
      await visit(
        'weaver',
        'Orb weavers',
        'Weavers are spiders. At night they build webs; they eat them in the morning.',
      );
      await visit('hostile', `Hostile ${ATTACK}`, `A hostile page about spiders. ${ATTACK}`);
      for (let number = 0; number < 25; number++)
        await visit(`page-${number}`, `Moth ${number}`, `Moths fly at night, number ${number}, and meet webs.`);
    }
    assert.equal((await callProgram(['index', '--dir', folder])).status, 0);
    const flags = ['--dir', folder, '--output', join(root, 'bundle'), '--title', 'Spiders & moths', '--quiet'];
    const { status, stderr } = await callProgram(['export', 'site-search', ...flags]);
    assert.equal(status, 0, stderr);
    server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://x').pathname.replace(/^\/sub\//, '');
      asked.push(path);
      try {
        const body = readFileSync(join(root, 'bundle', path === '' ? 'index.html' : path));
        const type = TYPES[path === '' ? '.html' : extname(path)] ?? 'application/octet-stream';
        response.writeHead(200, { 'content-type': type }).end(body);
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sub/`;
    chromium = await Chromium.start('path' in found ? found.path : '');
    if (shots !== undefined) mkdirSync(shots, { recursive: true });
  });
  after(async () => {
    await chromium?.[Symbol.asyncDispose]();
    server?.close();
    rmSync(root, { recursive: true, force: true });
  });

  async function inTab(act: (tab: BrowserTab) => Promise<void>): Promise<void> {
    const tab = await chromium.openTab();
    try {
      await act(tab);
    } finally {
      await tab.close();
    }
  }

  const RESULTS = "[...document.querySelectorAll('#results li')]";

  test('what is typed is found, by its stem, with the words marked', async () => {
    await inTab(async (tab) => {
      await tab.open(url);
      await tab.hold("document.title === 'Spiders & moths'");
      assert.equal(await tab.evaluate('document.activeElement.id'), 'q');
      await tab.type('garden spiders');
      await tab.hold(`${RESULTS}.length > 0`);
      if (shots !== undefined) await tab.screenshot(join(shots, 'site-search.png'));
      assert.equal(await tab.evaluate(`${RESULTS}[0].querySelector('a').href`), 'https://site.example/garden');
      assert.match(await tab.evaluate(`${RESULTS}[0].innerHTML`), /<mark>garden<\/mark> <mark>spider<\/mark>/);
      assert.match(await tab.evaluate("document.getElementById('status').textContent"), /^3 pages$/);
      assert.match(await tab.evaluate('location.search'), /^\?q=garden\+spiders$/);
      assert.deepEqual(tab.complaints, []);
    });
  });

  test('a query in the address is answered, page by page', async () => {
    await inTab(async (tab) => {
      await tab.open(`${url}?q=moths`);
      await tab.hold(`${RESULTS}.length === 10`);
      assert.equal(await tab.evaluate("document.getElementById('status').textContent"), '25 pages, 1 to 10');
      await tab.evaluate("document.getElementById('next').click()");
      await tab.hold("document.getElementById('status').textContent === '25 pages, 11 to 20'");
      await tab.evaluate("document.getElementById('next').click()");
      await tab.hold(`${RESULTS}.length === 5`);
      assert.equal(await tab.evaluate("document.getElementById('next').disabled"), true);
      assert.deepEqual(tab.complaints, []);
    });
  });

  test('markup of pages is shown as text, and nobody else is asked for anything', async () => {
    await inTab(async (tab) => {
      asked.length = 0;
      await tab.open(`${url}?q=hostile`);
      await tab.hold(`${RESULTS}.length === 1`);
      assert.ok((await tab.evaluate<string>(`${RESULTS}[0].textContent`)).includes('<img src=x'));
      assert.equal(await tab.evaluate('window.hacked === undefined'), true);
      assert.equal(await tab.evaluate("document.querySelectorAll('#results img, #results script').length"), 0);
      const sources =
        'performance.getEntriesByType("resource").every(({ name }) => new URL(name).origin === location.origin)';
      assert.equal(await tab.evaluate(sources), true);
      assert.equal(asked.filter((path) => path.startsWith('terms/')).length, 1);
      assert.equal(asked.filter((path) => path.startsWith('pages/')).length, 1);
      assert.deepEqual(tab.complaints, []);
    });
  });

  test('where nothing is found, or the index is missing, that is said', async () => {
    await inTab(async (tab) => {
      await tab.open(`${url}?q=xylophone`);
      await tab.hold("document.getElementById('status').textContent === 'No page was found.'");
      rmSync(join(root, 'bundle/terms'), { recursive: true });
      await tab.open(`${url}?q=spider`);
      await tab.hold(
        "document.getElementById('status').textContent.startsWith('The search index could not be loaded.')",
      );
    });
  });
});
