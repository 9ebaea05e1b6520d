import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { DEFAULT_CONVERSION_LIMITS } from '../../../src/convert/documents/conversion-budget.ts';
import { DocumentConverter } from '../../../src/crawl/document-converter.ts';
import { openReader, readPage } from '../../../src/crawl/page-reader.ts';
import { PageReading } from '../../../src/crawl/page-reading.ts';
import { defaultUrlOptions } from '../../../src/url/url-options.ts';

const OPTIONS = { resources: false, maxLinks: 50_000, agent: 'orbweaver', urlOptions: defaultUrlOptions };
/** No busy machine needs longer for these documents. */
const LIMITS = { ...DEFAULT_CONVERSION_LIMITS, maxMs: 600_000 };
const NEVER_LATE = Number.POSITIVE_INFINITY;

function orderOf(links: number) {
  const anchors = Array.from(
    { length: links },
    (_, at) => `<a href="../p/${at}">Übung ${at}</a><a href="//b.test/">b</a>`,
  );
  const body = Buffer.from(`<title>Large</title><meta name=robots content=noarchive>${anchors.join('')}`, 'latin1');
  const url = 'http://a.test/dir/' as CanonicalUrl;
  return { body, url, contentType: 'text/html; charset=iso-8859-1', wantsText: true };
}

class CountingConverter extends DocumentConverter {
  sent = 0;

  override read(...given: Parameters<DocumentConverter['read']>): ReturnType<DocumentConverter['read']> {
    this.sent++;
    return super.read(...given);
  }
}

for (const [size, links, sent] of [
  ['small', 10, 0],
  ['large', 20_000, 1],
] as const)
  test(`a ${size} page is read ${sent === 0 ? 'at once' : 'in another thread'}, and the same is found`, async () => {
    await using converter = new CountingConverter(LIMITS);
    const reader = openReader(OPTIONS);
    const order = orderOf(links);
    const { html, ...found } = await new PageReading(reader, converter, OPTIONS).read(order, NEVER_LATE);
    const { html: here, ...foundHere } = readPage(reader, order);
    assert.equal(converter.sent, sent);
    assert.deepEqual(found, foundHere);
    assert.deepEqual([found.linkCount, found.outHosts], [2 * links, ['b.test']]);
    assert.equal(found.links.links.urls.split('\n')[0], 'http://a.test/p/0');
    assert.deepEqual({ ...html.page, links: [] }, { ...here.page, links: [] });
    assert.deepEqual({ ...html, page: 0 }, { ...here, page: 0 });
  });

test('a large page that the other thread has no time for is read all the same', async () => {
  await using converter = new CountingConverter(LIMITS);
  const reading = new PageReading(openReader(OPTIONS), converter, OPTIONS);
  const { linkCount } = await reading.read(orderOf(20_000), 0);
  assert.deepEqual([linkCount, converter.sent], [40_000, 1]);
});
