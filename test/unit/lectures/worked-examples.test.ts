import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageDirectives } from '../../../src/base/robots-directives.ts';
import { extractPage } from '../../../src/extract/extract-page.ts';
import { readFeed } from '../../../src/extract/feed/read-feed.ts';
import type { SitemapEntry } from '../../../src/extract/sitemap/sitemap-entry.ts';
import { SitemapReader } from '../../../src/extract/sitemap/sitemap-reader.ts';
import { parseRobots } from '../../../src/fetch/robots/robots-parser.ts';
import { ageOf, freshnessOf } from '../../../src/revisit/freshness-and-age.ts';
import { trecDocuments } from '../../../src/search/indexing/imports/trec-documents.ts';
import { normalizeUrl } from '../../../src/url/normalize.ts';
import { defaultUrlOptions } from '../../../src/url/url-options.ts';

/** The examples that the lectures work through by hand, in the order of the decks. Shingles and simhash: dedupe/near/textbook.test.ts. */

function mayAsk(robots: string, agent: string, path: string): boolean {
  return parseRobots(robots).rulesFor(agent).judge(path).allowed;
}

function canonical(url: string, base?: string): string | undefined {
  return normalizeUrl(url, defaultUrlOptions, base);
}

describe('Spidering (decks 000 and 003)', () => {
  test('link extraction: relative URLs are completed with that of the page, or with BASE', () => {
    const page = 'http://www.cs.utexas.edu/users/mooney/ir-course/';
    const html = '<a href="proj3">3</a><a href="../cs343/syllabus.html">s</a>';
    const frames = '<frameset><frame src="site-index.html"></frameset>';
    const urls = (markup: string): string[] => extractPage(markup, { url: page }).links.map(({ url }) => url);
    assert.deepEqual(urls(html), [
      'http://www.cs.utexas.edu/users/mooney/ir-course/proj3',
      'http://www.cs.utexas.edu/users/mooney/cs343/syllabus.html',
    ]);
    assert.deepEqual(urls(frames), ['http://www.cs.utexas.edu/users/mooney/ir-course/site-index.html']);
    assert.deepEqual(urls('<base href="http://www.cs.utexas.edu/moved/"><a href="proj3">3</a>'), [
      'http://www.cs.utexas.edu/moved/proj3',
    ]);
  });

  test('link canonicalization: fragments within a page are removed', () => {
    assert.equal(
      canonical('http://www.cs.utexas.edu/users/mooney/welcome.html#courses'),
      'http://www.cs.utexas.edu/users/mooney/welcome.html',
    );
  });

  test('robots exclusion: directories, one robot, all but one', () => {
    const directories = 'User-agent: *\nDisallow: /tmp/\nDisallow: /cgi-bin/\nDisallow: /users/paranoid/\n';
    for (const path of ['/tmp/a', '/cgi-bin/b', '/users/paranoid/c'])
      assert.ok(!mayAsk(directories, 'any', path), path);
    assert.ok(mayAsk(directories, 'any', '/users/mooney/'));
    const one = 'User-agent: GoogleBot\nDisallow: /\n';
    assert.ok(!mayAsk(one, 'googlebot', '/') && mayAsk(one, 'orbweaver', '/'));
    const allButOne = 'User-agent: GoogleBot\nDisallow:\n\nUser-agent: *\nDisallow: /\n';
    assert.ok(mayAsk(allButOne, 'googlebot', '/') && !mayAsk(allButOne, 'orbweaver', '/'));
    assert.ok(!mayAsk('User-agent: *\nDisallow: /\n', 'orbweaver', '/anything'));
  });

  test('robots META tag: pairs and special values', () => {
    const said = (content: string): readonly boolean[] => {
      const { index, follow } = pageDirectives({
        agent: 'orbweaver',
        metaRobots: [['robots', content]],
        xRobotsTag: [],
      });
      return [index, follow];
    };
    assert.deepEqual(said('noindex, follow'), [false, true]);
    assert.deepEqual(said('index, nofollow'), [true, false]);
    assert.deepEqual(said('none'), [false, false]);
    assert.deepEqual(said('all'), [true, true]);
  });

  test('anchor text belongs to the page that it points to', () => {
    const { links } = extractPage('<a href="http://www.ibm.com">IBM</a>', { url: 'http://a.example/' });
    assert.deepEqual(
      links.map(({ url, text }) => [url, text]),
      [['http://www.ibm.com/', 'IBM']],
    );
  });
});

