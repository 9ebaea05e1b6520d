import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { resolveSettings } from '../../../src/base/settings/resolve-settings.ts';
import { TimeLeft } from '../../../src/crawl/plan/time-left.ts';
import { CrawlReader, createCrawl } from '../../../src/index.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

const TEXT = '<p>Jumping spiders hunt by day. A jumping spider sees its prey and leaps at it.</p>'.repeat(3);

describe('what a crawl folder tells of a crawl', () => {
  let origin = '';
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else {
      response.setHeader('content-type', 'text/html');
      const links = Array.from({ length: 20 }, (_, at) => `<a href="/page${at}">Page ${at}</a>`).join(' ');
      response.end(`<title>Jumping spiders ${request.url}</title>${TEXT}<p>${request.url}</p>${links}`);
    }
  });
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const rules = { allowPrivate: true, delay: 0, workers: 0, maxPages: 5, index: false } as const;

  test('a focused and continuous one keeps its harvest and its forecast', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'c');
    const wanted = { topic: 'jumping spiders', continuous: true, freshnessGoal: 0.9, order: 'best-first' };
    await using crawl = await createCrawl({ folder: path, seeds: [origin], ...rules, ...wanted });
    // At its limit of pages it would go on with those it has.
    using _heard = crawl.on('warning', ({ code }) => void (code === 'MAX_PAGES' && crawl.stop()));
    const summary = await crawl.run();
    assert.equal(summary.ended, 'stopped');
    using reader = new CrawlReader(path);
    const { harvest, upkeep, planned } = await reader.status(1);
    assert.deepEqual(harvest, { pages: 5, relevant: 5, recentRate: 1 });
    assert.equal(planned, 5);
    assert.equal(upkeep?.freshnessGoal, 0.9);
    assert.equal(upkeep.forecast.pages, 5);
    assert.equal(upkeep.due, 0);
    assert.ok(upkeep.forecast.others.some(({ policy }) => policy === 'uniform'));
    const { page } = await reader.explain(origin);
    assert.ok((page?.nextVisit ?? 0) > Date.now());
    assert.ok((page?.facts?.topic?.relevance ?? 0) > 0.5);
    const waiting = await reader.explain(`${origin}page19`);
    assert.equal(waiting.page?.state, 'queued');
    assert.ok((waiting.page?.place?.why ?? '') !== '', 'the reason for its place is kept');
  });

  test('a plain one tells neither, and how long it will go on', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'c');
    await using crawl = await createCrawl({ folder: path, seeds: [origin], ...rules });
    const { settings } = resolveSettings({ overrides: { ...rules, maxPages: 1000, delay: 1000, delayFactor: 0 } });
    using left = new TimeLeft(path, settings);
    assert.equal(await left.of(await crawl.progress()), undefined, 'nothing was visited');
    await crawl.run();
    using later = new TimeLeft(path, settings);
    const ms = (await later.of(await crawl.progress())) ?? 0;
    assert.ok(ms >= 15_000 && ms < 1_000_000, `16 URLs wait, one second apart, and more may come: ${ms} ms`);
    using limited = new TimeLeft(path, { ...settings, maxDuration: 10_000 });
    assert.ok(((await limited.of(await crawl.progress())) ?? 0) <= 10_000, 'the run ends by then');
    using reader = new CrawlReader(path);
    const status = await reader.status(1);
    assert.deepEqual([status.harvest, status.upkeep, status.planned], [undefined, undefined, 0]);
  });
});
