import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Feed } from '../../../../src/extract/feed/feed.ts';
import { defaultFeedLimits, type FeedOptions } from '../../../../src/extract/feed/feed-options.ts';
import { readFeed } from '../../../../src/extract/feed/read-feed.ts';
import { type FeedCase, judge, viewOf } from '../../../../tools/score-feeds.ts';
import { corpus, skipWithout } from '../../../corpora.ts';

function feedOf(text: string, options: FeedOptions = {}): Feed {
  const outcome = readFeed(Buffer.from(text), options);
  assert.ok(outcome.kind === 'read', JSON.stringify(outcome));
  return outcome.feed;
}

const rss = `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:sy="http://purl.org/rss/1.0/modules/syndication/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>A &amp; B</title><link>https://example.com/</link><description>About</description><language>en-gb</language>
<atom:link rel="self" href="/feed"/><atom:link rel="hub" href="https://hub.example/"/><atom:link rel="next" href="/feed?page=2"/>
<ttl>60</ttl><sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>
<skipHours><hour>24</hour><hour>3</hour></skipHours><skipDays><day>Sunday</day></skipDays>
<item><title>One</title><guid>https://example.com/1</guid><pubDate>Thu, 01 Jan 2004 19:48:21 GMT</pubDate><dc:creator>Ann</dc:creator>
<category domain="d">news</category><enclosure url="/a.mp3" length="3" type="audio/mpeg"/><description>Short</description>
<content:encoded><![CDATA[<p><a href="/x?a=1&amp;b=2">x</a></p>]]></content:encoded></item>
<item><title>Two</title><link>two.html</link><guid isPermaLink="false">2</guid></item>
</channel></rss>`;

