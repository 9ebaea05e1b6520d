import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFeedList, readSitemapList } from '../../../../src/crawl/content/list-reader.ts';

test('a large sitemap is read in pieces: the event loop turns in between', async () => {
  const entries = Array.from(
    { length: 20_000 },
    (_, at) => `<url><loc>http://a.test/a/rather/long/path/${at}</loc></url>`,
  );
  const body = Buffer.from(
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('\n')}</urlset>`,
  );
  let turns = 0;
  let handle = setImmediate(function turn() {
    turns++;
    handle = setImmediate(turn);
  });
  const { links } = await readSitemapList(body, 'http://a.test/sitemap.xml', 'application/xml');
  clearImmediate(handle);
  assert.equal(links.length, 20_000);
  assert.ok(turns >= 4, `${turns} turns for ${body.length} bytes`);
});

test('what a sitemap says of a page travels beside the link, not in its text', async () => {
  const body = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
    <url><loc>http://a.test/a</loc><lastmod>2026-05-04</lastmod><changefreq>weekly</changefreq><priority>0.8</priority></url>
    <url><loc>http://a.test/b</loc></url></urlset>`;
  const { links } = await readSitemapList(Buffer.from(body), 'http://a.test/sitemap.xml', 'application/xml');
  assert.deepEqual(
    links.map(({ text, rel, entry }) => ({ text, rel, entry })),
    [
      { text: '', rel: undefined, entry: { modified: Date.UTC(2026, 4, 4), changeFrequency: 'weekly', priority: 0.8 } },
      { text: '', rel: undefined, entry: undefined },
    ],
  );
});

test('an item of a feed has its title as text, no rel, and its mark and date as a record', () => {
  const item = (title: string) =>
    `<rss version="2.0"><channel><title>News</title><item><title>${title}</title><link>http://a.test/1</link>
     <pubDate>Mon, 04 May 2026 10:00:00 GMT</pubDate></item></channel></rss>`;
  const read = (title: string) => readFeedList(Buffer.from(item(title)), 'http://a.test/feed', 'application/rss+xml');
  const [first] = read('One')?.links ?? [];
  const [other] = read('Two')?.links ?? [];
  assert.deepEqual([first.text, first.rel, first.entry?.modified], ['One', undefined, Date.UTC(2026, 4, 4, 10)]);
  assert.equal(first.entry?.mark, read('One')?.links[0].entry?.mark);
  assert.notEqual(first.entry?.mark, other.entry?.mark);
});
