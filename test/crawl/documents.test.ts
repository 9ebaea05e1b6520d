import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { openLinkReader } from '../../src/engines/open-links.ts';
import { FIELDS } from '../../src/index/fields.ts';
import { CrawlReader, type CreateCrawlSettings, createCrawl } from '../../src/index.ts';
import { followCrawl } from '../../src/search/indexing/follow-crawl.ts';
import { openIndexOf } from '../../src/search/indexing/open-index.ts';
import { rebuildIndex } from '../../src/search/indexing/rebuild-index.ts';
import {
  LAUGHING_FEED,
  manyPagesPdf,
  sitemapBomb,
  wordBomb,
  wordDocument,
  XXE_SITEMAP,
} from '../fixtures/hostile-documents.ts';
import { docx, p } from '../unit/convert/documents/office-files.ts';
import { line, makePdf } from '../unit/convert/documents/pdf-maker.ts';
import { temporaryFolder } from './crawl-web.ts';

type Files = Readonly<Record<string, readonly [type: string, body: string | Buffer]>>;

/** Serves files by their path, and a page at / that links to all of them but those that others must lead to. */
async function serve(files: Files): Promise<{ readonly origin: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const links = Object.keys(files)
      .filter((name) => !/^\/(?:from-|hidden|linked)/.test(name))
      .map((name) => `<a href="${name}">${name}</a>`);
    const file = path === '/' ? (['text/html', `<title>All</title>${links.join(' ')}`] as const) : files[path];
    const headers = { 'content-type': file?.[0] ?? 'text/plain', etag: '"1"' };
    if (file !== undefined && request.headers['if-none-match'] === '"1"') {
      response.writeHead(304, { etag: '"1"' }).end();
      return;
    }
    response.writeHead(file === undefined ? 404 : 200, headers);
    response.end(file?.[1] ?? 'not found');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function crawlAll(origin: string, folder: string, limits: Partial<CreateCrawlSettings> = {}): Promise<void> {
  await using crawl = await createCrawl({
    ...{ folder, seeds: [`${origin}/`], delay: 0, allowPrivate: true, workers: 0 },
    // A busy machine is no hostile document.
    documentTime: 300_000,
    ...limits,
  });
  await crawl.run();
}

async function textOf(reader: CrawlReader, url: string): Promise<string | undefined> {
  return reader.textOf(await reader.get(url));
}

async function indexed(folder: string) {
  await using opened = await openIndexOf(folder);
  using snapshot = opened.index.snapshot();
  return Array.from({ length: snapshot.documents }, (_, number) => {
    const { id, title, lengths, facts, anchorSum } = snapshot.document(number);
    return { id, title, lengths: [...lengths], facts, anchorSum };
  }).sort((a, b) => (a.id < b.id ? -1 : 1));
}

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

test('every document of a mixed folder ends with its text stored, and its links are followed', async () => {
  await using web = await serve({
    '/a.docx': [WORD, wordDocument(['Spiders weave at night.'], '/hidden.html')],
    '/b.pdf': ['application/pdf', manyPagesPdf(3)],
    '/c.rtf': ['application/rtf', '{\\rtf1\\ansi A rich spider.\\par}'],
    '/d.md': ['text/markdown', '# Heading\n\nA plain spider with a [link](/linked.html).'],
    '/e.csv': ['text/csv', 'name,legs\nspider,8\nfly,6\n'],
    '/f.txt': ['text/plain', 'A spider without any mark-up.'],
    '/mislabelled': ['application/msword', wordDocument(['A spider in disguise.'])],
    '/page.html': [
      'text/html',
      `<title>P</title><nav>menu</nav><article><p>${'The orb web is a marvel of engineering, and every spider builds a new one before the morning comes. '.repeat(6)}</p></article>`,
    ],
    '/hidden.html': ['text/html', '<p>Only a document links here, with enough words to be worth keeping.</p>'],
    '/linked.html': ['text/html', '<p>Markdown links here, and these are its words.</p>'],
  });
  using folder = temporaryFolder();
  await crawlAll(web.origin, folder.path);
  using reader = new CrawlReader(folder.path);
  const expected: Readonly<Record<string, RegExp>> = {
    '/a.docx': /Spiders weave at night/,
    '/b.pdf': /Every page says the same words/,
    '/c.rtf': /A rich spider/,
    '/d.md': /A plain spider with a link/,
    '/e.csv': /spider.*8/,
    '/f.txt': /without any mark-up/,
    '/mislabelled': /in disguise/,
    '/page.html': /The orb web is a marvel/,
    '/hidden.html': /Only a document links here/,
    '/linked.html': /Markdown links here/,
  };
  for (const [path, words] of Object.entries(expected)) {
    assert.match((await textOf(reader, web.origin + path)) ?? '', words, path);
  }
  assert.doesNotMatch((await textOf(reader, `${web.origin}/page.html`)) ?? '', /menu/);
  const { page } = await reader.explain(`${web.origin}/hidden.html`);
  assert.equal(page?.discovery.from, `${web.origin}/a.docx`);
  assert.equal((await reader.explain(`${web.origin}/page.html`)).page?.facts?.about?.language, 'en');
});

test('headings and links of documents are in the index and the link graph, as a rebuild has them', async () => {
  const pdf = makePdf({
    pages: [line('Silk glands', 70, 700, 30) + line('How spiders make their thread, in a few lines.', 70, 650)],
    objects: ['<< /Type /Annot /Subtype /Link /Rect [70 640 400 665] /A << /S /URI /URI (linked.html) >> >>'],
    page: '/Annots [10 0 R]',
  });
  await using web = await serve({
    '/a.docx': [WORD, Buffer.from(docx(p('Orb webs', '<w:pStyle w:val="Heading1"/>') + p('A text of a few words.')))],
    '/b.pdf': ['application/pdf', Buffer.from(pdf)],
    '/d.md': ['text/markdown', '# Spinnerets\n\nA plain spider with a [way to more](/linked.html).'],
    '/f.txt': ['text/plain', 'A spider without any mark-up.'],
    '/linked.html': ['text/html', '<p>Documents link here, and these are its words.</p>'],
  });
  using folder = temporaryFolder();
  await crawlAll(web.origin, folder.path);
  await followCrawl(folder.path, { mode: 'catch-up' });
  const followed = await indexed(folder.path);
  const words = new Map(followed.map(({ id, lengths }) => [new URL(id).pathname, lengths[FIELDS.indexOf('headings')]]));
  assert.deepEqual(
    ['/a.docx', '/b.pdf', '/d.md', '/f.txt'].map((path) => words.get(path)),
    [2, 2, 1, 0],
    'words of headings',
  );
  const inLinks = async (): Promise<string[]> => {
    using links = openLinkReader(folder.path);
    const found: string[] = [];
    for await (const { from, text } of links.inLinks(`${web.origin}/linked.html`))
      found.push(`${new URL(from).pathname} ${text}`);
    return found.sort();
  };
  const graph = await inLinks();
  assert.equal(graph.length, 2);
  assert.match(graph[0], /^\/b\.pdf How spiders make/);
  assert.equal(graph[1], '/d.md way to more');
  await rebuildIndex(folder.path, systemClock);
  assert.deepEqual(await indexed(folder.path), followed);
  assert.deepEqual(await inLinks(), graph);
  using reader = new CrawlReader(folder.path);
  const answered = await reader.get(`${web.origin}/b.pdf`);
  assert.equal(Buffer.compare(answered.body, pdf), 0, 'the document itself is what was answered');
  assert.match(Buffer.from((await reader.asPage(answered)).body).toString(), /<h\d>Silk glands<\/h\d>/);

  // A visit that finds all as before changes nothing of that.
  await crawlAll(web.origin, folder.path, { again: true });
  await followCrawl(folder.path, { mode: 'catch-up' });
  using later = new CrawlReader(folder.path);
  assert.equal((await later.versions(`${web.origin}/b.pdf`)).length, 2);
  using store = openLinkReader(folder.path);
  for await (const link of store.inLinks(`${web.origin}/linked.html`)) {
    const [seen] = await later.lastSeen([link]);
    assert.ok(seen.at > link.at, 'the link was seen again');
  }
  const again = await later.asPage(await later.get(`${web.origin}/b.pdf`));
  assert.match(Buffer.from(again.body).toString(), /<h\d>Silk glands<\/h\d>/);
  const said = (pages: Awaited<ReturnType<typeof indexed>>) =>
    pages.map(({ id, title, lengths }) => [id, title, lengths]);
  assert.deepEqual(await inLinks(), graph);
  assert.deepEqual(said(await indexed(folder.path)), said(followed));
  await rebuildIndex(folder.path, systemClock);
  assert.deepEqual(await inLinks(), graph);
  assert.deepEqual(said(await indexed(folder.path)), said(followed));
});

test('hostile documents end in a clear outcome, and the crawl goes on', async () => {
  await using web = await serve({
    '/robots.txt': ['text/plain', 'Sitemap: /bomb.xml.gz\nSitemap: /xxe.xml\n'],
    '/bomb.xml.gz': ['application/gzip', sitemapBomb(200_000_000)],
    '/xxe.xml': ['application/xml', XXE_SITEMAP],
    '/laughs.rss': ['application/rss+xml', LAUGHING_FEED],
    '/bomb.docx': [WORD, wordBomb(20_000_000)],
    '/long.pdf': ['application/pdf', manyPagesPdf(2_000)],
    '/broken.pdf': ['application/pdf', '%PDF-1.7\nnothing of the kind'],
    '/from-bomb.html': ['text/html', '<p>A page that only the bomb lists, but it lists it.</p>'],
    '/from-xxe.html': ['text/html', '<p>A page that only the other sitemap lists.</p>'],
    '/from-feed.html': ['text/html', '<p>A page that the feed lists.</p>'],
    '/good.html': ['text/html', '<p>A page like any other, with its few words.</p>'],
  });
  using folder = temporaryFolder();
  await crawlAll(web.origin, folder.path, { documentPages: 200, documentUnpacked: 16 * 2 ** 20 });
  using reader = new CrawlReader(folder.path);
  const about = async (path: string) => (await reader.explain(web.origin + path)).page?.facts?.about;
  assert.match((await about('/bomb.docx'))?.unreadable ?? '', /^too-large/);
  assert.match((await about('/broken.pdf'))?.unreadable ?? '', /^broken/);
  assert.equal((await about('/long.pdf'))?.cut, 'pages');
  assert.equal((await about('/bomb.xml.gz'))?.cut, 'size');
  assert.match((await about('/xxe.xml'))?.description ?? '', /^sitemap \(xml\)/);
  assert.match((await about('/laughs.rss'))?.description ?? '', /^feed/);
  assert.ok(((await about('/laughs.rss'))?.title ?? '').length < 100, 'no entity was expanded');
  for (const path of ['/from-bomb.html', '/from-xxe.html', '/from-feed.html', '/good.html']) {
    assert.ok((await about(path)) !== undefined, path);
  }
  assert.equal((await reader.explain(`${web.origin}/from-xxe.html`)).page?.discovery.how, 'sitemap');
});
