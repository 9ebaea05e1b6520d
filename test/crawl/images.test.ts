import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { SearchAnswer } from '../../src/contracts/search-service.ts';
import { createAnalyzer } from '../../src/index/analysis/analyzer.ts';
import { openSegmentIndex } from '../../src/index/segment-index.ts';
import { createCrawl, updateIndex } from '../../src/index.ts';
import { followCrawl } from '../../src/search/indexing/follow-crawl.ts';
import { openSearcher } from '../../src/search/open-searcher.ts';
import { callProgram } from '../called-program.ts';
import { temporaryFolder } from './crawl-web.ts';

const LINKS = ['/web', '/garden', '/c', '/d', '/e', '/hidden', '/private', '/mute', '/copy'];
const frame = (title: string, content: string): string =>
  `<title>${title}</title><main><h1>${title}</h1>${content}
  <nav>${LINKS.map((link) => `<a href=${link}>${link}</a>`).join(' ')}</nav><img src=/banner.jpg alt="Spring banner"></main>`;

const PAGES: Readonly<Record<string, string>> = {
  '/': frame('Home', '<p>Gardens, tools and seeds.</p>'),
  '/web': frame(
    'Webs of the garden',
    `<p>They are spun at night.</p><figure><img src=/pictures/web.jpg alt="An orb web" width=640 height=480>
    <figcaption>Dew on silk</figcaption></figure><video src=/films/spin.mp4 title="A spider spins"></video>`,
  ),
  '/garden': frame(
    'Beds',
    '<p>Roses and quorblax.</p><img src=/pictures/rose.png alt="A red rose"><img src=/pictures/web.jpg alt=web>',
  ),
  '/c': frame('Cee', '<p>Nothing.</p>'),
  '/d': frame('Dee', '<p>Nothing else.</p>'),
  '/e': frame('Eee', '<p>Nothing at all.</p>'),
  '/hidden': frame('Hidden', '<meta name=robots content=noindex><img src=/pictures/hidden.jpg alt="A hidden orb web">'),
  '/private': frame(
    'Private',
    '<meta name=robots content=noimageindex><img src=/pictures/own.jpg alt="An own orb web">',
  ),
  '/mute': frame(
    'Mute',
    '<meta name=robots content=nosnippet><p>Secretwords around.</p><img src=/pictures/mute.jpg alt="A mute swan">',
  ),
};
const SITEMAP = (
  origin: string,
): string => `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
  xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:video="http://www.google.com/schemas/sitemap-video/1.1">
  <url><loc>${origin}/garden</loc><image:image><image:loc>${origin}/pictures/tulip.jpg</image:loc><image:title>Tulips in May</image:title></image:image>
  <video:video><video:title>Mowing</video:title><video:content_loc>${origin}/films/mow.mp4</video:content_loc></video:video></url>
  <url><loc>${origin}/hidden</loc><image:image><image:loc>${origin}/pictures/secret.jpg</image:loc><image:title>A secret tulip</image:title></image:image></url>
  </urlset>`;

