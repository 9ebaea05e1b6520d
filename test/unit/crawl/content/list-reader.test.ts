import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSitemapList } from '../../../../src/crawl/content/list-reader.ts';

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
