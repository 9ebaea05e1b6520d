import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveSettings } from '../../../../src/base/settings/resolve-settings.ts';
import { fitted, ProgressDisplay, progressParts } from '../../../../src/cli/output/progress-display.ts';
import type { CrawlProgress } from '../../../../src/contracts/events.ts';
import type { Crawl } from '../../../../src/crawl/crawl.ts';

const NOW = 1_000_000;
const PROGRESS: CrawlProgress = {
  ...{
    elapsedMs: 10_000,
    pages: 100,
    requests: 120,
    bytes: 1e6,
    failed: 2,
    refused: 1,
    pagesPerSecond: 10,
    inFlight: 3,
  },
  frontier: { known: 200, queued: 93, leased: 3, hosts: 1, parked: 20 },
};

function line(progress: Partial<CrawlProgress>, leftMs?: number, room = Number.POSITIVE_INFINITY): string {
  return fitted(progressParts({ ...PROGRESS, ...progress }, 10, leftMs, NOW), room);
}

test('a node of a crawl guesses no end: the others have a say in it', async () => {
  const lines: string[] = [];
  const out = { write: (text: string) => lines.push(text) } as unknown as NodeJS.WriteStream;
  const crawl = { progress: async () => PROGRESS } as unknown as Crawl;
  const { settings } = resolveSettings({ overrides: { partitions: 16, store: 'postgres://db/crawls' } });
  // What its folder holds says nothing of the crawl: it is not even read.
  using display = new ProgressDisplay(out, crawl, '/nowhere', settings);
  display.note('heard');
  assert.deepEqual(lines, ['heard\n']);
});

describe('the line of progress', () => {
  test('a crawl that ends', () => {
    assert.equal(line({}, 90_500), '100 pages | 10.0/s | 70 queued | 1 host | 3 in flight | 2 failed | ETA 2 min');
  });

  test('a focused crawl tells its harvest', () => {
    assert.match(
      line({ harvest: { pages: 100, relevant: 40, recentRate: 0.25 } }),
      /\| 40 on topic \(25 % of late\) \|/,
    );
  });

  test('a continuous crawl tells what it will visit, and when', () => {
    const frontier = { known: 200, queued: 190, leased: 0, hosts: 4, parked: 0, planned: 190 };
    const text = line({ frontier, inFlight: 0, nextDue: NOW + 65_000 });
    assert.equal(
      text,
      '100 pages | 10.0/s | 0 queued | 190 planned | 120 requests | 4 hosts | 0 in flight | 2 failed | next visit in 65 s',
    );
  });

  test('no wait is told while a page that has arrived is not settled: what falls due then is the end of its lease', () => {
    const frontier = { known: 200, queued: 93, leased: 1, hosts: 1, parked: 0 };
    assert.doesNotMatch(line({ frontier, inFlight: 0, nextDue: NOW + 600_000 }), /next visit/);
  });

  test('where there is little room, what matters least goes first, and no number is cut', () => {
    assert.equal(line({}, 90_500, 60), '100 pages | 10.0/s | 70 queued | 2 failed | ETA 2 min');
    assert.equal(line({}, 90_500, 20), '100 pages | 10.0/s');
  });
});