describe('pictures as documents', () => {
  const asked: string[] = [];
  let origin = '';
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const page = PAGES[url];
    if (url === '/robots.txt') response.end(`Sitemap: ${origin}/sitemap.xml`);
    else if (url === '/sitemap.xml') response.setHeader('content-type', 'application/xml').end(SITEMAP(origin));
    else if (page === undefined) response.writeHead(404).end();
    else response.setHeader('content-type', 'text/html').end(page);
  });
  const folder = temporaryFolder();
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const quick = { delay: 0, delayFactor: 0, workers: 0, softNotFound: false, storeNoindex: true } as const;
    await using run = await createCrawl({
      ...{ folder: folder.path, seeds: [`${origin}/`], allowPrivate: true, ...quick },
    });
    await run.run();
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    folder[Symbol.dispose]();
  });

  async function search(query: string): Promise<SearchAnswer> {
    await using searcher = await openSearcher(folder.path);
    return await searcher.search({ query, facets: true });
  }
  const found = async (query: string): Promise<string[]> =>
    (await search(query)).hits.map(({ id }) => new URL(id).pathname).sort();

  test('without the setting nothing is described, and a query for pictures says how they are', async () => {
    await followCrawl(folder.path, { mode: 'catch-up' });
    assert.ok(!existsSync(join(folder.path, 'index/media')));
    const answer = await search('web type:image');
    assert.deepEqual(answer.hits, []);
    assert.match(answer.notes.join(' '), /--images/);
  });

  test('they are found by what pages and sitemaps say of them, and asked for by nobody', async () => {
    const pages = await found('web');
    const before = asked.length;
    await updateIndex(folder.path, { images: true });
    const [hit, ...others] = (await search('orb web type:image')).hits;
    assert.deepEqual(others, []);
    assert.equal(hit.url, `${origin}/pictures/web.jpg`);
    assert.deepEqual(hit.shownOn, { url: `${origin}/web`, title: 'Webs of the garden', width: 640, height: 480 });
    assert.equal(hit.title.map(({ text }) => text).join(''), 'An orb web');
    assert.match(hit.snippet.map(({ text }) => text).join(''), /Dew on silk/);
    assert.deepEqual(await found('quorblax type:image'), ['/pictures/rose.png']);
    assert.deepEqual(await found('dew filetype:jpg'), ['/pictures/web.jpg']);
    assert.deepEqual(await found('type:video'), ['/films/mow.mp4', '/films/spin.mp4']);
    assert.deepEqual(await found('spider type:videos'), ['/films/spin.mp4']);
    assert.deepEqual(await found('tulip type:image'), ['/pictures/tulip.jpg'], 'not that of a page that hides');
    // The banner stands on most pages; hidden.jpg and own.jpg are not to be found.
    assert.deepEqual(await found('type:image'), [
      ...['/pictures/mute.jpg', '/pictures/rose.png', '/pictures/tulip.jpg', '/pictures/web.jpg'],
    ]);
    assert.deepEqual(await found('secretwords type:image'), []);
    assert.deepEqual(await found('web'), pages, 'pages are found as before');
    assert.equal(asked.length, before, 'nothing was requested');
  });

  test('a second run changes nothing, and deleting the folder loses nothing', async () => {
    const before = await search('type:image');
    const answerOf = ({ ms: _ms, ...answer }: SearchAnswer): Omit<SearchAnswer, 'ms'> => answer;
    await followCrawl(folder.path, { mode: 'catch-up' });
    assert.deepEqual(answerOf(await search('type:image')), answerOf(before));

    // Cut off between the commit of the index and that of the store, after which the page that showed a picture has gone.
    {
      const analyze = createAnalyzer().analyze;
      await using index = await openSegmentIndex({ folder: join(folder.path, 'index/media'), analyze });
      const facts = {
        host: 'x',
        mediaType: 'image/png',
        language: '',
        date: 0,
        fetchedAt: 1,
        cluster: 0,
        spam: 0,
        rank: 0,
      };
      const texts = { title: 'Lost web', headings: '', body: '', description: '', anchors: [] };
      index.add({ id: `${origin}/pictures/lost.png`, ...texts, facts });
      await index.commit({ archive: {} });
    }
    assert.equal((await search('type:image')).total, before.total + 1);
    await followCrawl(folder.path, { mode: 'catch-up' });
    assert.deepEqual(answerOf(await search('type:image')), answerOf(before));

    rmSync(join(folder.path, 'index/media'), { recursive: true });
    const { status, stdout, stderr } = await callProgram(['index', '--images', '--dir', folder.path]);
    assert.equal(status, 0, stdout + stderr);
    assert.deepEqual(answerOf(await search('type:image')), answerOf(before));
    const shown = await callProgram(['search', 'orb web type:image', '--dir', folder.path]);
    assert.match(shown.stdout, /1 result.*\n\n 1\. An orb web\n.*web\.jpg\n.*\n +on Webs of the garden ‹http.*\/web›/);
  });

  test('what is forgotten leaves with its pictures, down to the files', async () => {
    const place = join(folder.path, 'index/media');
    const saying = (): string[] =>
      readdirSync(place).filter((file) => readFileSync(join(place, file)).includes('Dew on silk'));
    assert.notDeepEqual(saying(), []);
    const { status, stderr } = await callProgram(['forget', `${origin}/web`, '--yes', '--dir', folder.path]);
    assert.equal(status, 0, stderr);
    assert.deepEqual(saying(), []);
    assert.deepEqual(await found('dew type:image'), []);
    assert.deepEqual(await found('type:video'), ['/films/mow.mp4']);
    const [web] = (await search('web type:image')).hits;
    assert.equal(web.shownOn?.url, `${origin}/garden`, 'another page still shows it');
  });
});
