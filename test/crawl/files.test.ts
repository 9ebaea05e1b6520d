import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { resolveSettings } from '../../src/base/settings/resolve-settings.ts';
import { LocalFileReader } from '../../src/crawl/files/local-file-reader.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { type CrawlSummary, type CreateCrawlSettings, createCrawl, openSearch, updateIndex } from '../../src/index.ts';
import { rootUrlOf } from '../../src/seeds/folder-seeds.ts';
import { fileUrlOf } from '../../src/url/file-url.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';

/** A folder of documents, and one for the crawl of it. */
function openDesk() {
  const folder = temporaryFolder();
  const root = join(realpathSync(folder.path), 'documents');
  const crawlFolder = join(folder.path, 'crawl');
  mkdirSync(root);
  const settings = (further: Partial<CreateCrawlSettings> = {}) => ({
    ...{ folder: crawlFolder, seeds: [rootUrlOf(root)], workers: 0, filesQuiet: 20, ...further },
  });
  return {
    ...{ root, crawlFolder, settings },
    path: (name: string): string => join(root, name),
    url: (name: string): string => fileUrlOf(join(root, name)),
    write(files: Readonly<Record<string, string>>): void {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, name)), { recursive: true });
        writeFileSync(join(root, name), text);
      }
    },
    async crawl(further?: Partial<CreateCrawlSettings>): Promise<CrawlSummary> {
      await using crawl = await createCrawl(settings(further));
      return await crawl.run();
    },
    /** Names of the files that a search finds. */
    async find(query: string): Promise<string[]> {
      await updateIndex(crawlFolder);
      await using search = await openSearch({ folder: crawlFolder });
      const { hits } = await search.search({ query });
      return hits.map(({ id }) => id.replace(`${fileUrlOf(root)}/`, '')).sort();
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

test('a result opens its file by what the last run was allowed, not by the settings file', async () => {
  using desk = openDesk();
  desk.write({ '.hidden/notes.md': 'wisteria', 'plain.md': 'larkspur' });
  await desk.crawl({ filesHidden: true });
  const { settings } = resolveSettings({ file: {} });
  using crawl = new CrawlReader(desk.crawlFolder);
  const files = new LocalFileReader({ folder: desk.crawlFolder, settings, crawl });
  assert.equal(String(Buffer.from((await files.read(desk.url('.hidden/notes.md')))?.body ?? [])), 'wisteria');
  // The next run is stricter: its word counts, also for who had opened the crawl before.
  await desk.crawl({ filesHidden: true, filesExclude: ['plain.md'] });
  using later = new CrawlReader(desk.crawlFolder);
  assert.deepEqual(later.filesSettings.filesExclude, ['plain.md']);
  assert.deepEqual(crawl.filesSettings, later.filesSettings);
  const strict = new LocalFileReader({ folder: desk.crawlFolder, settings, crawl });
  assert.equal(await strict.read(desk.url('plain.md')), undefined);
  assert.ok((await strict.read(desk.url('.hidden/notes.md'))) !== undefined);
});

test('a crawl does not read what crawls write', async () => {
  using desk = openDesk();
  desk.write({ 'notes.md': 'wisteria' });
  const refused = { code: 'SEED_INVALID', message: /lies in the folder of a crawl/ };
  await desk.crawl();
  await assert.rejects(
    desk.crawl({ folder: join(desk.root, '../other'), seeds: [rootUrlOf(join(desk.crawlFolder, 'archive'))] }),
    refused,
  );
  await assert.rejects(desk.crawl({ folder: desk.root }), refused);
});

test('a folder is crawled: files of all kinds are found, and nothing that is left out', async () => {
  using desk = openDesk();
  desk.write({
    'notes.md': '# Garden\n\nThe wisteria blooms.',
    'sub/page.html':
      '<title>Page</title><p>About wisteria. <a href="../notes.md">notes</a> <a href="/etc/passwd">no</a>',
    'program.py': 'def wisteria(): pass',
    'copy.md': '# Garden\n\nThe wisteria blooms.',
    '.secret/notes.md': 'hidden wisteria',
    'node_modules/a/readme.md': 'wisteria of others',
    id_rsa: 'wisteria key',
    'a b#c?.txt': 'wisteria in an odd place',
  });
  symlinkSync('/etc/passwd', desk.path('passwd.txt'));
  const summary = await desk.crawl();
  assert.equal(summary.ended, 'finished');
  assert.equal(summary.pages, 5);
  assert.equal(summary.distinctDocuments, 4);
  const found = await desk.find('wisteria');
  assert.equal(found.filter((name) => name === 'notes.md' || name === 'copy.md').length, 1);
  assert.deepEqual(
    found.filter((name) => !name.endsWith('.md')),
    ['a%20b%23c%3F.txt', 'program.py', 'sub/page.html'],
  );
  using reader = new CrawlReader(desk.crawlFolder);
  assert.match((await reader.explain('file:///etc/passwd')).page?.outcome?.kind ?? '', /^(?:refused)?$/);
});

test('the next run finds what was changed, moved, deleted and excluded, and reads nothing else', async () => {
  using desk = openDesk();
  desk.write({
    'kept.txt': 'kept larkspur',
    'changed.txt': 'old larkspur',
    'moved.txt': 'wandering larkspur',
    'gone.txt': 'transient larkspur',
    'original.txt': 'twin larkspur',
    'twin.txt': 'twin larkspur',
    'later-ignored.txt': 'ignored larkspur',
  });
  await desk.crawl();
  desk.write({ 'changed.txt': 'new delphinium', '.gitignore': 'later-ignored.txt\n' });
  mkdirSync(desk.path('deep'));
  renameSync(desk.path('moved.txt'), desk.path('deep/moved.txt'));
  rmSync(desk.path('gone.txt'));
  rmSync(desk.path(storedPages(desk.crawlFolder).includes(desk.url('original.txt')) ? 'original.txt' : 'twin.txt'));
  const summary = await desk.crawl();
  assert.equal(summary.ended, 'finished');
  assert.deepEqual(
    (await desk.find('larkspur')).filter((name) => !/^(?:twin|original)\.txt$/.test(name)),
    ['deep/moved.txt', 'kept.txt'],
  );
  assert.equal((await desk.find('twin')).length, 1);
  assert.deepEqual(await desk.find('delphinium'), ['changed.txt']);
  const last = await desk.crawl();
  assert.equal(last.requests, summary.requests);
});

test('a run that was stopped goes on where it was, also with files that came meanwhile', async () => {
  using desk = openDesk();
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`part-${at % 4}/${at}.txt`, `campion ${at}`]),
  );
  desk.write(files);
  {
    await using crawl = await createCrawl(desk.settings({ filesAtOnce: 1 }));
    using _first = crawl.on('settled', () => crawl.stop());
    assert.equal((await crawl.run()).ended, 'stopped');
  }
  assert(storedPages(desk.crawlFolder).length < 40);
  desk.write({ 'part-9/late.txt': 'a late campion' });
  await desk.crawl();
  assert.deepEqual(storedPages(desk.crawlFolder), [...Object.keys(files), 'part-9/late.txt'].map(desk.url).sort());
});

