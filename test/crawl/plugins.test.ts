import assert from 'node:assert/strict';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { CrawlReader, type CreateCrawlSettings, createCrawl } from '../../src/index.ts';
import { callProgram } from '../called-program.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';

const module = (parts: string): string =>
  `data:text/javascript,${encodeURIComponent(`export default { name: 'faulty', api: 1, ${parts} }`)}`;

describe('plug-ins of a crawl', () => {
  const server = createServer(({ url }, response) => {
    if (url === '/robots.txt') response.writeHead(404).end();
    else if (url === '/x') response.writeHead(200, { 'content-type': 'text/x' }).end('some text');
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<title>${url}</title><a href=/a>a</a><a href=/x>x</a>`);
  });
  let origin = '';
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  async function crawl(folder: string, parts: string, settings: Partial<CreateCrawlSettings> = {}): Promise<void> {
    const plain = { delay: 0, workers: 0, sitemaps: 'off', allowPrivate: true, softNotFound: false } as const;
    await using run = await createCrawl({
      ...{ folder, seeds: [`${origin}/`], plugins: [module(parts)], ...plain, ...settings },
    });
    await run.run();
  }
  const story = async (folder: string, path: string): Promise<string> =>
    (await callProgram(['explain', `${origin}${path}`, '--dir', folder])).stdout;

  test('a filter that throws refuses, and explain names it', async () => {
    using folder = temporaryFolder();
    await crawl(folder.path, `filter({ url }) { if (url.endsWith('/a')) throw new Error('out of tune'); return true }`);
    assert.ok(!storedPages(folder.path).includes(`${origin}/a`));
    assert.match(await story(folder.path, '/a'), /plug-in faulty failed: out of tune/);
  });

  test('a page handler that throws or never ends fails its visit alone, in page threads as well', async () => {
    for (const workers of [0, 1]) {
      using folder = temporaryFolder();
      const waits = `if (url.endsWith('/x')) return new Promise(() => {});`;
      const handler = `onPage({ url }) { ${waits} if (url.endsWith('/a')) throw new Error('out of tune') }`;
      await crawl(folder.path, handler, { workers, documentTime: 1000 });
      assert.deepEqual(
        storedPages(folder.path).map((url) => url.slice(origin.length)),
        ['/'],
      );
      assert.match(await story(folder.path, '/x'), /plug-in faulty: no end after 1000 ms/);
      assert.match(await story(folder.path, '/a'), /plugin-failed[\s\S]*plug-in faulty: out of tune/);
    }
  });

  test('a converter that throws leaves its page without text, and explain says why', async () => {
    using folder = temporaryFolder();
    await crawl(folder.path, `converters: { 'text/x'() { throw new Error('out of tune') } }`);
    assert.match(await story(folder.path, '/x'), /plug-in faulty: out of tune/);
  });

  test('a fetcher that throws fails its visit; one that answers nonsense as well; the address guard holds', async () => {
    for (const [fetcher, why] of [
      [`() => { throw new Error('out of tune') }`, /plugin-failed[\s\S]*plug-in faulty: out of tune/],
      [`async () => ({ status: 'fine' })`, /plugin-failed[\s\S]*plug-in faulty: fine is no status/],
      [
        `async ({ addressOf }) => { await addressOf('127.0.0.1', 70); return { status: 200 } }`,
        /loopback address 127\.0\.0\.1/,
      ],
    ] as const) {
      using folder = temporaryFolder();
      const settings = {
        seeds: ['odd://h.test/'],
        hosts: { 'h.test': '127.0.0.1' },
        allowPrivate: false,
        robots: false,
      };
      await crawl(folder.path, `fetchers: { odd: ${fetcher} }`, settings);
      const { stdout } = await callProgram(['explain', 'odd://h.test/', '--dir', folder.path]);
      assert.match(stdout, why);
    }
  });

  test('robots.txt counts for other schemes, too', async () => {
    using folder = temporaryFolder();
    const robots = `({ url }) => Promise.resolve(url.endsWith('/robots.txt') ? { status: 200, headers: { 'content-type': 'text/plain' }, body: new TextEncoder().encode('User-agent: *\\nDisallow: /') } : { status: 200 })`;
    await crawl(folder.path, `fetchers: { odd: ${robots} }`, { seeds: ['odd://h.test/page'] });
    const { stdout } = await callProgram(['explain', 'odd://h.test/page', '--dir', folder.path]);
    assert.match(stdout, /Disallow: \//);
    assert.deepEqual(storedPages(folder.path), []);
  });

  test('a sink that throws ends the run before anything is settled; the next run brings the same visits', async () => {
    using folder = temporaryFolder();
    const broken = `sink: { write() { throw new Error('out of tune') }, close() { throw new Error('worse') } }`;
    await assert.rejects(crawl(folder.path, broken), { code: 'PLUGIN_FAILED', message: /plug-in faulty: out of tune/ });
    const reader = new CrawlReader(folder.path);
    assert.equal((await reader.status(0)).totals.pages, 0);
    reader[Symbol.dispose]();
    const kept: { readonly url: string; readonly kind: string }[] = [];
    (globalThis as { kept?: unknown }).kept = kept;
    await crawl(
      folder.path,
      `sink: { write(visits) { for (const { url, outcome } of visits) kept.push({ url, kind: outcome.kind }) }, close() { kept.push({ url: 'closed', kind: '' }) } }`,
    );
    assert.deepEqual(kept.map(({ url }) => url.replace(origin, '')).sort(), ['/', '/a', '/x', 'closed']);
    assert.equal(kept.at(-1)?.url, 'closed');
  });

  test('links of its scheme are followed from HTML; without the plug-in the crawl does not go on', async () => {
    using folder = temporaryFolder();
    const body = `'<a href=/b>b</a> <a href="odd://h.test/c">c</a> <a href="other://h.test/d">d</a>'`;
    const page = `{ status: 200, headers: { 'content-type': 'text/html' }, body: new TextEncoder().encode(${body}) }`;
    const fetcher = `fetchers: { odd: async ({ url }) => (url.endsWith('/robots.txt') ? { status: 404 } : ${page}) }`;
    await crawl(folder.path, fetcher, { seeds: ['odd://h.test/a'] });
    const pages = ['odd://h.test/a', 'odd://h.test/b', 'odd://h.test/c'];
    assert.deepEqual(storedPages(folder.path), pages);
    const without = createCrawl({ folder: folder.path, again: true });
    await assert.rejects(without, { code: 'PLUGIN_INVALID', message: /fetches odd: URLs by a plug-in/ });
    assert.deepEqual(storedPages(folder.path), pages);
  });

  test('what a page handler does to the bytes does not reach the archive', async () => {
    using folder = temporaryFolder();
    await crawl(folder.path, 'onPage({ bytes }) { bytes.fill(65) }');
    assert.match((await callProgram(['get', `${origin}/`, '--dir', folder.path])).stdout, /<title>/);
    assert.equal((await callProgram(['check', '--dir', folder.path])).status, 0);
  });

  test('a promise that a page handler leaves behind ends the run, with the name', async () => {
    using folder = temporaryFolder();
    const stray = `onPage() { Promise.reject(new Error('out of tune')) }`;
    const failed = { code: 'PLUGIN_FAILED', message: /plug-in faulty: out of tune/ };
    await assert.rejects(crawl(folder.path, stray, { workers: 1 }), failed);
  });

  test('a filter that was mended judges again what it refused', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'mended.mjs');
    const refuses = (reason: string): void =>
      writeFileSync(path, `export default { name: 'mended', api: 1, filter: ({ url }) => ${reason} }`);
    const settings = { folder: join(folder.path, 'crawl'), seeds: [`${origin}/`], plugins: [path] };
    const plain = { delay: 0, workers: 0, sitemaps: 'off', allowPrivate: true, softNotFound: false } as const;
    refuses(`url.endsWith('/a') ? 'not yet' : true`);
    {
      await using run = await createCrawl({ ...settings, ...plain });
      await run.run();
    }
    assert.ok(!storedPages(settings.folder).includes(`${origin}/a`));
    refuses('true');
    // Another file, for the time of a change may be too coarse, and modules are loaded once.
    const renamed = join(folder.path, 'renamed.mjs');
    renameSync(path, renamed);
    {
      await using run = await createCrawl({ ...settings, plugins: [renamed], ...plain });
      await run.run();
    }
    assert.ok(storedPages(settings.folder).includes(`${origin}/a`));
  });

  test('what the command line says of one that cannot be loaded', async () => {
    using folder = temporaryFolder();
    const flags = ['--dir', `${folder.path}/new`, '--allow-private', '--plugins', './no-such-plugin.ts'];
    const { status, stderr } = await callProgram(['crawl', `${origin}/`, ...flags]);
    assert.equal(status, 2);
    assert.match(
      stderr,
      /PLUGIN_INVALID[\s\S]*no-such-plugin\.ts cannot be used: there is no such file[\s\S]*leave it out/,
    );
  });
});
