import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crawlAnyHosts, pageOf, textOf } from './any-host-web.ts';
import { temporaryFolder } from './crawl-web.ts';

const TEN_YEARS = '315360000';

test('a host that asks for a rest of years does not keep the crawl from its end, and is not forgotten', async () => {
  using folder = temporaryFolder();
  const seeds = ['http://honest.test/', 'http://never.test/', 'http://slow.test/'];
  const { summary } = await crawlAnyHosts(
    ({ hostname, pathname }) => {
      if (hostname === 'never.test' && pathname === '/') return { status: 503, headers: { 'retry-after': TEN_YEARS } };
      if (hostname === 'slow.test' && pathname === '/robots.txt')
        return { body: `User-agent: *\nCrawl-delay: ${TEN_YEARS}\n` };
      return pathname === '/robots.txt' ? undefined : pageOf(hostname, textOf(hostname), []);
    },
    folder.path,
    seeds,
  );
  assert.equal(summary.ended, 'limit: max-wait');
  assert.equal(summary.pages, 1);
  assert.equal(summary.frontier.queued, 2, 'both URLs wait for another run');
});

test('a 304 that nobody asked for is no copy', async () => {
  using folder = temporaryFolder();
  const { summary } = await crawlAnyHosts(
    ({ pathname }) => (pathname === '/' ? { status: 304 } : undefined),
    folder.path,
    ['http://odd.test/'],
  );
  assert.deepEqual(summary.failed, { 'http-304': 1 });
});