describe('Crawlers and crawling (deck 001)', () => {
  test('robots.txt: stars stand for any characters', () => {
    const robots = 'User-agent: Slurp\nAllow: /public*/\nDisallow: /*_print*.html\nDisallow: /*?sessionid\n';
    assert.ok(mayAsk(robots, 'slurp', '/public1/page.html'));
    assert.ok(!mayAsk(robots, 'slurp', '/a/b_print2.html'));
    assert.ok(!mayAsk(robots, 'slurp', '/a?sessionid=1'));
    assert.ok(mayAsk(robots, 'slurp', '/a.html'));
    const temporary = 'User-agent: *\nDisallow: /yoursite/temp/\n';
    assert.ok(!mayAsk(temporary, 'any', '/yoursite/temp/x') && mayAsk(temporary, 'any', '/YOURSITE/temp/x'));
    assert.ok(!mayAsk('User-agent: *\nDisallow: /*.gif$\n', 'any', '/a.gif'));
    assert.ok(mayAsk('User-agent: *\nDisallow: /*.gif$\n', 'any', '/a.gif?b'));
  });

  test('link extraction: other elements, anchors without links, a query that makes pages', () => {
    const html =
      '<map><area href="/area.html"></map><a name="banner">x</a><a href=http://www.mysite.com/search?x=arg1&y=arg2>s</a>';
    const { links } = extractPage(html, { url: 'http://www.myco.com/special/tools/' });
    assert.deepEqual(
      links.map(({ url }) => url),
      ['http://www.myco.com/area.html', 'http://www.mysite.com/search?x=arg1&y=arg2'],
    );
  });

  test('normalizing URLs: the four rules, and the spellings of one address', () => {
    assert.equal(canonical('HTTP://www.Example.com/'), 'http://www.example.com/');
    assert.equal(canonical('http://www.example.com/a%c2%b1b'), 'http://www.example.com/a%C2%B1b');
    assert.equal(canonical('http://www.example.com/%7Eusername/'), 'http://www.example.com/~username/');
    assert.equal(canonical('http://www.example.com:80/bar.html'), 'http://www.example.com/bar.html');
    assert.equal(canonical('http://www.google.com'), canonical('http://www.google.com/'));
  });

  test('spider traps: a session in the URL makes no other page', () => {
    assert.equal(
      canonical('http://a.example/page.php?sid=0123456789abcdef0123456789abcdef&x=1'),
      canonical('http://a.example/page.php?x=1'),
    );
  });

  test('Cho and Garcia-Molina: uniform visits are fresher than proportional ones, and the optimal ones fresher than both', () => {
    // Two pages, nine changes and one change a day, ten visits to share: the example of their paper.
    const rates = [9, 1];
    const fresh = (frequencies: readonly number[]): number =>
      rates.reduce((sum, rate, page) => sum + freshnessOf(rate, frequencies[page]), 0) / rates.length;
    const uniform = fresh([5, 5]);
    const proportional = fresh([9, 1]);
    assert.ok(uniform > proportional, `${uniform} > ${proportional}`);
    const best = Math.max(...Array.from({ length: 101 }, (_, share) => fresh([share / 10, 10 - share / 10])));
    assert.ok(best >= uniform);
  });

  test('the sitemap of a site with three pages', () => {
    const entries = sitemapOf(
      ['who', 'what', 'how'].map(
        (id, at) =>
          `<url><loc>http://www.example.com/?id=${id}</loc><lastmod>2009-09-22</lastmod><changefreq>monthly</changefreq><priority>${at === 0 ? 0.8 : 0.5}</priority></url>`,
      ),
      'http://www.example.com/sitemap.xml',
    );
    assert.deepEqual(
      entries.map(({ url, changeFrequency, priority }) => [url, changeFrequency, priority]),
      [
        ['http://www.example.com/?id=who', 'monthly', 0.8],
        ['http://www.example.com/?id=what', 'monthly', 0.5],
        ['http://www.example.com/?id=how', 'monthly', 0.5],
      ],
    );
    assert.equal(entries[0].lastModified, Date.UTC(2009, 8, 22));
  });
});

describe('Web crawling and near-duplicates (deck 002)', () => {
  test('robots.txt: everybody stays out of a folder, but for one', () => {
    const robots = 'User-agent: *\nDisallow: /yoursite/temp/\n\nUser-agent: searchengine\nDisallow:\n';
    assert.ok(!mayAsk(robots, 'orbweaver', '/yoursite/temp/a') && mayAsk(robots, 'searchengine', '/yoursite/temp/a'));
  });

  test('URL normalization: a relative link of an encyclopedia', () => {
    assert.equal(
      canonical('/wiki/Wikipedia:General_disclaimer', 'http://en.wikipedia.org/wiki/Main_Page'),
      'http://en.wikipedia.org/wiki/Wikipedia:General_disclaimer',
    );
  });
});

