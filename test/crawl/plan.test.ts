import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveSettings } from '../../src/base/settings/resolve-settings.ts';
import type { Settings } from '../../src/base/settings/schema.ts';
import { type CrawlPlan, planCrawl } from '../../src/crawl/plan/crawl-plan.ts';
import type { CrawlSample } from '../../src/crawl/plan/read-sample.ts';
import { sampleCrawl } from '../../src/crawl/plan/sample-crawl.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import type { WebSpecOverrides } from '../../src/simulate/model/web-spec.ts';
import { startSyntheticWeb, type WebServer } from '../../src/simulate/server/web-server.ts';

const QUICK = {
  crawlDelaySeconds: 0.02,
  slowRobotsMs: 20,
  pageBytes: [500, 3000],
  pages: { tooManyRequests: 0, unavailable: 0 },
  robots: { broken: 0 },
} as const;

interface Planned {
  readonly plan: CrawlPlan;
  readonly sample: CrawlSample;
  /** Pages that a whole crawl stores. */
  readonly pages: number;
}

function settingsFor(web: WebServer, overrides: Partial<Settings>): Settings {
  return resolveSettings({
    overrides: { scope: 'host', delay: 2, delayFactor: 0, allowPrivate: true, hosts: web.hostsMap(), ...overrides },
  }).settings;
}

async function planned(spec: WebSpecOverrides, overrides: Partial<Settings> = {}, seedCount = 1): Promise<Planned> {
  await using web = await startSyntheticWeb({ ...QUICK, ...spec });
  const settings = settingsFor(web, overrides);
  const seeds = web.origins.slice(0, seedCount);
  const sample = await sampleCrawl({ settings, seeds, version: 'test', requests: 30, maxMs: 250_000 });
  const { scope } = settings;
  assert.ok(scope === 'host' || scope === 'any');
  const pages = truth(web.web, { seeds, scope, agent: 'orbweaver' }).urls('stored').length;
  return { plan: planCrawl(sample, settings), sample, pages };
}

describe('A plan', () => {
  test('with sitemaps it is right to a tenth', async () => {
    const { plan, sample, pages } = await planned({ hosts: 2, pagesPerHost: 800, sites: { sitemap: 1 }, seed: 3 });
    assert.equal(plan.basis, 'sitemaps');
    assert.ok(sample.requests <= 31, `${sample.requests} requests`);
    const error = Math.abs(plan.pages.likely / pages - 1);
    assert.ok(error <= 0.1, `${Math.round(plan.pages.likely)} planned, ${pages} are there`);
  });

  for (const [pagesPerHost, seed] of [
    [60, 3],
    [250, 7],
    [1000, 3],
  ] as const) {
    test(`of a site of ${pagesPerHost} pages without sitemaps it is right to a factor of two, within its range`, async () => {
      const { plan, pages } = await planned({ hosts: 2, pagesPerHost, seed });
      const factor = plan.pages.likely / pages;
      assert.ok(factor > 0.5 && factor < 2, `${Math.round(plan.pages.likely)} planned, ${pages} are there`);
      assert.ok(plan.pages.low <= pages * 1.15 && plan.pages.high >= pages * 0.85, JSON.stringify(plan.pages));
    });
  }

  test('over many hosts, of which ever others are looked at, it is right to a factor of three', async () => {
    const { plan, pages } = await planned({ hosts: 10, pagesPerHost: 60, seed: 7 }, { scope: 'any' }, 10);
    const factor = plan.pages.likely / pages;
    assert.ok(factor > 1 / 3 && factor < 3, `${Math.round(plan.pages.likely)} planned, ${pages} are there`);
    assert.ok(plan.hosts.length >= 9, `${plan.hosts.length} hosts`);
  });

  test('of a site that the sample has seen whole it is exact', async () => {
    const { plan, pages } = await planned({ hosts: 1, pagesPerHost: 12, seed: 5 });
    assert.equal(plan.basis, 'everything was seen');
    assert.ok(Math.abs(plan.pages.likely - pages) <= 1, `${plan.pages.likely} planned, ${pages} are there`);
    assert.equal(plan.pages.low, plan.pages.high);
  });

  test('the host that bounds it is the one with the most pages at the longest delay, and its time their product', async () => {
    const spec = {
      hosts: 3,
      pagesPerHost: 40,
      seed: 9,
      crawlDelaySeconds: 0.2,
      robots: { broken: 0, crawlDelay: 0.4 },
    };
    const { plan, sample } = await planned(spec, { scope: 'any', delay: 10, delayFactor: 0 }, 3);
    const slow = sample.hosts.filter(({ crawlDelayMs }) => crawlDelayMs === 200);
    assert.ok(slow.length > 0 && slow.length < sample.hosts.length, 'one host asks for a delay, another does not');
    const [first] = plan.bounds;
    assert.ok(slow.some(({ host }) => host === first.host));
    assert.ok(Math.abs(first.ms / (first.requests * first.everyMs) - 1) < 1e-9);
    assert.ok(first.everyMs >= 200);
    assert.equal(plan.ms.likely, first.ms);
  });

  test('a limit of pages cuts pages and time', async () => {
    await using web = await startSyntheticWeb({ ...QUICK, hosts: 1, pagesPerHost: 400, seed: 2 });
    const settings = settingsFor(web, {});
    const seeds = web.origins;
    const sample = await sampleCrawl({ settings, seeds, version: 'test', requests: 20, maxMs: 250_000 });
    const whole = planCrawl(sample, settings);
    const cut = planCrawl(sample, { ...settings, maxPages: 50 });
    assert.equal(cut.limit, 'max-pages');
    assert.ok(Math.abs(cut.pages.likely - 50) < 1e-6);
    assert.ok(cut.ms.likely < whole.ms.likely / 2);
  });
});