test('no page of the web reaches a file, and no file tells the web of itself', async () => {
  using desk = openDesk();
  const asked: string[] = [];
  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/robots.txt')
      return void response.end(`Sitemap: ${desk.url('secret.txt')}\nSitemap: ${origin()}/sitemap.xml\n`);
    if (request.url === '/moved') return void response.writeHead(302, { location: desk.url('ignored.txt') }).end();
    if (request.url === '/sitemap.xml')
      return void response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(`<urlset><url><loc>${desk.url('ignored.txt')}</loc></url></urlset>`);
    response.writeHead(200, { 'content-type': 'text/html', link: `<${desk.url('ignored.txt')}>; rel=canonical` });
    response.end(`<a href="${desk.url('ignored.txt')}">a</a><a href="file:/etc/passwd">b</a><a href="/moved">c</a>
      <meta http-equiv=refresh content="0;url=file:///etc/passwd"><iframe src="file:///etc/passwd"></iframe>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    desk.write({
      'local.html': `<p>gentian <a href="${origin()}/told">to the web</a>`,
      'ignored.txt': 'secret gentian',
      '.gitignore': 'ignored.txt\n',
    });
    const seeds = [rootUrlOf(desk.root), `${origin()}/`];
    await desk.crawl({ seeds, allowPrivate: true, scope: 'any', delay: 0, sitemaps: 'all' });
    assert.deepEqual(
      storedPages(desk.crawlFolder).filter((url) => url.startsWith('file:')),
      [desk.url('local.html')],
    );
    assert.deepEqual(await desk.find('gentian'), ['local.html']);
    assert(asked.includes('/moved'));
    assert(asked.includes('/sitemap.xml'));
    assert(!asked.includes('/told'), asked.join(' '));
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('a continuous crawl follows changes as they happen', async () => {
  using desk = openDesk();
  desk.write({ 'first.txt': 'the first cowslip', 'sub/second.txt': 'the second cowslip' });
  const running = await createCrawl(desk.settings({ continuous: true }));
  const ended = running.run();
  const holds = async (...names: readonly string[]): Promise<void> => {
    const wanted = names.map((name) => desk.url(name)).sort();
    for (const began = Date.now(); ; await sleep(20)) {
      const stored = storedPages(desk.crawlFolder);
      if (JSON.stringify(stored) === JSON.stringify(wanted)) return;
      assert(Date.now() - began < 120_000, `${stored.join(' ')} instead of ${wanted.join(' ')}`);
    }
  };
  try {
    await holds('first.txt', 'sub/second.txt');
    desk.write({ 'third.txt': 'a third cowslip' });
    await holds('first.txt', 'sub/second.txt', 'third.txt');
    renameSync(desk.path('third.txt'), desk.path('sub/moved.txt'));
    await holds('first.txt', 'sub/moved.txt', 'sub/second.txt');
    desk.write({ 'new/deep/fourth.txt': 'a fourth cowslip' });
    await holds('first.txt', 'new/deep/fourth.txt', 'sub/moved.txt', 'sub/second.txt');
    renameSync(desk.path('new'), desk.path('renamed'));
    await holds('first.txt', 'renamed/deep/fourth.txt', 'sub/moved.txt', 'sub/second.txt');
    rmSync(desk.path('sub'), { recursive: true });
    await holds('first.txt', 'renamed/deep/fourth.txt');
    desk.write({ '.orbweaverignore': 'renamed/\n' });
    await holds('first.txt');
  } finally {
    running.stop();
    assert.equal((await ended).ended, 'stopped');
    await running[Symbol.asyncDispose]();
  }
  assert.deepEqual(await desk.find('cowslip'), ['first.txt']);
});