describe('Crawls and feeds (deck 004)', () => {
  test('robots.txt with an exception, a favoured crawler and a sitemap', () => {
    const robots =
      'User-agent: *\nDisallow: /private/\nDisallow: /confidential/\nDisallow: /other/\nAllow: /other/public/\n\nUser-agent: FavoredCrawler\nDisallow:\n\nSitemap: http://mysite.com/sitemap.xml.gz\n';
    for (const path of ['/private/a', '/confidential/a', '/other/a']) assert.ok(!mayAsk(robots, 'any', path), path);
    assert.ok(mayAsk(robots, 'any', '/other/public/a') && mayAsk(robots, 'favoredcrawler', '/private/a'));
    assert.deepEqual(parseRobots(robots).sitemaps, ['http://mysite.com/sitemap.xml.gz']);
  });

  test('the age of a page that changes once a week, a week after its last visit, and its mean over regular visits', () => {
    const rate = 1 / 7;
    // The integral of the slide, by steps.
    const expectedAge = (days: number): number => {
      const steps = 2000;
      const step = days / steps;
      let sum = 0;
      for (let at = step / 2; at < days; at += step) sum += rate * Math.exp(-rate * at) * (days - at) * step;
      return sum;
    };
    assert.ok(Math.abs(expectedAge(7) - 7 / Math.E) < 1e-3, String(expectedAge(7)));
    const mean = Array.from({ length: 70 }, (_, at) => expectedAge((at + 0.5) / 10)).reduce((a, b) => a + b) / 70;
    assert.ok(Math.abs(ageOf(rate, 1 / 7) - mean) < 1e-3, `${ageOf(rate, 1 / 7)} against ${mean}`);
  });

  test('the sitemap of a company: frequencies without dates', () => {
    const entries = sitemapOf(
      [
        '<url><loc>http://www.company.com/</loc><lastmod>2008-01-15</lastmod><changefreq>monthly</changefreq><priority>0.7</priority></url>',
        '<url><loc>http://www.company.com/items?item=truck</loc><changefreq>weekly</changefreq></url>',
        '<url><loc>http://www.company.com/items?item=bicycle</loc><changefreq>daily</changefreq></url>',
      ],
      'http://www.company.com/sitemap.xml',
    );
    assert.deepEqual(
      entries.map(({ lastModified, changeFrequency, priority }) => [lastModified, changeFrequency, priority]),
      [
        [Date.UTC(2008, 0, 15), 'monthly', 0.7],
        [undefined, 'weekly', undefined],
        [undefined, 'daily', undefined],
      ],
    );
  });

  test('the RSS feed: how long it may be kept, and its items', () => {
    const item = (title: string, link: string, time: string, guid: number): string =>
      `<item><title>${title}</title><link>${link}</link><pubDate>Tue, 05 Jun 2008 ${time} GMT</pubDate><guid>http://search-engine-news.org#${guid}</guid></item>`;
    const outcome = readFeed(
      Buffer.from(
        `<?xml version="1.0"?><rss version="2.0"><channel><title>Search Engine News</title><link>http://www.search-engine-news.org/</link><language>en-us</language><ttl>60</ttl>${item('Upcoming SIGIR Conference', 'http://www.sigir.org/conference', '09:50:11', 500)}${item('New Search Engine Textbook', 'http://www.cs.umass.edu/search-book', '09:33:01', 499)}</channel></rss>`,
      ),
      { url: 'http://www.search-engine-news.org/feed' },
    );
    assert.ok(outcome.kind === 'read');
    assert.equal(outcome.feed.entries.length, 2);
    assert.equal(outcome.feed.entries[0].published?.at, Date.UTC(2008, 5, 5, 9, 50, 11));
    assert.match(JSON.stringify(outcome.feed), /60|3600000/);
  });

  test('UTF-8: the letter pi is number 960 and two bytes', () => {
    assert.deepEqual([...Buffer.from(String.fromCodePoint(960))], [0b11001111, 0b10000000]);
    const page = Buffer.from([...Buffer.from('<meta charset="utf-8"><title>'), 0xcf, 0x80, ...Buffer.from('</title>')]);
    assert.equal(extractPage(page.toString(), { url: 'http://a.example/' }).title, 'π');
  });

  test('TREC Web: two documents in one file', async () => {
    const head = (path: string): string =>
      `<DOCHDR>\nhttp://www.example.com/${path} 204.244.59.33 19970101013145 text/html 440\nHTTP/1.0 200 OK\nContent-type: text/html\n</DOCHDR>`;
    const file = `<DOC>\n<DOCNO>WTX001-B01-10</DOCNO>\n${head('test.html')}\n<HTML>\n<TITLE>Tropical Fish Store</TITLE>\nComing soon!\n</HTML>\n</DOC>\n<DOC>\n<DOCNO>WTX001-B01-109</DOCNO>\n${head('fish.html')}\n<HTML>\n<TITLE>Fish Information</TITLE>\nThis page will soon tell of fish.\n</HTML>\n</DOC>`;
    const lines = (async function* () {
      yield* file.split('\n');
    })();
    const documents: { readonly id: string; readonly title?: string; readonly text: string }[] = [];
    for await (const document of trecDocuments(lines, 'deck')) documents.push(document);
    assert.deepEqual(
      documents.map(({ id, title }) => [id, title]),
      [
        ['WTX001-B01-10', 'Tropical Fish Store'],
        ['WTX001-B01-109', 'Fish Information'],
      ],
    );
    assert.ok(!documents[0].text.includes('204.244.59.33'));
  });
});

function sitemapOf(urls: readonly string[], url: string): SitemapEntry[] {
  const entries: SitemapEntry[] = [];
  const reader = new SitemapReader({ url, onEntries: (batch) => entries.push(...batch), onSitemaps: () => {} });
  reader.push(
    Buffer.from(
      `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`,
    ),
  );
  reader.end();
  return entries;
}
