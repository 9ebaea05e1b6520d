import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { CrawlReader, createCrawl } from '../../src/index.ts';
import { followCrawl } from '../../src/search/indexing/follow-crawl.ts';
import { openSearcher } from '../../src/search/open-searcher.ts';
import { CrawlFolderReader } from '../../src/web/crawl-folder-reader.ts';
import { serve } from '../unit/web/serving.ts';
import { temporaryFolder } from './crawl-web.ts';

const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
const SCRIPT = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const FILES: Readonly<Record<string, { readonly type: string; readonly body: string | Buffer }>> = {
  '/': {
    type: 'text/html',
    body: `<title>Webs</title><main><h1>Webs</h1><img src=/web.jpg alt="An orb web"><img src=/liar.png alt="A web that is none">
      <img src=/chart.svg alt="A chart of webs"><img src=/gone.png alt="A lost web"><img src=/closed.jpg alt="A closed web">
      <img src="http://elsewhere.example/far.jpg" alt="A far web"><img src=/spacer.gif alt=x><img src=/pixel.gif width=1 height=1>
      <a href=/linked.jpg>a picture</a><script src=/program.js></script><link rel=stylesheet href=/style.css></main>`,
  },
  '/web.jpg': { type: 'image/jpeg', body: JPEG },
  '/linked.jpg': { type: 'image/jpeg', body: JPEG },
  '/liar.png': { type: 'image/png', body: '<html><script>alert(1)</script></html>' },
  '/chart.svg': { type: 'image/svg+xml', body: SCRIPT },
  '/closed.jpg': { type: 'image/jpeg', body: JPEG },
  '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /closed.jpg' },
};

describe('pictures that are fetched', () => {
  let asked: string[] = [];
  let origin = '';
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const file = FILES[url];
    if (file === undefined) return response.writeHead(404).end();
    return response.setHeader('content-type', file.type).end(file.body);
  });
  const folder = temporaryFolder();
  const crawl = async (path: string, images: 'off' | 'describe' | 'fetch'): Promise<string[]> => {
    asked = [];
    const quick = { delay: 0, delayFactor: 0, workers: 0, softNotFound: false, sitemaps: 'off' } as const;
    await using run = await createCrawl({
      ...{ folder: path, seeds: [`${origin}/`], allowPrivate: true, ...quick, images },
    });
    await run.run();
    return asked.filter((url) => url !== '/robots.txt').sort();
  };
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
    folder[Symbol.dispose]();
  });

  test('those of the content of pages are, by the rules for any URL; nothing else that pages are made of', async () => {
    for (const images of ['off', 'describe'] as const) {
      using other = temporaryFolder();
      assert.deepEqual(await crawl(other.path, images), ['/'], images);
    }
    assert.deepEqual(await crawl(folder.path, 'fetch'), ['/', '/chart.svg', '/gone.png', '/liar.png', '/web.jpg']);
  });

  test('the search page shows them from the archive, as pictures alone', async () => {
    await followCrawl(folder.path, { mode: 'catch-up', media: true });
    await using search = await openSearcher(folder.path);
    using reader = new CrawlReader(folder.path);
    await using app = await serve({ search, reader: new CrawlFolderReader(reader) });
    const { text } = await app.get('/search?q=web+type%3Aimage');
    const shown = [...text.matchAll(/<img src="([^"]+)"/g)].map(([, link]) => link.replaceAll('&amp;', '&'));
    const fileOf = (link: string): string => new URL(new URL(link, origin).searchParams.get('url') ?? '').pathname;
    assert.deepEqual(shown.map(fileOf).sort(), ['/liar.png', '/web.jpg'], 'what is held, and no SVG');
    assert.doesNotMatch(text, /gone\.png/, 'what is gone is not found');
    assert.match(text, /closed\.jpg/, 'what robots.txt closes is known by its page alone');
    assert.match(text, /On the page <\/span><a href="http:\/\/127/);
    for (const link of shown) {
      const { status, headers, bytes } = await app.get(link);
      assert.equal(status, 200);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/);
      const isPicture = fileOf(link) === '/web.jpg';
      assert.equal(headers['content-type'], isPicture ? 'image/jpeg' : 'application/octet-stream', link);
      if (isPicture) assert.deepEqual(bytes, JPEG);
    }
    const svg = await app.get(`/cached?url=${encodeURIComponent(`${origin}/chart.svg`)}&as=file`);
    assert.equal(svg.headers['content-type'], 'application/octet-stream');
    assert.match(String(svg.headers['content-disposition']), /^attachment/);
  });
});
