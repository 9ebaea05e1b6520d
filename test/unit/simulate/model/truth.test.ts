import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { SyntheticWeb } from '../../../../src/simulate/model/synthetic-web.ts';
import { type Fate, truth } from '../../../../src/simulate/model/truth.ts';
import { MIRROR_WEB, RICH_WEB, SPAM_WEB, TRAP_GAUNTLET, TRAP_WEB } from '../../../../src/simulate/model/web-presets.ts';
import {
  DEFAULT_WEB_SPEC,
  PLAIN_SHARES,
  type WebSpecOverrides,
  webSpec,
} from '../../../../src/simulate/model/web-spec.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { bruteForceCrawl, canonical, decodePage, readPage } from '../brute-force-crawl.ts';

const NAMES = { mode: 'names', port: 8081, hostsPerAddress: 0 } as const;
const SMALL: WebSpecOverrides = {
  ...{ hosts: 6, pagesPerHost: 60, linksPerPage: 8, pageBytes: [800, 3000] },
  bombBytes: 1_000_000,
};

function web(overrides: WebSpecOverrides): SyntheticWeb {
  return new SyntheticWeb(webSpec({ ...SMALL, ...overrides }), NAMES);
}

/** Many more special pages than by default, so that small webs hold all of them. */
const RICH: WebSpecOverrides = {
  pages: { broken: 0.02, redirectLoop: 0.03, directiveForOthers: 0.04, tooManyRequests: 0.02, unavailable: 0.02 },
  links: {
    oddSpelling: 0.6,
    tracking: 0.1,
    base: 0.2,
    area: 0.05,
    iframe: 0.05,
    refresh: 0.1,
    phantom: 0.9,
    nofollow: 0.2,
  },
  robots: { missing: 0.2, broken: 0.1, moved: 0.1, movedChain: 0.1, movedAway: 0.1, namedGroup: 0.4, crawlDelay: 0.3 },
  malformedShare: 0.4,
};

/** Everything at once, on a web small enough to be read by brute force. */
const EVERYTHING: WebSpecOverrides = {
  ...RICH_WEB,
  ...TRAP_WEB,
  hosts: 14,
  pagesPerHost: 40,
  sitemapEntries: 15,
  robots: { ...RICH_WEB.robots, tooManyRequests: 0.06 },
};

/** The presets with traps and spam in disguise, as small; a third of the pages of a wiki host are its wiki. */
const LIVELY = { hosts: 8, pagesPerHost: 45, linksPerPage: 8, pageBytes: [800, 3000] } as const;
const GAUNTLET: WebSpecOverrides = { ...TRAP_GAUNTLET, ...LIVELY, sites: { wiki: 0.5, softNotFound: 0.3 } };
const SPAM: WebSpecOverrides = { ...SPAM_WEB, ...LIVELY, sites: { mirror: 0.3, wiki: 0.3 } };

