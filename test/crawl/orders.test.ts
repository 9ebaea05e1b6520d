import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CrawlReader } from '../../src/crawl/crawl-reader.ts';
import { createCrawl } from '../../src/index.ts';
import { truth } from '../../src/simulate/truth.ts';
import { startSyntheticWeb } from '../../src/simulate/web-server.ts';
import { PLAIN_SHARES } from '../../src/simulate/web-spec.ts';
import { crawlAnyHosts, pageOf, textOf } from './any-host-web.ts';
import { crawlWeb, storedPages, temporaryFolder } from './crawl-web.ts';

const PLAIN = { ...PLAIN_SHARES, hosts: 3, pagesPerHost: 60, pageBytes: [3000, 5000] } as const;
const HOME = 'http://site.test/';
/** The texts are short lists of words, which look like much else. */
const PLAINLY = { softNotFound: false, trapLearning: false, nearDuplicates: false, spam: false } as const;

describe('crawl orders', () => {
  for (const workers of [0, 2]) {
    test(`best-first with ${workers} page threads crawls the same pages as any order, each once`, async () => {
      await using web = await startSyntheticWeb({ ...PLAIN, seed: 9 });
      using folder = temporaryFolder();
      await crawlWeb(web, folder.path, { delay: 0, order: 'best-first', workers });
      const { mismatches } = comparison(
        storedPages(folder.path),
        truth(web.web, { seeds: web.origins, agent: 'orbweaver' }).urls('stored'),
      );
      assert.deepEqual(mismatches, []);
    });
  }

  test('a page that many link to comes before those that were found earlier, and explain tells why', async () => {
    using folder = temporaryFolder();
    const names = Array.from({ length: 20 }, (_, i) => `${HOME}p${i}`);
    const popular = `${HOME}popular`;
    const { asked } = await crawlAnyHosts(
      ({ href, pathname }) => {
        if (pathname === '/robots.txt') return undefined;
        if (href === HOME) return pageOf(href, textOf(href), [...names, popular]);
        // The first pages all speak of the one that was named last.
        return pageOf(href, textOf(href), href === popular ? [] : [popular]);
      },
      folder.path,
      [HOME],
      { order: 'in-degree', maxPages: 12 },
    );
    const pages = asked.filter((url) => !url.endsWith('robots.txt'));
    assert.ok(pages.indexOf(popular) > 0 && pages.indexOf(popular) < 6, `place ${pages.indexOf(popular)}`);
    using reader = new CrawlReader(folder.path);
    const waiting = names.find((name) => !pages.includes(name)) as string;
    const { page } = await reader.explain(waiting);
    assert.match(String(page?.place?.why), /link/);
  });

  test('a crawl goes on in its order after a restart', async () => {
    await using web = await startSyntheticWeb({ ...PLAIN, seed: 10 });
    using folder = temporaryFolder();
    const order = 'pagerank:2,depth:1';
    await crawlWeb(web, folder.path, { delay: 0, order, maxPages: 40 });
    await crawlWeb(web, folder.path, { delay: 0, order });
    const expected = truth(web.web, { seeds: web.origins, agent: 'orbweaver' }).urls('stored');
    assert.deepEqual(comparison(storedPages(folder.path), expected).mismatches, []);
  });

  test('an order that cannot be read is told before anything is opened', async () => {
    using folder = temporaryFolder();
    await assert.rejects(createCrawl({ folder: folder.path, seeds: [HOME], order: 'best' }), {
      code: 'SETTING_INVALID',
    });
  });
});

describe('focused crawls', () => {
  const spiders = 'spider silk web orb weaver legs prey venom spinneret jumping hunting';
  const cars = 'engine wheel motor gearbox brake tyre clutch diesel exhaust piston';
  /** Ten pages on spiders behind one on cars, and a hundred on cars beside it. */
  const site = ({ href, pathname }: URL) => {
    if (pathname === '/robots.txt') return undefined;
    const [, kind = '', number = ''] = /^\/(spiders|cars)-(\d+)$/.exec(pathname) ?? [];
    const words = kind === 'spiders' ? spiders : cars;
    const text = Array.from(
      { length: 120 },
      (_, i) => words.split(' ')[(i * 7 + Number(number) * 3 + (i >> 3)) % 10],
    ).join(' ');
    const at = Number(number);
    const links =
      href === HOME
        ? [...Array.from({ length: 40 }, (_, i) => `/cars-${i}`), '/spiders-0']
        : kind === 'spiders'
          ? [`/spiders-${at + 1}`, `/cars-${at + 50}`].filter((link) => link !== '/spiders-20')
          : [`/cars-${at + 100}`];
    return at > 400
      ? undefined
      : pageOf(
          `${kind} ${number}`,
          text,
          links.map((link) => new URL(link, HOME).href),
        );
  };

  test('pages on topic come first; those in a row off topic are left alone, with the reason', async () => {
    using folder = temporaryFolder();
    const { asked, summary } = await crawlAnyHosts(site, folder.path, [HOME], {
      topic: 'orb weaver spiders, their silk and webs',
      tunnel: 1,
      ...PLAINLY,
    });
    const pages = asked.map((url) => new URL(url).pathname).filter((path) => path !== '/robots.txt');
    const onTopic = pages.slice(0, 25).filter((path) => path.startsWith('/spiders')).length;
    assert.ok(onTopic >= 15, `${onTopic} of the first 25: ${pages.slice(0, 25).join(' ')}`);
    assert.equal(pages.filter((path) => path.startsWith('/spiders')).length, 20, 'all of them are found');
    assert.ok((summary.refused.topic ?? 0) > 0);
    using reader = new CrawlReader(folder.path);
    const { page } = await reader.explain(`${HOME}spiders-3`);
    assert.ok((page?.facts?.topic?.relevance ?? 0) >= 0.5);
  });

  test('sample pages stand for a description', async () => {
    using folder = temporaryFolder();
    const { asked } = await crawlAnyHosts(site, folder.path, [HOME], {
      like: [`${HOME}spiders-5`],
      maxPages: 20,
      ...PLAINLY,
    });
    const onTopic = asked.filter((url) => url.includes('/spiders-')).length;
    assert.ok(onTopic >= 8, `${onTopic} of ${asked.length}`);
  });

  test('a crawl without harvest ends', async () => {
    using folder = temporaryFolder();
    const { summary } = await crawlAnyHosts(site, folder.path, [HOME], {
      topic: 'baroque music of Venice',
      dryAfter: 20,
      ...PLAINLY,
    });
    assert.equal(summary.ended, 'limit: dry-after');
  });
});

function comparison(found: readonly string[], expected: Iterable<string>): { readonly mismatches: readonly string[] } {
  const wanted = new Set(expected);
  const there = new Set(found);
  const missing = [...wanted].filter((url) => !there.has(url)).map((url) => `missing ${url}`);
  return { mismatches: [...missing, ...found.filter((url) => !wanted.has(url)).map((url) => `too many ${url}`)] };
}
