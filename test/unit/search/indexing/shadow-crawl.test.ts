import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import { followCrawl } from '../../../../src/search/indexing/follow-crawl.ts';
import { noteSwitch } from '../../../../src/search/indexing/last-switch.ts';
import { openIndexOf } from '../../../../src/search/indexing/open-index.ts';
import { shadowCrawl } from '../../../../src/search/indexing/shadow-crawl.ts';
import { openSearcher } from '../../../../src/search/open-searcher.ts';
import { crawlAnyHosts, pageOf } from '../../../crawl/any-host-web.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';
import { CrawledFolder } from './crawled-folder.ts';

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
  assert.deepEqual(switched, [2, 2, 2], 'one more when the crawl has ended');
  assert.equal(report.total, 2);
  assert.equal(await documentsIn(folder.path), 2);
});

test('snippets are those of the copies that the index holds, not of newer ones', async () => {
  using folder = temporaryFolder();
  await using crawled = new CrawledFolder(folder.path);
  await crawled.visit(HOME, { html: '<title>Fair</title><p>Apples', text: 'Apples are sold at the fair.' });
  await followCrawl(folder.path, { mode: 'catch-up' });
  await crawled.visit(HOME, { html: '<title>Fair</title><p>Pears', text: 'Pears are sold at the fair.' });
  const found = async (): Promise<string> => {
    await using searcher = await openSearcher(folder.path);
    const { hits } = await searcher.search({ query: 'fair' });
    assert.equal(await searcher.indexedAt(HOME), hits[0].fetchedAt);
    assert.equal(await searcher.indexedAt(`${HOME}unknown`), undefined);
    return hits[0].snippet.map(({ text }) => text).join('');
  };
  assert.match(await found(), /^Apples/);
  await followCrawl(folder.path, { mode: 'catch-up' });
  assert.match(await found(), /^Pears/);
});

const SECOND = 1000;
const DAY = 86_400 * SECOND;

test('a young crawl is searched at once, and again after waits that grow up to shadow-every', async () => {
  using folder = temporaryFolder();
  await crawlOnePage(folder.path);
  const { waits } = await shadowed(folder.path, new SleepingClock(), 5 * SECOND, 6);
  assert.deepEqual(
    waits,
    [0, 1, 2, 4, 5, 5].map((seconds) => seconds * SECOND),
  );
});

test('a crawl that is cut off and started again goes on waiting, and does not begin anew', async () => {
  using folder = temporaryFolder();
  await crawlOnePage(folder.path);
  const clock = new SleepingClock();
  await shadowed(folder.path, clock, DAY, 1);
  noteSwitch(folder.path, { at: clock.now(), waitMs: DAY });
  clock.advance(DAY / 4);
  assert.deepEqual((await shadowed(folder.path, clock, DAY, 1)).waits, [DAY * 0.75]);
  clock.advance(2 * DAY);
  assert.deepEqual((await shadowed(folder.path, clock, DAY, 2)).waits, [0, DAY], 'overdue');
  assert.deepEqual((await shadowed(folder.path, clock, DAY / 2, 1)).waits, [DAY / 2], 'another setting');
  const setBack = new SleepingClock(clock.now() - 30 * DAY);
  assert.deepEqual((await shadowed(folder.path, setBack, DAY, 1)).waits, [DAY / 2], 'the clock was set back');
});

test('as long as there is no page it is looked for often', async () => {
  using folder = temporaryFolder();
  await crawlAnyHosts(() => undefined, folder.path, [HOME]);
  const { waits } = await shadowed(folder.path, new SleepingClock(), DAY, 8);
  assert.deepEqual(
    waits,
    [0, 1, 2, 4, 8, 10, 10, 10].map((seconds) => seconds * SECOND),
  );
  assert.equal(await documentsIn(folder.path), 0);
});

/** Virtual time in which every sleep is over at once. */
class SleepingClock extends VirtualClock {
  readonly waits: number[] = [];

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return;
    this.waits.push(ms);
    this.advance(ms);
  }
}

/** Ends like a process that is killed: nothing is made any more. */
async function shadowed(folder: string, clock: SleepingClock, everyMs: number, switches: number) {
  clock.waits.length = 0;
  const cutOff = new Error('cut off');
  let made = 0;
  const onProgress = (): void => {
    if (++made === switches) throw cutOff;
  };
  const { signal } = new AbortController();
  await assert.rejects(shadowCrawl(folder, { clock, everyMs, signal, onProgress }), cutOff);
  return { waits: [...clock.waits] };
}

async function crawlOnePage(folder: string): Promise<void> {
  const site = ({ href, pathname }: URL) =>
    pathname === '/robots.txt' ? undefined : pageOf(href, `words of ${href} `.repeat(20), []);
  await crawlAnyHosts(site, folder, [HOME], { maxPages: 1 });
}

async function documentsIn(folder: string): Promise<number> {
  await using opened = await openIndexOf(folder);
  using snapshot = opened.index.snapshot();
  return snapshot.documents;
}