describe('truth', () => {
  test('is what a brute-force crawl of the bytes finds, whatever the seed, agent and depth', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.constantFrom('orbweaver', 'someone', 'otherbot'),
        fc.constantFrom(1e9, 1, 3),
        fc.constantFrom({}, RICH, EVERYTHING, GAUNTLET, SPAM, { ...MIRROR_WEB, ...LIVELY }),
        fc.boolean(),
        (seed, agent, maxDepth, shares, follow) => {
          const model = web({ ...shares, seed });
          const seeds = [model.url(0)];
          const options = { maxDepth, followSitemaps: follow, followFeeds: follow };
          const known = truth(model, { seeds, agent, ...options });
          const found = bruteForceCrawl(model, seeds, agent, options);
          for (const fate of ['stored', 'redirected', 'failed', 'disallowed', 'read'] as const) {
            assert.deepEqual(known.urls(fate).sort(), [...found[fate]].sort(), `${fate}, seed ${seed}`);
          }
        },
      ),
      { numRuns: propertyRuns(15) },
    );
  });

  test('names the same links as parse5 finds on every page', () => {
    for (const shares of [RICH, EVERYTHING]) {
      const model = web({ ...shares, seed: 7 });
      const known = truth(model, { seeds: [model.url(0)] });
      for (let page = 0; page < model.pageCount; page++) {
        const nature = model.nature(page, 'orbweaver');
        if (nature.kind !== 'page' || nature.form !== undefined) continue;
        const { body, headers } = model.page(model.hostOfPage(page), model.target(page));
        const read = readPage(decodePage(body, headers[1]), model.url(page));
        const found = new Set(
          read.links.map((link) => canonical(link.href, read.base)).filter((url) => url !== undefined),
        );
        const honest = [...found].filter((url) => known.fateOf(url) !== 'trap');
        assert.deepEqual(honest.sort(), [...new Set(model.links(page).map((link) => model.url(link.to)))].sort());
      }
    }
  });

  test('lists phantoms that stand in the bytes of a stored page and are no pages', () => {
    const model = web({ ...RICH, seed: 3 });
    const phantoms = truth(model, { seeds: [model.url(0)] }).phantomUrls();
    assert.ok(phantoms.length > 100);
    const bodies = Array.from({ length: model.pageCount }, (_, page) => {
      return model.page(model.hostOfPage(page), model.target(page)).body;
    });
    for (const url of phantoms) {
      const { pathname, host } = new URL(url);
      assert.equal(model.locate(model.hosts.find(host), pathname).kind, 'phantom');
      assert.ok(
        bodies.some((body) => body.includes(pathname)),
        url,
      );
    }
  });

  test('keeps to the scope: a seed host alone, or a test on the URL', () => {
    const model = web({ seed: 5 });
    const seeds = [model.url(0)];
    const prefix = model.url(0);
    for (const scope of ['host', (url: string) => url.startsWith(prefix)] as const) {
      const known = truth(model, { seeds, scope });
      assert.ok(known.urls('stored').length > 20);
      assert.ok(known.urls('stored').every((url) => url.startsWith(prefix)));
      assert.ok(known.urls('out-of-scope').length > 0);
      assert.ok(known.urls('out-of-scope').every((url) => !url.startsWith(prefix)));
    }
  });

  test('counts exact copies once', () => {
    const model = web({ seed: 2, pages: { ...PLAIN_SHARES.pages, copy: 0.3 } });
    const known = truth(model, { seeds: [model.url(0)] });
    const bodies = new Set(
      known.urls('stored').map((url) => {
        const { host, pathname } = new URL(url);
        return model.page(model.hosts.find(host), pathname).body;
      }),
    );
    assert.equal(known.distinctDocuments, bodies.size);
    assert.ok(known.distinctDocuments < known.counts().stored);
  });

  test('a host whose robots.txt answers 500 is disallowed wholly', () => {
    const model = web({ seed: 1, robots: { ...PLAIN_SHARES.robots, broken: 1 } });
    const known = truth(model, { seeds: [model.url(0)] });
    assert.ok(known.urls('disallowed').length > 0);
    assert.ok(known.urls('stored').every((url) => url.startsWith('http://h000.')));
    const careless = truth(model, { seeds: [model.url(0)], obeyRobots: false });
    assert.equal(careless.urls('disallowed').length, 0);
  });

  test('nofollow can be ignored, then more is reached', () => {
    const shares = { links: { ...PLAIN_SHARES.links, nofollow: 1 }, pages: PLAIN_SHARES.pages };
    const model = web({ seed: 4, linksPerPage: 3, ...shares });
    const seeds = [model.url(0)];
    const strict = truth(model, { seeds, maxDepth: 2 }).counts().stored;
    const loose = truth(model, { seeds, maxDepth: 2, obeyLinkNofollow: false, obeyPageNofollow: false }).counts()
      .stored;
    assert.ok(loose > strict);
  });

  const OFF_BY_DEFAULT = { nearCopy: 0.02, dated: 0.02, listing: 0.02, product: 0.02, deep: 0.02 };

  test('the default web holds every kind of page and most of it is reached', () => {
    const model = new SyntheticWeb(webSpec({ pagesPerHost: 400, pages: OFF_BY_DEFAULT }), NAMES);
    const roles = new Set(Array.from({ length: model.pageCount }, (_, page) => model.role(page)));
    assert.deepEqual([...roles].sort(), ['plain', ...Object.keys(DEFAULT_WEB_SPEC.pages)].sort());
    const counts = truth(model, { seeds: [model.url(0)] }).counts();
    const fates: Fate[] = ['stored', 'redirected', 'failed', 'disallowed'];
    assert.ok(fates.every((fate) => counts[fate] > 0));
    assert.ok(counts.unreached < model.pageCount * 0.05, `${counts.unreached} unreached`);
  });

  test('a seed that is no page of the web is a mistake of the caller', () => {
    assert.throws(() => truth(web({}), { seeds: ['http://elsewhere.test/'] }), { code: 'INPUT_INVALID' });
  });
});
