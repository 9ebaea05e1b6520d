import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatStatus } from '../../src/cli/commands/status.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { createCrawl } from '../../src/index.ts';
import { changesIn, crawlUntil, largeSite, serveSite } from './changing-site.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';

test('a continuous crawl at its limit of pages takes in no new ones and goes on with those it has', async () => {
  using folder = temporaryFolder();
  const pages = largeSite(30, 100);
  using site = await serveSite(pages);
  const seed = `${site.origin}/`;
  const limit = { maxPages: 10, requestsPerDay: 40 };
  const first = await crawlUntil(folder.path, seed, () => site.asked.length >= 60, limit);
  assert.equal(first.ended, 'stopped', 'it did not end at the limit');
  assert.equal(storedPages(folder.path).length, 10);
  assert.equal(changesIn(folder.path).length, 10);
  assert.equal(new Set(site.asked.map(({ path }) => path)).size, 10, 'nothing else was asked for');
  assert.deepEqual(
    first.warnings.map(({ code }) => code),
    ['MAX_PAGES'],
  );
  {
    using reader = new CrawlReader(folder.path);
    const status = await reader.status(5);
    assert.equal(status.upkeep?.full, 10);
    assert.match(formatStatus(status), /max-pages \(10\) is reached: no new pages are taken in/);
  }

  const asked = site.asked.length;
  await crawlUntil(folder.path, seed, () => site.asked.length >= asked + 30, limit);
  assert.equal(storedPages(folder.path).length, 10, 'nor after a restart');
  assert.ok(site.asked.length >= asked + 30, 'visits go on');

  const all = await crawlUntil(folder.path, seed, () => storedPages(folder.path).length >= 31, {
    ...limit,
    maxPages: 100,
  });
  assert.equal(storedPages(folder.path).length, 31, 'a higher limit lets it go on');
  assert.deepEqual(all.warnings, []);
});

test('the last pages are not overshot when many hosts are asked at once', async () => {
  using folder = temporaryFolder();
  const sites = await Promise.all(Array.from({ length: 6 }, () => serveSite(largeSite(10, 100))));
  try {
    const seeds = sites.map(({ origin }) => `${origin}/`);
    const asked = () => sites.reduce((sum, site) => sum + site.asked.length, 0);
    const limit = { maxPages: 20, requestsPerDay: 200, scope: 'any', concurrency: 6 } as const;
    await crawlUntil(folder.path, seeds, () => asked() >= 60, limit);
    assert.equal(storedPages(folder.path).length, 20);
  } finally {
    for (const site of sites) site[Symbol.dispose]();
  }
});

test('a crawl that ends still ends at its limit', async () => {
  using folder = temporaryFolder();
  using site = await serveSite(largeSite(30, 100));
  const { ended } = await crawlUntil(folder.path, `${site.origin}/`, () => false, { continuous: false, maxPages: 10 });
  assert.equal(ended, 'limit: max-pages');
  assert.equal(storedPages(folder.path).length, 10);
});

test('pages that were absent at first are not taken in beyond the limit when they are visited again', async () => {
  using folder = temporaryFolder();
  const whole = largeSite(30, 100);
  const pages = new Map([...whole].filter(([path]) => path === '/' || Number(path.slice(2)) >= 25));
  using site = await serveSite(pages);
  const quick = { delay: 0, delayFactor: 0, workers: 0, sitemaps: 'off', robots: false, softNotFound: false } as const;
  const round = async (again: boolean): Promise<string> => {
    await using crawl = await createCrawl({
      ...{ folder: folder.path, seeds: [`${site.origin}/`], allowPrivate: true, maxPages: 10, ...quick, again },
    });
    return (await crawl.run()).ended;
  };
  assert.equal(await round(false), 'finished');
  assert.equal(storedPages(folder.path).length, 6);
  for (const [path, page] of whole) pages.set(path, page);
  assert.equal(await round(true), 'limit: max-pages');
  assert.equal(storedPages(folder.path).length, 10);
  assert.equal(await round(true), 'limit: max-pages', 'nor in a further round');
  assert.equal(storedPages(folder.path).length, 10);
});
