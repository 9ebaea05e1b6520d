import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type CrawlResult, describeSummary, jsonSummary } from '../../../../src/cli/output/crawl-summary.ts';

const SUMMARY: CrawlResult = {
  ended: 'finished',
  ...{ pages: 22, distinctDocuments: 21, nearDuplicates: 0, spam: 0, requests: 40, bytes: 93_000 },
  ...{ outcomes: {}, refused: { topic: 3 }, failed: {}, seconds: 1, cpuSeconds: 1, maxRssMb: 100 },
  frontier: { known: 150, queued: 110, leased: 0, hosts: 1, parked: 0, planned: 100 },
};

describe('the end of a crawl', () => {
  test('planned visits do not count as URLs that wait', () => {
    const text = describeSummary(SUMMARY, 'c');
    assert.match(text, /queue {4}10 waiting, 0 of them parked, 100 to be visited again; 1 host, 150 URLs known\n/);
    assert.doesNotMatch(text, /harvest|again {4}/);
  });

  test('what was harvested, and that nothing more came', () => {
    const harvest = { pages: 22, relevant: 11, recentRate: 0.5 };
    const text = describeSummary({ ...SUMMARY, ended: 'limit: dry-after', harvest }, 'c');
    assert.match(text, /^Paused: the harvest has dried up\. With a higher --dry-after .* 22 pages/);
    assert.match(text, /harvest {2}11 of 22 pages on topic \(50 %\)\n/);
    assert.deepEqual(jsonSummary({ ...SUMMARY, harvest }).harvest, harvest);
  });

  test('what later visits have found', () => {
    const text = describeSummary({ ...SUMMARY, revisits: { unchanged: 1, redirected: 2 } }, 'c');
    assert.match(text, /again {4}3 visits to known pages: 1 unchanged, 2 moved\n/);
  });

  test('copies that are held are no empty crawl, though no page counts', () => {
    const none = { ...SUMMARY, pages: 0 };
    assert.match(describeSummary(none, 'c'), /^Over, and nothing was stored\./);
    assert.match(describeSummary({ ...none, copiesHeld: true }, 'c'), /^Finished\. 0 pages/);
    const limit = { ...none, ended: 'limit: max-duration' } as const;
    assert.match(describeSummary(limit, 'c'), /No page was stored/);
    assert.doesNotMatch(describeSummary({ ...limit, copiesHeld: true }, 'c'), /No page was stored/);
  });
});
