import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DEFAULT_CONVERSION_LIMITS } from '../../../../src/convert/documents/conversion-budget.ts';
import { ContentExtractor } from '../../../../src/crawl/content/content-extractor.ts';
import { convertToText } from '../../../../src/crawl/content/convert-to-text.ts';
import { DocumentConverter } from '../../../../src/crawl/content/document-converter.ts';
import { DocumentDescriber } from '../../../../src/crawl/content/document-describer.ts';
import { withLinksOf } from '../../../../src/crawl/content/document-links.ts';
import { DocumentReader } from '../../../../src/crawl/content/document-reader.ts';
import type { ExtractedContent } from '../../../../src/crawl/content/extracted-content.ts';
import { resolverOf } from '../../../../src/crawl/content/page-reader.ts';
import { NO_LINKS } from '../../../../src/crawl/workers/packed-links.ts';
import { defaultUrlOptions } from '../../../../src/url/url-options.ts';

const URL = 'http://large.test/';
const ORDER = { isSitemap: false, leaseEndsAt: Number.POSITIVE_INFINITY };
/** No busy machine needs longer for these documents. */
const LIMITS = { ...DEFAULT_CONVERSION_LIMITS, maxMs: 600_000 };

function paragraphs(count: number): string {
  return Array.from(
    { length: count },
    (_, i) => `<p>A sentence of some words, number ${i}, with a comma in it.</p>`,
  ).join('');
}

/** Counts what goes to its thread. */
class CountingConverter extends DocumentConverter {
  sent = 0;

  override describe(...given: Parameters<DocumentConverter['describe']>): ReturnType<DocumentConverter['describe']> {
    this.sent++;
    return super.describe(...given);
  }

  override list(...given: Parameters<DocumentConverter['list']>): ReturnType<DocumentConverter['list']> {
    this.sent++;
    return super.list(...given);
  }
}

/** One for all: its thread takes longer to start than to read most documents. */
const shared = new CountingConverter(LIMITS);
after(() => shared[Symbol.asyncDispose]());

async function extracted(
  body: Buffer,
  type: string,
  order = ORDER,
): Promise<{ readonly result: ExtractedContent | undefined; readonly sent: number }> {
  const before = shared.sent;
  const extractor = new ContentExtractor({ converter: shared, text: true, contentSketch: true, spam: true });
  const result = await extractor.of(new DocumentReader().read(body, URL, type), body, URL, order);
  return { result, sent: shared.sent - before };
}

describe('large documents are read in another thread', () => {
  test('a page: the same is extracted', async () => {
    const body = Buffer.from(`<html><head><title>Large</title></head><body>${paragraphs(20_000)}</body></html>`);
    const { result, sent } = await extracted(body, 'text/html; charset=utf-8');
    const here = new DocumentDescriber({ contentSketch: true, spam: true }).html(body, URL, 0);
    assert.equal(result?.about.title, 'Large');
    assert.equal(result?.textDigest, here.textDigest);
    assert.deepEqual(result?.contentSketch, here.contentSketch);
    assert.equal(sent, 1);
  });

  test('a small page is read at once', async () => {
    const { result, sent } = await extracted(Buffer.from(`<title>Small</title>${paragraphs(20)}`), 'text/html');
    assert.equal(result?.about.title, 'Small');
    assert.equal(sent, 0);
  });

  test('a page that takes too long is kept without its text', async () => {
    await using converter = new DocumentConverter({ ...LIMITS, maxMs: -1999 });
    const extractor = new ContentExtractor({ converter, text: true });
    const body = Buffer.from(paragraphs(60_000));
    const result = await extractor.of(new DocumentReader().read(body, URL, 'text/html'), body, URL, ORDER);
    assert.match(result?.about.unreadable ?? '', /^timeout/);
    assert.equal(result?.text, undefined);
  });

  test('a compressed sitemap', async () => {
    const entries = Array.from({ length: 30_000 }, (_, i) => `<url><loc>${URL}${i}</loc></url>`).join('');
    const body = gzipSync(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`);
    const { result, sent } = await extracted(body, 'application/gzip', { ...ORDER, isSitemap: true });
    assert.equal(result?.links.length, 30_000);
    assert.equal(sent, 1);
  });

  test('a large feed', async () => {
    const items = Array.from(
      { length: 9000 },
      (_, i) => `<item><title>${'t'.repeat(100)}</title><link>/${i}</link></item>`,
    );
    const body = Buffer.from(`<rss version="2.0"><channel><title>Large</title>${items.join('')}</channel></rss>`);
    const { result, sent } = await extracted(body, 'application/rss+xml');
    assert.equal(result?.links.length, 9000);
    assert.equal(sent, 1);
  });

  test('links come packed, the same as they would be made of the list', async () => {
    const entries = Array.from({ length: 30_000 }, (_, i) => `<url><loc>${URL}${i}/../x${i}</loc></url>`).join('');
    const body = Buffer.from(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`);
    const links = { urlOptions: defaultUrlOptions, maxLinks: 25_000 };
    const document = new DocumentReader().read(body, URL, 'text/xml');
    const [packed, listed] = await Promise.all(
      [{ links }, {}].map((more) =>
        new ContentExtractor({ converter: shared, text: true, ...more }).of(document, body, URL, {
          ...ORDER,
          isSitemap: true,
        }),
      ),
    );
    assert.deepEqual([packed?.links.length, listed?.links.length], [0, 30_000]);
    assert.equal(packed?.about.description, listed?.about.description);
    const resolve = resolverOf(defaultUrlOptions)(URL);
    const ofPage = { links: NO_LINKS, omitted: 0 };
    const [here, there] = [listed, packed].map((one) => withLinksOf(one, ofPage, resolve, links.maxLinks));
    assert.deepEqual(there, here);
    assert.deepEqual([here.links.fingerprints.length, here.omitted], [25_000, 5000]);
    const header = [
      { url: `${URL}h`, kind: 'a', text: '', rel: '', nofollow: false, ugc: false, sponsored: false },
    ] as const;
    const [hereMore, thereMore] = [listed, packed].map((one) =>
      withLinksOf(one, { ...ofPage, ofHeader: header }, resolve, links.maxLinks),
    );
    assert.deepEqual(thereMore, hereMore);
  });

  test('a large text is described there, too', async () => {
    const text = Array.from({ length: 30_000 }, (_, i) => `A sentence of some words, number ${i}.`).join('\n');
    const body = Buffer.from(text);
    const { result } = await extracted(body, 'text/plain');
    const converted = await convertToText(body, 'text/plain', URL);
    assert.deepEqual(result, new DocumentDescriber({ contentSketch: true, spam: true }).document(converted));
  });
});

test('once somebody was asked what a page says, the next page is read for its links and for that in one pass', async () => {
  const extractor = new ContentExtractor({ converter: shared, text: true, contentSketch: true, spam: true });
  const reader = new DocumentReader({ describer: () => extractor.describer });
  const body = Buffer.from(`<title>Small</title><a href=/>A link</a>${paragraphs(20)}`);
  const first = reader.read(body, URL, 'text/html');
  assert.equal(first.readers, undefined);
  const said = await extractor.of(first, body, URL, ORDER);
  const second = reader.read(body, URL, 'text/html');
  assert.ok(second.readers !== undefined);
  assert.deepEqual(second.page, first.page);
  assert.deepEqual(await extractor.of(second, body, URL, ORDER), said);
});