const atom = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de" xml:base="https://example.com/blog/"><title type="html">&lt;b&gt;T&lt;/b&gt;</title>
<id>urn:x</id><updated>2004-01-01T00:00:00Z</updated><link href="./"/><link rel="self" href="feed.atom"/>
<entry xml:base="2004/"><id>urn:1</id><title>E</title><link href="one"/><link rel="enclosure" href="e.mp3" type="audio/mpeg"/>
<author><name>Bo</name><email>bo@example.com</email><uri>/bo</uri></author><category term="t" label="L"/>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Hi <a href="y">y</a><br/></div></content>
<source><title>S</title><id>urn:s</id></source></entry></feed>`;

describe('readFeed', () => {
  test('RSS 2.0 with its modules', () => {
    const feed = feedOf(rss, { url: 'https://example.com/feed' });
    assert.equal(feed.format, 'rss-2.0');
    assert.deepEqual(feed.problems, []);
    assert.equal(feed.title?.value, 'A & B');
    assert.equal(feed.link, 'https://example.com/');
    assert.equal(feed.self, 'https://example.com/feed');
    assert.deepEqual(feed.hubs, ['https://hub.example/']);
    assert.equal(feed.next, 'https://example.com/feed?page=2');
    assert.equal(feed.ttlMinutes, 60);
    assert.equal(feed.updateSeconds, 43_200);
    assert.deepEqual(feed.skipHours, [0, 3]);
    assert.deepEqual(feed.skipDays, ['Sunday']);
    const [one, two] = feed.entries;
    assert.equal(one.link, 'https://example.com/1');
    assert.ok(one.idIsLink);
    assert.equal(one.published?.at, Date.UTC(2004, 0, 1, 19, 48, 21));
    assert.deepEqual(one.authors, [{ name: 'Ann' }]);
    assert.deepEqual(one.categories, [{ term: 'news', scheme: 'd' }]);
    assert.deepEqual(one.enclosures, [{ url: 'https://example.com/a.mp3', type: 'audio/mpeg', length: '3' }]);
    assert.equal(one.summary?.value, 'Short');
    assert.equal(one.content[0].value, '<p><a href="https://example.com/x?a=1&amp;b=2">x</a></p>');
    assert.equal(two.link, 'https://example.com/two.html');
    assert.equal(two.id, '2');
    assert.equal(two.idIsLink, false);
  });

  test('Atom 1.0 with bases, languages and sources', () => {
    const feed = feedOf(atom);
    assert.equal(feed.format, 'atom-1.0');
    assert.equal(feed.language, 'de');
    assert.deepEqual(feed.title, {
      value: '<b>T</b>',
      type: 'text/html',
      language: 'de',
      base: 'https://example.com/blog/',
    });
    assert.equal(feed.self, 'https://example.com/blog/feed.atom');
    const [entry] = feed.entries;
    assert.equal(entry.link, 'https://example.com/blog/2004/one');
    assert.equal(entry.enclosures[0].url, 'https://example.com/blog/2004/e.mp3');
    assert.deepEqual(entry.authors, [{ name: 'Bo', email: 'bo@example.com', url: 'https://example.com/bo' }]);
    assert.equal(entry.content[0].value, 'Hi <a href="https://example.com/blog/2004/y">y</a><br />');
    assert.equal(entry.source?.id, 'urn:s');
  });

  test('a feed that is not well-formed is read all the same and says so', () => {
    const feed = feedOf(
      '<rss><channel><title>Fish & chips &nbsp;</title><item><link>http://a/</link><description><p>x<br></description></item>',
    );
    assert.equal(feed.wellFormed, false);
    assert.deepEqual(feed.problems, ['not-well-formed']);
    assert.equal(feed.title?.value, 'Fish & chips');
    assert.equal(feed.entries[0].link, 'http://a/');
  });

  test('billion laughs stay one reference', () => {
    const entities = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
    const feed = feedOf(
      `<!DOCTYPE r [<!ENTITY l0 "lol">${entities}]><rss><channel><title>&l9;</title></channel></rss>`,
    );
    assert.equal(feed.title?.value, '&l9;');
    assert.equal(feed.unexpandedEntities, 1);
  });

  test('JSON Feed', () => {
    const feed = feedOf(
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'J',
        home_page_url: '/',
        feed_url: '/feed.json',
        authors: [{ name: 'Ann' }, 7],
        hubs: [{ type: 'WebSub', url: 'https://hub.example/' }],
        items: [
          {
            id: 1,
            url: '/1',
            content_html: '<a href="/z">z</a>',
            date_published: '2010-02-07T14:04:00-05:00',
            tags: ['t', 3],
          },
          'nonsense',
        ],
      }),
      { url: 'https://example.com/feed.json', contentType: 'application/feed+json' },
    );
    assert.equal(feed.format, 'json');
    assert.deepEqual(feed.problems, []);
    assert.equal(feed.link, 'https://example.com/');
    assert.deepEqual(feed.hubs, ['https://hub.example/']);
    assert.equal(feed.entries.length, 1);
    assert.equal(feed.entries[0].id, '1');
    assert.equal(feed.entries[0].content[0].value, '<a href="https://example.com/z">z</a>');
    assert.equal(feed.entries[0].published?.at, Date.UTC(2010, 1, 7, 19, 4));
  });

  test('what is no feed is said to be none', () => {
    const why = (text: string): unknown => {
      const outcome = readFeed(Buffer.from(text));
      return outcome.kind === 'unreadable' && outcome.why;
    };
    assert.equal(why(''), 'empty');
    assert.equal(why('<html></html>'), 'not-a-feed');
    assert.equal(why('hello'), 'not-a-feed');
    assert.equal(why('{"a":1}'), 'not-a-feed');
    assert.equal(why('{"a":'), 'broken');
  });

  test('encodings: bytes that are not what they are said to be', () => {
    const bytes = Buffer.from('<rss><channel><title>caf\xe9</title></channel></rss>', 'latin1');
    const guessed = readFeed(bytes, { guessEncoding: () => 'iso-8859-2' });
    assert.ok(guessed.kind === 'read' && guessed.feed.encoding === 'iso-8859-2');
    const plain = readFeed(bytes, { contentType: 'text/plain' });
    assert.ok(plain.kind === 'read');
    assert.equal(plain.feed.title?.value, 'café');
    assert.deepEqual([...plain.feed.problems].sort(), ['media-type', 'undecodable-bytes']);
  });

  test('limits', () => {
    assert.equal(feedOf(rss, { limits: { ...defaultFeedLimits, maxEntries: 1 } }).cut, 'entries');
    assert.equal(feedOf(rss, { limits: { ...defaultFeedLimits, maxBytes: 1_000 } }).cut, 'bytes');
    assert.equal(feedOf(rss, { limits: { ...defaultFeedLimits, maxNodes: 30 } }).cut, 'elements');
  });

  test('no bytes throw: random ones, cut feeds, changed feeds', () => {
    const feeds = [rss, atom].map((text) => Buffer.from(text));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void readFeed(bytes, { url: 'https://example.com/' })),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...feeds), fc.nat(3_000), fc.nat(3_000), fc.nat(255), (bytes, end, place, byte) => {
        const changed = Buffer.from(bytes.subarray(0, end));
        if (place < changed.length) changed[place] = byte;
        readFeed(changed, { url: 'https://example.com/' });
      }),
      { numRuns: 500 },
    );
  });

  test('a feed cut anywhere gives the entries before the cut', () => {
    const first = rss.indexOf('</item>') + 7;
    for (let end = first; end < rss.length; end += 7) {
      const { entries } = feedOf(rss.slice(0, end));
      assert.equal(entries[0].summary?.value, 'Short');
    }
  });

  test('expected values of the data set', { skip: skipWithout('feeds') }, () => {
    let right = 0;
    let wrong = 0;
    for (const line of readFileSync(join(corpus('feeds')!, 'feedparser.jsonl'), 'utf8')
      .trim()
      .split('\n')) {
      const given = JSON.parse(line) as FeedCase;
      const view = viewOf(given);
      for (const expected of given.expect) {
        const { verdict } = judge(given, expected, view);
        if (verdict === 'right') right++;
        if (verdict === 'wrong') wrong++;
      }
    }
    assert.ok(right / (right + wrong) >= 0.985, `${right} of ${right + wrong}`);
  });
});
