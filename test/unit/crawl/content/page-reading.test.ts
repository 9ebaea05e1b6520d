import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { DEFAULT_CONVERSION_LIMITS } from '../../../../src/convert/documents/conversion-budget.ts';
import { DocumentConverter } from '../../../../src/crawl/content/document-converter.ts';
import { DocumentDescriber } from '../../../../src/crawl/content/document-describer.ts';
import { openReader, readPage } from '../../../../src/crawl/content/page-reader.ts';
import { PageReading } from '../../../../src/crawl/content/page-reading.ts';
import { defaultUrlOptions } from '../../../../src/url/url-options.ts';

const OPTIONS = { resources: false, maxLinks: 50_000, agent: 'orbweaver', urlOptions: defaultUrlOptions };
/** No busy machine needs longer for these documents. */
const LIMITS = { ...DEFAULT_CONVERSION_LIMITS, maxMs: 600_000 };
/** Small enough for the pages of these tests to be large. */
const MOST_HERE = 2 ** 19;
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
    const { html, ...found } = await new PageReading(reader, converter, OPTIONS, MOST_HERE).read(order, NEVER_LATE);
    const { html: here, ...foundHere } = readPage(reader, order);
    assert.equal(converter.sent, sent);
    // Not deepEqual: to tell in what so large objects differ takes minutes and gigabytes.
    assert.ok(isDeepStrictEqual(found, foundHere));
    assert.deepEqual([found.linkCount, found.outHosts], [2 * links, ['b.test']]);
    assert.equal(found.links.links.urls.split('\n')[0], 'http://a.test/p/0');
    assert.deepEqual({ ...html.page, links: [] }, { ...here.page, links: [] });
    assert.deepEqual({ ...html, page: 0 }, { ...here, page: 0 });
  });

test('a large page that the other thread has no time for is read here, up to a bound', async () => {
  await using converter = new CountingConverter(LIMITS);
  const reader = openReader(OPTIONS);
  const reading = new PageReading(reader, converter, OPTIONS, MOST_HERE);
  const order = orderOf(20_000);
  assert.ok(isDeepStrictEqual(await reading.read(order, 0), readPage(reader, order)));
  const monster = {
    ...order,
    body: Buffer.concat([order.body, Buffer.alloc(2 ** 23, ' '), Buffer.from('<a href="/z">')]),
  };
  const read = await reading.read(monster, 0);
  assert.equal(read.linkCount, 40_000);
  assert.equal(read.unread, monster.body.byteLength - 2 ** 22);
  assert.equal(converter.sent, 2);
});

test('of a page that its reader fails at, only the beginning is read here', async () => {
  const reader = openReader(OPTIONS);
  const order = orderOf(20_000);
  const failing = { read: async () => ({ kind: 'unreadable', why: 'broken', detail: 'its reader ended' }) as const };
  const { unread, ...read } = await new PageReading(reader, failing, OPTIONS, MOST_HERE).read(order, NEVER_LATE);
  assert.ok(isDeepStrictEqual(read, readPage(reader, { ...order, body: order.body.subarray(0, 2 ** 19) })));
  assert.equal(unread, order.body.byteLength - 2 ** 19);
});

test('what a page says is read with its links, but not of a part of it', async () => {
  const describer = new DocumentDescriber({ contentSketch: true, spam: true, headings: true });
  const reader = openReader(OPTIONS, () => describer);
  const failing = { read: async () => ({ kind: 'unreadable', why: 'broken', detail: 'its reader ended' }) as const };
  const reading = new PageReading(reader, failing, OPTIONS, MOST_HERE);
  const { body, url, ...order } = orderOf(10);
  const whole = Buffer.concat([body, Buffer.from(`<h1>A headline</h1><p>${'A sentence of a text. '.repeat(30)}`)]);
  const { html } = await reading.read({ body: whole, url, ...order }, NEVER_LATE);
  assert.ok(html.readers !== undefined);
  const source = html.source as string;
  assert.deepEqual(describer.html(source, url, 20, html.readers), describer.html(source, url, 20));
  const { html: cut } = await reading.read(orderOf(20_000), NEVER_LATE);
  assert.equal(cut.readers, undefined);
});

test('a large page does not wait for a monster', async () => {
  await using converter = new DocumentConverter(LIMITS);
  const looks = { contentSketch: true, spam: true };
  let ended = false;
  const monster = { source: '<p><b>word '.repeat(4_000_000), url: 'http://a.test/', linkCount: 0, looks };
  void converter.describe(monster, NEVER_LATE).then(() => {
    ended = true;
  });
  const reading = new PageReading(openReader(OPTIONS), converter, OPTIONS, MOST_HERE);
  const { linkCount } = await reading.read(orderOf(20_000), NEVER_LATE);
  assert.deepEqual([linkCount, ended], [40_000, false]);
});
