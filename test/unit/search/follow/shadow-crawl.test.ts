import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import { followCrawl } from '../../../../src/search/follow/follow-crawl.ts';
import { openIndexOf } from '../../../../src/search/follow/open-index.ts';
import { shadowCrawl } from '../../../../src/search/follow/shadow-crawl.ts';
import { crawlAnyHosts, pageOf } from '../../../crawl/any-host-web.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';

const HOME = 'http://site.test/';

test('a shadow index replaces the one in use at once, and the last is made at the end', async () => {
  using folder = temporaryFolder();
  const site = ({ href, pathname }: URL) =>
    pathname === '/robots.txt'
      ? undefined
      : pageOf(href, `words of ${href} `.repeat(20), href === HOME ? [`${HOME}a`] : []);
  await crawlAnyHosts(site, folder.path, [HOME], { maxPages: 1 });
  await followCrawl(folder.path, { mode: 'catch-up' });
  assert.equal(await documentsIn(folder.path), 1);

  await crawlAnyHosts(site, folder.path, [HOME]);
  assert.equal(await documentsIn(folder.path), 1, 'what was crawled since is not seen');
  const stopping = new AbortController();
  const switched: number[] = [];
  const report = await shadowCrawl(folder.path, {
    clock: systemClock,
    everyMs: 10,
    signal: stopping.signal,
    onProgress: (documents) => {
      switched.push(documents);
      if (switched.length === 2) stopping.abort();
    },
  });
  assert.deepEqual(switched, [2, 2]);
  assert.equal(report.total, 2);
  assert.equal(await documentsIn(folder.path), 2);
});

async function documentsIn(folder: string): Promise<number> {
  await using opened = await openIndexOf(folder);
  using snapshot = opened.index.snapshot();
  return snapshot.documents;
}
