import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlLook } from '../../src/web/dashboard/crawl-watch.ts';
import { serve } from '../unit/web/serving.ts';
import { Chromium, findChromium } from './chromium.ts';

const found = findChromium();
const skip = 'missing' in found ? found.missing : false;
const NO_WIDER = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth';

/** A crawl that stores a page with every look. */
class GrowingCrawl {
  pages = 0;

  async look(): Promise<CrawlLook> {
    const pages = ++this.pages;
    const at = Date.now();
    return {
      ...{ at, startedAt: at - 60_000, queued: 3, later: 0, planned: 0, parked: 0, hosts: 1 },
      totals: {
        ...{ pages, distinctDocuments: pages, nearDuplicates: 0, spam: 0, requests: pages, bytes: pages * 1000 },
        ...{ outcomes: { stored: pages }, refused: {}, failed: {} },
      },
      standing: { ready: 1, resting: 0, held: 0, parked: 0, idle: 0, frontQueues: [] },
      ...{ busiest: [], slowest: [], waiting: [], waitingHosts: 0, held: [], mirrors: [], spamHosts: 0 },
      visits: [{ url: `http://a.example/${'long'.repeat(60)}`, at, status: 200, mediaType: 'text/html', bytes: 900 }],
    };
  }
}

test('the dashboard keeps itself up to date, can be paused, and is whole without scripts', { skip }, async () => {
  await using served = await serve({ watch: new GrowingCrawl() });
  await using chromium = await Chromium.start('path' in found ? found.path : '');
  const tab = await chromium.openTab();
  const stored = () => tab.evaluate<string>("document.querySelector('.tiles .value').textContent");
  const url = `${served.listening.url}dashboard`;
  await tab.open(url);
  const first = await stored();
  await tab.hold(`document.querySelector('.tiles .value').textContent !== '${first}'`);
  await tab.click('.pause');
  assert.equal(await tab.evaluate("document.querySelector('.pause').textContent"), 'Resume updates');
  for (const width of [320, 1200]) {
    await tab.resize(width, 800, width < 400);
    assert.ok(await tab.evaluate(NO_WIDER), `at ${width} pixels`);
    const lines = "document.querySelector('.visits .line').getBoundingClientRect().height";
    assert.ok((await tab.evaluate<number>(lines)) < 30, `a long address stays on one line at ${width} pixels`);
    assert.equal(await tab.evaluate("document.querySelector('.visits .line').title.length"), 257);
  }
  assert.deepEqual(tab.complaints, []);
  await tab.allowScripts(false);
  await tab.open(url);
  await tab.allowScripts(true);
  assert.match(await stored(), /^\d+$/);
});
