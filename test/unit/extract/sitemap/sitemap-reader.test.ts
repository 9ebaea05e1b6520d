import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { readSitemap } from '../../../../src/extract/sitemap/read-sitemap.ts';
import type { SitemapEntry, SitemapOutcome, SitemapReference } from '../../../../src/extract/sitemap/sitemap-entry.ts';
import { defaultSitemapLimits, type SitemapOptions } from '../../../../src/extract/sitemap/sitemap-options.ts';
import { SitemapReader } from '../../../../src/extract/sitemap/sitemap-reader.ts';
import { expectedOf, readCase } from '../../../../tools/score-sitemaps.ts';
import { corpus, skipWithout } from '../../../corpora.ts';

interface Reading {
  readonly outcome: SitemapOutcome;
  readonly entries: SitemapEntry[];
  readonly sitemaps: SitemapReference[];
}

function read(pieces: readonly (Uint8Array | string)[], options: Partial<SitemapOptions> = {}): Reading {
  const entries: SitemapEntry[] = [];
  const sitemaps: SitemapReference[] = [];
  const reader = new SitemapReader({
    url: 'https://example.com/sitemap.xml',
    onEntries: (batch) => entries.push(...batch),
    onSitemaps: (batch) => sitemaps.push(...batch),
    ...options,
  });
  for (const piece of pieces) if (!reader.push(typeof piece === 'string' ? Buffer.from(piece) : piece)) break;
  return { outcome: reader.end(), entries, sitemaps };
}

const namespaces =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" ' +
  'xmlns:video="http://www.google.com/schemas/sitemap-video/1.1" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" ' +
  'xmlns:xhtml="http://www.w3.org/1999/xhtml"';

const full = `<?xml version="1.0"?><urlset ${namespaces}>
  <url><loc> https://example.com/a?x=1&amp;y=2#f </loc><lastmod>2024-03-01</lastmod><changefreq>Daily</changefreq><priority>0.8</priority>
    <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/a"/>
    <image:image><image:loc>/i.png</image:loc><image:title>I</image:title></image:image>
    <video:video><video:title>V</video:title><video:content_loc>https://example.com/v.mp4</video:content_loc></video:video>
    <news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication><news:title>T</news:title></news:news>
  </url>
  <url><loc>https://example.com/b</loc><priority>7</priority><changefreq>often</changefreq><lastmod>soon</lastmod></url>
</urlset>`;

