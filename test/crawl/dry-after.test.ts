import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatStatus } from '../../src/cli/commands/status.ts';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { textOf } from './any-host-web.ts';
import { crawlUntil, largePage, serveSite } from './changing-site.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';

const SPIDERS = `Jumping spiders are a family of spiders that hunt by day. A jumping spider sees better than other arthropods. When a
jumping spider leaps, it fastens a thread of silk first.`;

/** Pages that each lead to the next, a few of them on topic at the beginning, then none. */
function chain(length: number): Map<string, string> {
  const name = (place: number): string => (place === 0 ? '/' : `/p${place}`);
  return new Map(
    Array.from({ length }, (_, place) => {
      const text = place < 3 ? SPIDERS : textOf(`${place}`, 60);
      return [name(place), largePage(`page ${place}`, text, [name(place + 1)], 100)];
    }),
  );
}

const FOCUS = { topic: 'jumping spiders', tunnel: 100, trapLearning: false, requestsPerDay: 60 } as const;

async function harvestOf(folder: string) {
  using reader = new CrawlReader(folder);
  const status = await reader.status(5);
  return { harvest: status.harvest, words: formatStatus(status) };
}

test('visits again count in no harvest, and do not dry it up', async () => {
  using folder = temporaryFolder();
  using site = await serveSite(chain(10));
  const settings = { ...FOCUS, dryAfter: 20 };
  const { ended, warnings } = await crawlUntil(folder.path, `${site.origin}/`, () => site.asked.length >= 50, settings);
  assert.deepEqual([ended, warnings], ['stopped', []]);
  const { harvest } = await harvestOf(folder.path);
  assert.deepEqual([harvest?.pages, harvest?.relevant], [10, 3]);
});

test('a continuous crawl whose harvest has dried up takes in no new pages and goes on with those it has', async () => {
  using folder = temporaryFolder();
  using site = await serveSite(chain(100));
  const settings = { ...FOCUS, dryAfter: 10 };
  const first = await crawlUntil(folder.path, `${site.origin}/`, () => site.asked.length >= 60, settings);
  assert.equal(first.ended, 'stopped');
  assert.deepEqual(
    first.warnings.map(({ code }) => code),
    ['DRY_AFTER'],
  );
  const kept = storedPages(folder.path).length;
  assert.ok(kept >= 13 && kept < 20, `${kept}`);
  assert.ok(site.asked.length >= 60, 'visits go on');
  const { harvest, words } = await harvestOf(folder.path);
  assert.deepEqual([harvest?.pages, harvest?.relevant], [kept, 3]);
  assert.match(words, /dry-after is reached: no new pages are taken in/);
});

test('a crawl that ends still ends when its harvest has dried up', async () => {
  using folder = temporaryFolder();
  using site = await serveSite(chain(100));
  const settings = { ...FOCUS, continuous: false, requestsPerDay: 'auto', dryAfter: 10 } as const;
  const { ended } = await crawlUntil(folder.path, `${site.origin}/`, () => false, settings);
  assert.equal(ended, 'limit: dry-after');
});
