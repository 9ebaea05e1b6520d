import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Addressing } from '../../../src/simulate/model/addressing.ts';
import { robotsAllow } from '../../../src/simulate/model/robots-oracle.ts';
import { SyntheticWeb } from '../../../src/simulate/model/synthetic-web.ts';
import { truth } from '../../../src/simulate/model/truth.ts';
import { MODERN_PAGES, RICH_WEB } from '../../../src/simulate/model/web-presets.ts';
import { PLAIN_SHARES, type WebSpecOverrides, webSpec } from '../../../src/simulate/model/web-spec.ts';
import { decodePage } from './brute-force-crawl.ts';

const NAMES: Addressing = { mode: 'names', port: 8081, hostsPerAddress: 0 };
const PLAIN: WebSpecOverrides = {
  ...PLAIN_SHARES,
  hosts: 12,
  pagesPerHost: 60,
  linksPerPage: 10,
  pageBytes: [2000, 9000],
};

function web(overrides: WebSpecOverrides = {}, addressing = NAMES): SyntheticWeb {
  return new SyntheticWeb(webSpec({ ...PLAIN, ...overrides }), addressing);
}

function pages(model: SyntheticWeb): number[] {
  return Array.from({ length: model.pageCount }, (_, page) => page);
}

function bodyOf(model: SyntheticWeb, page: number, now = 0): string {
  return model.reply(model.hostOfPage(page), { kind: 'page', id: page }, { before: 1, now }).body;
}

/** Words of the running text: what stands in paragraphs. */
function words(html: string): string[] {
  const text = html.replace(/<!--.*?-->|<(script|style|svg)\b.*?<\/\1>/gs, ' ').replace(/<[^>]*>/g, ' ');
  return text.trim().split(/\s+/);
}