describe('SitemapReader', () => {
  test('reads url sets with their extensions', () => {
    const { outcome, entries } = read([full], { strictNamespace: true, strictSyntax: true });
    assert.equal(outcome.kind, 'read');
    assert.deepEqual(entries, [
      {
        url: 'https://example.com/a?x=1&y=2',
        lastModified: Date.UTC(2024, 2, 1),
        changeFrequency: 'daily',
        priority: 0.8,
        alternates: [{ hreflang: 'de', url: 'https://example.com/de/a' }],
        images: [{ url: 'https://example.com/i.png', title: 'I' }],
        videos: [{ title: 'V', content: 'https://example.com/v.mp4' }],
        news: { publication: 'N', language: 'en', title: 'T' },
      },
      { url: 'https://example.com/b' },
    ]);
  });

  test('image:loc is no loc, with or without declared namespaces', () => {
    const { entries } = read([
      '<urlset><url><image:image><image:loc>/i</image:loc></image:image><loc>/p</loc></url></urlset>',
    ]);
    assert.deepEqual(entries, [{ url: 'https://example.com/p', images: [{ url: 'https://example.com/i' }] }]);
  });

  test('an entity of a DTD is neither read nor an address', () => {
    const xxe =
      '<!DOCTYPE u [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>http://h/&x;</loc></url><url><loc>/b</loc></url></urlset>';
    const { outcome, entries } = read([xxe]);
    assert.deepEqual(entries, [{ url: 'https://example.com/b' }]);
    assert.equal(outcome.kind === 'read' && outcome.unexpandedEntities, 1);
  });

  test("the rule of the folder is the protocol's", () => {
    const text = 'https://example.com/shop/a\nhttps://example.com/b\nhttps://other.example/shop/c\n';
    const { outcome, entries } = read([text], { url: 'https://example.com/shop/sitemap.txt', strictLocation: true });
    assert.deepEqual(entries, [{ url: 'https://example.com/shop/a' }]);
    assert.equal(outcome.kind === 'read' && outcome.skipped.location, 2);
  });

  test('entries past the limit are counted, bytes past the limit are not read', () => {
    const few = read([full], { limits: { ...defaultSitemapLimits, maxEntries: 1 } });
    assert.equal(few.entries.length, 1);
    assert.ok(few.outcome.kind === 'read' && few.outcome.cut === 'entries' && few.outcome.skipped.limit === 1);
    const short = read([full], { limits: { ...defaultSitemapLimits, maxBytes: full.indexOf('/b</loc>') } });
    assert.equal(short.entries.length, 1);
    assert.ok(short.outcome.kind === 'read' && short.outcome.cut === 'bytes');
  });

  test('a gzip bomb ends early', () => {
    const zeros = gzipSync(Buffer.alloc(30_000_000, 0x20));
    const limits = { ...defaultSitemapLimits, maxBytes: 10_000_000 };
    let pushed = 0;
    const reader = new SitemapReader({
      url: 'https://example.com/',
      limits,
      onEntries: () => {},
      onSitemaps: () => {},
    });
    for (let at = 0; at < zeros.length; at += 1_000) {
      pushed++;
      if (!reader.push(zeros.subarray(at, at + 1_000))) break;
    }
    assert.ok(pushed < zeros.length / 1_000, 'it was not read to its end');
    const outcome = reader.end();
    assert.equal(outcome.bytes, 10_000_000, JSON.stringify(outcome));
  });

  test('what is no sitemap is said to be none', () => {
    const why = (text: string | Uint8Array, options?: Partial<SitemapOptions>): unknown => {
      const { outcome } = read([text], options);
      return outcome.kind === 'unreadable' && outcome.why;
    };
    assert.equal(why(''), 'empty');
    assert.equal(why(' \n'), 'empty');
    assert.equal(why('<!doctype html><html><body>Not found</body></html>'), 'unknown-format');
    assert.equal(why('Not found'), 'unknown-format');
    // Whoever hands over pieces stops after the first root.
    const { outcome } = read(['<html></html><other/>']);
    assert.equal(outcome.kind === 'unreadable' && outcome.detail, 'the root element is <html>');
    assert.equal(why('<urlset xmlns="http://x"/>', { strictNamespace: true }), 'wrong-namespace');
    assert.equal(why('<urlset><url></urlset>', { strictSyntax: true }), 'broken');
    assert.equal(why(Buffer.from([0x1f, 0x8b, 1, 2, 3, 4])), 'broken');
  });

  test('reads in batches through the generator', async () => {
    const source = ['<urlset>', ...Array.from({ length: 7 }, (_, n) => `<url><loc>/${n}</loc></url>`), '</urlset>'];
    const generator = readSitemap(
      source.map((piece) => Buffer.from(piece.padEnd(1_100))),
      {
        url: 'https://example.com/s.xml',
        batchSize: 2,
      },
    );
    let entries = 0;
    for (;;) {
      const step = await generator.next();
      if (step.done) {
        assert.ok(step.value.kind === 'read' && step.value.entries === 7);
        break;
      }
      assert.ok(step.value.entries.length <= 3);
      entries += step.value.entries.length;
    }
    assert.equal(entries, 7);
  });

  test('how the bytes are cut makes no difference, and no bytes throw', () => {
    const documents = [
      full,
      full.slice(0, 700),
      'http://example.com/a\r\nwww.example.com/b\n\nhttps://example.com/ü',
      '<rss><item><link>/é</link><pubDate>2 Jan 2020</pubDate></item>',
    ];
    const bodies = documents.flatMap((text) => [
      Buffer.from(text),
      gzipSync(text),
      Buffer.from(`\ufeff${text}`, 'utf16le'),
    ]);
    const anyBody = fc.oneof(
      fc.constantFrom(...bodies),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    );
    fc.assert(
      fc.property(anyBody, fc.nat(3_000), fc.array(fc.nat(3_000), { maxLength: 6 }), (body, end, cuts) => {
        const bytes = end % 2 === 0 ? body : body.subarray(0, end);
        const places = [0, bytes.length, ...cuts.map((cut) => Math.min(cut, bytes.length))].sort((a, b) => a - b);
        const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
        assert.deepEqual(read(pieces), read([bytes]));
      }),
      { numRuns: 300 },
    );
  });

  test('the recorded sitemaps read as expected', { skip: skipWithout('sitemaps') }, () => {
    const lines = readFileSync(join(corpus('sitemaps')!, 'crawler-commons.jsonl'), 'utf8')
      .trim()
      .split('\n');
    for (const line of lines) {
      const given = JSON.parse(line);
      assert.deepEqual(readCase(given), expectedOf(given), given.source);
    }
    assert.ok(lines.length > 50);
  });
});
