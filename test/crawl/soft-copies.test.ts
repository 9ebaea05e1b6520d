import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrawlReader } from '../../src/index.ts';
import { crawlAnyHosts, pageOf, textOf } from './any-host-web.ts';
import { temporaryFolder } from './crawl-web.ts';

test('an exact copy of a soft 404 is one, too', async () => {
  using folder = temporaryFolder();
  const home = 'http://site.test/';
  const lost = ['lost/1', 'lost/2', 'lost/3'].map((path) => `${home}${path}`);
  const site = ({ href, pathname }: URL) => {
    // A made-up address is answered honestly: no template tells what the copies are.
    if (pathname === '/robots.txt' || pathname.includes('orbweaver-probe')) return undefined;
    if (href === home) return pageOf('Home', textOf('home'), lost);
    return pageOf('Page not found', 'Sorry, there is no such page here.', []);
  };
  await crawlAnyHosts(site, folder.path, [home], { concurrency: 1 });
  using reader = new CrawlReader(folder.path);
  for (const url of lost) {
    const outcome = (await reader.explain(url)).page?.outcome;
    assert.ok(outcome?.kind === 'gone' && outcome.soft !== undefined, `${url}: ${JSON.stringify(outcome)}`);
  }
});
