import { parseFeedDate } from '../../../src/extract/feed/parse-feed-date.ts';
import { readFeed } from '../../../src/extract/feed/read-feed.ts';
import type { SitemapEntry, SitemapReference } from '../../../src/extract/sitemap/sitemap-entry.ts';
import { SitemapReader } from '../../../src/extract/sitemap/sitemap-reader.ts';
import { type FuzzTarget, promise, same, textOf } from '../target.ts';

const XML =
  '<?xml version="1.0" encoding="utf-8"?> <?xml encoding="utf-16"?> <!DOCTYPE <!DOCTYPE a [<!ENTITY b "c">]> &b; &amp; &lt; &#10; &#x0; &# ' +
  '&; <![CDATA[ ]]> <!-- --> <? ?> < > /> </ xmlns= xmlns:a= "x" \' = http://www.sitemaps.org/schemas/sitemap/0.9 http://www.w3.org/2005/Atom';
const URL_OF_SITEMAP = 'https://example.com/sitemap.xml';

function readSitemap(
  input: Uint8Array,
  piece: number,
): { entries: SitemapEntry[]; sitemaps: SitemapReference[]; outcome: unknown } {
  const entries: SitemapEntry[] = [];
  const sitemaps: SitemapReference[] = [];
  const reader = new SitemapReader({
    url: URL_OF_SITEMAP,
    onEntries: (batch) => entries.push(...batch),
    onSitemaps: (batch) => sitemaps.push(...batch),
  });
  for (let at = 0; at < input.length; at += piece) if (!reader.push(input.subarray(at, at + piece))) break;
  // How much was read before nothing more was wanted, and which of several faults was met first, depends on the pieces.
  const end = reader.end();
  const { bytes: _, fault: __, ...outcome } = { fault: undefined, ...end };
  return { outcome, entries, sitemaps };
}

export const sitemapTarget: FuzzTarget = {
  name: 'sitemap',
  samples: [
    '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/a</loc>' +
      '<lastmod>2026-05-04T10:00:00Z</lastmod><changefreq>daily</changefreq><priority>0.5</priority></url></urlset>',
    '<sitemapindex><sitemap><loc>/s1.xml</loc></sitemap></sitemapindex>',
    'https://example.com/1\nhttps://example.com/2\n',
    '<rss><channel><item><link>https://example.com/i</link><pubDate>Mon, 04 May 2026 10:00:00 GMT</pubDate></item></channel></rss>',
  ],
  pieces: [
    ...XML.split(' '),
    ...'<urlset> </urlset> <url> </url> <loc> </loc> <lastmod> <priority> <changefreq> <sitemapindex> <sitemap> <image:image> <image:loc> <video:video> <xhtml:link rel="alternate" hreflang="de" href= <rss> <item> <link> <feed> <entry> https://example.com/a /b \n 2026-05-04'.split(
      ' ',
    ),
  ],
  corpora: ['sitemaps/crawler-commons.jsonl'],
  run(input) {
    const whole = readSitemap(input, input.length + 1);
    same(readSitemap(input, 7), whole, 'a sitemap in pieces is the same sitemap');
    promise(whole.entries.length + whole.sitemaps.length <= input.length + 1, 'no more entries than bytes');
    for (const { url } of whole.entries) promise(URL.canParse(url), 'addresses are absolute', () => url);
  },
};

export const feedTarget: FuzzTarget = {
  name: 'feed',
  samples: [
    '<rss version="2.0"><channel><title>T</title><link>/</link><ttl>60</ttl><item><title>I</title><guid>1</guid><pubDate>Mon, 04 May 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;x</description></item></channel></rss>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/b/"><title type="html">&lt;b&gt;</title><link rel="hub" href="/hub"/><entry><id>i</id><updated>2026-05-04T10:00:00Z</updated><link href="e"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><a href="x">y</a></div></content></entry></feed>',
    '{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1","url":"/j","date_published":"2026-05-04T10:00:00Z"}]}',
    '<rdf:RDF xmlns:rdf="r"><channel><sy:updatePeriod>hourly</sy:updatePeriod></channel><item><dc:date>2026</dc:date></item></rdf:RDF>',
  ],
  pieces: [
    ...XML.split(' '),
    ...'<rss> <channel> </channel> <item> </item> <title> </title> <link> <guid isPermaLink="false"> <pubDate> <description> <content:encoded> <feed> <entry> <id> <updated> <author> <name> <skipHours> <hour> <skipDays> <ttl> <cloud xml:base="/" xml:lang="de" type="xhtml" type="html" <div> {"version":"https://jsonfeed.org/version/1" "items":[ {"id": } ] , null 5 \\u0000 "url":'.split(
      ' ',
    ),
  ],
  corpora: ['feeds/feedparser.jsonl'],
  run(input) {
    const outcome = readFeed(input, { url: 'https://example.com/feed' });
    same(readFeed(input, { url: 'https://example.com/feed' }), outcome, 'a feed is read the same twice');
    const size = JSON.stringify(outcome).length;
    promise(size <= input.length * 64 + 4_096, 'what a feed yields is bounded', () => size);
  },
};

const DATE_PIECES =
  'Mon, Tuesday 04 4 May Mai mayo 五月 2026 26 1970 99999 00:00:00 24:00 10:30 am PM GMT UTC +0200 -1200 Z T - / . : , 年 月 日 오후 Δευ Ιουν pią środa 0 -1 12 31 13 32 W22-1 2026-143 th of';

export const feedDateTarget: FuzzTarget = {
  name: 'feed-date',
  samples: [
    'Mon, 04 May 2026 10:00:00 GMT',
    '2026-05-04T10:00:00.123+02:00',
    '2026-W22-1',
    '2004년 5월 28일  오후 11:31:25',
  ],
  pieces: [...DATE_PIECES.split(' '), ' '],
  corpora: ['feeds/dates.jsonl'],
  maxLength: 128,
  run(input) {
    const text = textOf(input);
    const date = parseFeedDate(text);
    promise(date === undefined || Number.isFinite(date), 'a date is a time or none', () => [text, date]);
    promise(date === undefined || Math.abs(date) <= 8.64e15, 'a date is one that Date can show', () => [text, date]);
  },
};