describe('sites of the synthetic web', () => {
  test('a mirror has the paths and bytes of its original, and leads to itself where links are relative', () => {
    const model = web({
      sites: { ...PLAIN_SHARES.sites, mirror: 0.5 },
      pages: { ...PLAIN_SHARES.pages, redirect: 0.1 },
    });
    const mirrors = Array.from({ length: 12 }, (_, host) => host).filter((host) => model.mirrorOf(host) !== host);
    assert.ok(mirrors.length >= 3);
    let toItself = 0;
    let toOriginal = 0;
    for (const mirror of mirrors) {
      const original = model.mirrorOf(mirror);
      assert.equal(model.mirrorOf(original), original);
      for (let index = 0; index < 60; index++) {
        const page = mirror * 60 + index;
        const twin = original * 60 + index;
        assert.equal(model.target(page), model.target(twin));
        assert.deepEqual(
          model.reply(mirror, { kind: 'page', id: page }, { before: 1, now: 0 }),
          model.reply(original, { kind: 'page', id: twin }, { before: 1, now: 0 }),
        );
        const nature = model.nature(page, '');
        if (nature.kind === 'page') assert.equal(nature.document, twin);
        for (const [at, link] of model.links(page).entries()) {
          const other = model.links(twin)[at];
          const same = model.hostOfPage(other.to) === original ? other.to + (mirror - original) * 60 : other.to;
          assert.ok(link.to === other.to || link.to === same);
          if (link.to === other.to) toOriginal++;
          else toItself++;
        }
      }
    }
    assert.ok(toItself > 100 && toOriginal > 100);
  });

  test('near copies differ in the share of words that the model names', () => {
    const model = web({
      pages: { ...PLAIN_SHARES.pages, nearCopy: 0.3 },
      pageBytes: [15_000, 20_000],
      malformedShare: 0,
    });
    const shares = new Set<number>();
    for (const page of pages(model)) {
      const near = model.nearCopy(page);
      if (near === undefined) continue;
      shares.add(near.share);
      assert.deepEqual(model.links(page), model.links(near.original));
      const before = words(bodyOf(model, near.original));
      const after = words(bodyOf(model, page));
      assert.equal(after.length, before.length);
      const different = after.filter((word, at) => word !== before[at]).length / after.length;
      // Links and headings do not change, and have a share of the words.
      assert.ok(different > 0.6 * near.share && different < near.share * 1.3, `${different} of ${near.share}`);
      assert.notEqual(model.nature(page, '').kind === 'page' && bodyOf(model, page), bodyOf(model, near.original));
    }
    assert.deepEqual([...shares].sort(), [0.01, 0.02, 0.05, 0.1]);
  });

  test('canonical links name the page itself, another page, or of a copy its original; alternates stand beside them', () => {
    const model = web({
      pages: { ...PLAIN_SHARES.pages, copy: 0.2, nearCopy: 0.2 },
      links: { ...PLAIN_SHARES.links, canonical: 0.8, alternate: 0.5 },
    });
    const found = { itself: 0, original: 0, other: 0, none: 0, alternates: 0 };
    for (const page of pages(model)) {
      const canonical = model.canonical(page);
      const nature = model.nature(page, '');
      const document = model.nearCopy(page)?.original ?? (nature.kind === 'page' ? nature.document : -1);
      if (canonical === undefined) found.none++;
      else if (canonical === page) found.itself++;
      else if (canonical === document) found.original++;
      else found.other++;
      found.alternates += model.links(page).filter((link) => link.element === 'alternate').length;
      const body = bodyOf(model, page);
      assert.equal(/rel="?canonical/i.test(body), canonical !== undefined);
      assert.equal(
        body.match(/hreflang=/g)?.length ?? 0,
        model.links(page).filter((l) => l.element === 'alternate').length,
      );
    }
    assert.ok(
      Object.values(found).every((count) => count > 20),
      JSON.stringify(found),
    );
  });

  test('sitemaps are named in robots.txt and list the pages: a file, an index, an index of gzip', () => {
    const model = web({ hosts: 20, sites: { ...PLAIN_SHARES.sites, sitemap: 1 }, sitemapEntries: 25 });
    const forms = new Set<string>();
    const listed = new Set<string>();
    for (let host = 0; host < 20; host++) {
      const named = [...model.page(host, '/robots.txt').body.matchAll(/Sitemap: (\S+)/g)].map((match) => match[1]);
      assert.deepEqual(
        named,
        model.sitemaps(host).map((id) => model.url(id)),
      );
      const read = (url: string): void => {
        const { pathname } = new URL(url);
        const reply = model.page(host, pathname);
        assert.equal(reply.status, 200);
        const bytes = Buffer.from(reply.body, 'latin1');
        const text = (pathname.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
        forms.add(pathname.replace(/\d+/, 'n'));
        for (const [, entry] of text.matchAll(/<loc>(.*?)<\/loc>/g)) {
          if (text.includes('<sitemapindex')) read(entry);
          else listed.add(entry.replaceAll('&amp;', '&'));
        }
      };
      for (const url of named) read(url);
    }
    assert.deepEqual([...forms].sort(), [
      '/sitemap-index.xml',
      '/sitemap.xml',
      '/sitemaps/part-n.xml',
      '/sitemaps/part-n.xml.gz',
    ]);
    assert.equal(model.sitemapUrls().length, 20);
    const followed = truth(model, { seeds: [model.url(0)], followSitemaps: true });
    for (const url of listed) assert.equal(followed.fateOf(url), 'stored');
    assert.ok(followed.counts().read > 20);
    assert.equal(truth(model, { seeds: [model.url(0)] }).counts().read, 0);
  });

  test('feeds are linked from every head and are stored, their entries followed where that is wanted', () => {
    const model = web({ sites: { ...PLAIN_SHARES.sites, feed: 1 }, linksPerPage: 0 });
    assert.equal(model.feedUrls().length, 12);
    const seeds = [model.url(0)];
    const known = truth(model, { seeds });
    assert.deepEqual(known.urls('stored').sort(), [model.feedUrls()[0], model.url(0)].sort());
    assert.equal(truth(model, { seeds, followFeeds: true }).counts().stored, 21);
    assert.equal(truth(model, { seeds, followHeadLinks: false }).counts().stored, 1);
    const kinds = new Set(
      model.feedUrls().map((url) => {
        const { host, pathname } = new URL(url);
        const reply = model.page(model.hosts.find(host), pathname);
        return `${reply.headers[1]} ${/<(rss|feed)/.exec(reply.body)?.[1]}`;
      }),
    );
    assert.deepEqual([...kinds].sort(), ['application/atom+xml feed', 'application/rss+xml rss']);
  });

  test('soft 404s answer 200, for pages that are linked and for addresses that nobody wrote', () => {
    const model = web({
      sites: { ...PLAIN_SHARES.sites, softNotFound: 1 },
      pages: { ...PLAIN_SHARES.pages, notFound: 0.2 },
    });
    const page = pages(model).find((at) => model.role(at) === 'notFound') as number;
    const nature = model.nature(page, '');
    assert.ok(nature.kind === 'page' && nature.softNotFound);
    assert.match(bodyOf(model, page), /not found/i);
    assert.equal(model.page(0, '/nowhere/a<b').status, 200);
    assert.match(model.page(0, '/nowhere/a<b').body, /a&lt;b/);
    const seeds = [model.url(0)];
    assert.equal(truth(model, { seeds }).counts().failed, 0);
    assert.ok(truth(model, { seeds, softNotFound: 'failed' }).counts().failed > 20);
  });

  test('pages in other charsets can be read back by what they declare', () => {
    const model = web({ charsetShare: 1, hosts: 8, pageBytes: [6000, 9000], linksPerPage: 4 });
    const seen = new Set<string>();
    for (const page of pages(model)) {
      const charset = model.charset(page);
      assert.ok(charset !== undefined);
      seen.add(`${charset.charset} ${charset.declared}`);
      const { body, headers } = model.page(model.hostOfPage(page), model.target(page));
      if (charset.declared === 'none') {
        assert.doesNotMatch(body.slice(0, 1000), /charset/);
        assert.equal(headers[1], 'text/html');
        continue;
      }
      const text = decodePage(body, headers[1]);
      assert.ok(
        charset.text.words.some((word) => text.includes(` ${word} `)),
        `${charset.charset} ${charset.declared}`,
      );
      assert.doesNotMatch(text, /\ufffd/);
    }
    assert.equal(seen.size, 5 * 4 + 2 * 2);
  });

  test('changing pages show another text in each version, and the same links', () => {
    const model = web({ changingShare: 1, changesPerDay: [1, 10], pages: { ...PLAIN_SHARES.pages, copy: 0.2 } });
    const now = Date.UTC(2025, 5, 1);
    for (let page = 0; page < 60; page++) {
      const rate = model.changeRate(page);
      assert.ok(rate >= 1 && rate <= 10);
      const version = model.versionAt(page, now);
      assert.ok(version > 20 * rate);
      const changed = model.changedAt(page, version);
      assert.ok(changed <= now);
      assert.equal(bodyOf(model, page, changed + 1), bodyOf(model, page, now));
      const earlier = model.changedAt(page, version - 1);
      assert.notEqual(bodyOf(model, page, earlier + 0.5), bodyOf(model, page, now));
      const hrefs = (body: string): string[] | null => body.match(/href=("[^"]*"|'[^']*'|[^\s>]+)/gi);
      assert.deepEqual(hrefs(bodyOf(model, page, earlier + 0.5)), hrefs(bodyOf(model, page, now)));
      const nature = model.nature(page, '');
      if (nature.kind === 'page') assert.equal(model.versionAt(nature.document, now), version);
    }
    assert.equal(web().changeRate(5), 0);
    assert.equal(web().versionAt(5, now), 0);
  });

  test('robots.txt of every kind says what the model says', () => {
    const kinds = { missing: 0.1, broken: 0.1, forbidden: 0.1, tooManyRequests: 0.1, empty: 0.1, html: 0.1, huge: 0.2 };
    const model = web({ hosts: 80, robots: { ...PLAIN_SHARES.robots, ...kinds, namedGroup: 0.3 } });
    const seen = new Set<string>();
    for (let host = 0; host < 80; host++) {
      const { status, body, headers } = model.page(host, '/robots.txt');
      const robots = model.robots(host);
      const verdict = { 200: 'rules', 404: 'allow-all', 403: 'allow-all', 500: 'disallow-all', 429: 'disallow-all' }[
        status
      ];
      assert.equal(robots.verdict, verdict);
      if (status === 429) assert.ok(headers.includes('Retry-After'));
      const size =
        body === '' ? 'empty' : body.startsWith('<!DOCTYPE') ? 'html' : body.length > 500 * 1024 ? 'huge' : '';
      seen.add(`${status} ${size}`.trim());
      if (size === 'huge') {
        const counted = body.slice(0, 500 * 1024);
        assert.match(counted.slice(-1000), /Disallow:\/\*\.print\$|Disallow: ?\/\*\.print\$|DISALLOW: ?\/\*\.print\$/);
        assert.match(body.slice(500 * 1024), /DISALLOW: ?\/\n/i);
        assert.equal(robotsAllow(robots, 'someone', '/articles/x.html'), true);
        assert.equal(robotsAllow(robots, 'someone', '/articles/x.print'), false);
      }
      if (size === 'empty' || size === 'html') assert.equal(robotsAllow(robots, 'someone', '/private/x.html'), true);
    }
    assert.deepEqual([...seen].sort(), ['200', '200 empty', '200 html', '200 huge', '403', '404', '429', '500']);
    const ends = new Set<string>();
    for (let host = 0; host < 80; host++) {
      const { body, status } = model.page(host, '/robots.txt');
      if (status === 200 && body.includes('Allow'))
        ends.add(`${/\r\n|\r|\n/.exec(body)?.[0]} ${body.startsWith('\xef\xbb\xbf')}`);
    }
    assert.equal(ends.size, 6, 'LF, CRLF and CR, each with and without a byte order mark');
  });

  test('modern pages have the sizes, links and nesting of the web of today', () => {
    const model = web({ ...MODERN_PAGES, hosts: 2, pagesPerHost: 200 });
    let bytes = 0;
    let links = 0;
    for (let page = 0; page < 200; page++) {
      const { length } = bodyOf(model, page);
      assert.ok(length > 18_000 && length < 215_000, `${length} bytes`);
      bytes += length;
      links += model.links(page).length;
    }
    assert.ok(bytes / 200 > 60_000 && bytes / 200 < 100_000, `${bytes / 200} bytes on average`);
    assert.ok(Math.abs(links / 200 - 60) < 4, `${links / 200} links on average`);
  });

  test('drawn in-links follow the law of Zipf', () => {
    const model = web({ hosts: 1, pagesPerHost: 500, linksPerPage: 40, zipfExponent: 1 });
    const inLinks = new Float64Array(500);
    let total = 0;
    for (const page of pages(model)) {
      for (const link of model.links(page)) {
        inLinks[link.to]++;
        total++;
      }
    }
    // Two links of each page are not drawn but make every page reachable.
    const drawn = total - 499;
    const harmonic = Array.from({ length: 500 }, (_, rank) => 1 / (rank + 1)).reduce((a, b) => a + b);
    for (const rank of [0, 1, 3, 9, 30]) {
      const expected = 1 + drawn / (rank + 1) / harmonic;
      assert.ok(Math.abs(inLinks[rank] - expected) < 5 * Math.sqrt(expected), `${inLinks[rank]}, expected ${expected}`);
    }
  });

  test('the rich web over https names itself so, and reaches every kind of page', () => {
    const model = new SyntheticWeb(webSpec({ ...RICH_WEB, seed: 4 }), { ...NAMES, scheme: 'https' });
    assert.match(model.url(0), /^https:/);
    const known = truth(model, { seeds: [model.url(0)] });
    assert.ok(known.urls('stored').every((url) => url.startsWith('https:')));
    assert.ok(known.counts().stored > 700);
    assert.doesNotMatch(bodyOf(model, 0).replaceAll('http://[::bad', ''), /http:\/\/h\d/);
  });
});
