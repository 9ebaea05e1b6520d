import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatStatus } from '../../../../src/cli/commands/status.ts';
import type { CrawlStatus, RevisitStatus } from '../../../../src/crawl/report/crawl-status.ts';

const STATUS: CrawlStatus = {
  folder: 'c',
  run: undefined,
  totals: {
    ...{ pages: 100, distinctDocuments: 90, nearDuplicates: 2, spam: 0, requests: 400, bytes: 1e6 },
    ...{ outcomes: { stored: 90 }, refused: {}, failed: {} },
  },
  ...{ queued: 5, later: 1, parked: 0, planned: 0, hosts: 2, busiest: [] },
};

const UPKEEP: RevisitStatus = {
  policy: 'freshness',
  forecast: {
    ...{ pages: 100, requestsPerDay: 14.3, freshness: 0.912, ageDays: 0.5 },
    others: [
      { policy: 'uniform', freshness: 0.871, ageDays: 0.6 },
      { policy: 'proportional', freshness: 0.85, ageDays: 0.7 },
      { policy: 'age', freshness: 0.9, ageDays: 0.4 },
    ],
  },
  savedAt: 0,
  due: 3,
};

describe('status', () => {
  test('a crawl that ends says nothing of visits and topics', () => {
    const text = formatStatus(STATUS);
    assert.match(text, /waiting {3}5 URLs in the queues of 2 hosts, 1 for a later time/);
    assert.doesNotMatch(text, /upkeep|harvest|again/);
  });

  test('a continuous crawl: what it costs and gives, against the plain ways', () => {
    const totals = { ...STATUS.totals, revisits: { unchanged: 200, stored: 30, duplicate: 1, gone: 2 } };
    const text = formatStatus({ ...STATUS, totals, planned: 100, upkeep: UPKEEP });
    assert.match(text, /again {5}233 visits to known pages: 200 unchanged, 31 stored again, 2 gone\n/);
    assert.match(text, /upkeep {4}100 pages to be visited again, 3 of them due; 14 requests a day, one for each page/);
    assert.match(text, /spent in other ways, by 233 visits:\n/);
    assert.match(
      text,
      /freshness +91\.2 % {3}12\.0 h\n +uniform +87\.1 % {3}14\.4 h\n +proportional +85\.0 % {3}16\.8 h/,
    );
  });

  test('a forecast says what it rests on', () => {
    const after = (revisits?: Record<string, number>): string =>
      formatStatus({ ...STATUS, totals: { ...STATUS.totals, revisits }, planned: 100, upkeep: UPKEEP });
    assert.match(after(), /other ways, by a guess, since no page was visited again yet:\n/);
    assert.match(after({ unchanged: 1 }), /other ways, by only 1 visit so far:\n/);
  });

  test('a budget and a goal are told with what comes of them', () => {
    const line = (upkeep: Partial<RevisitStatus>): string =>
      formatStatus({ ...STATUS, planned: 100, upkeep: { ...UPKEEP, ...upkeep } });
    assert.match(line({ requestsPerDay: 20 }), /; 14 requests a day planned, 20 allowed\n/);
    assert.match(line({ freshnessGoal: 0.9 }), /; the goal of 90\.0 % fresh costs 14 requests a day\n/);
    const most = { forecast: { ...UPKEEP.forecast, asOftenAsAllowed: true } } as const;
    assert.match(line({ requestsPerDay: 20, ...most }), /20 allowed; revisit-min allows no more visits\n/);
    assert.match(
      line({ freshnessGoal: 0.99 }),
      /99\.0 % fresh is out of reach: with 14 .* revisit-min allows, it is 91\.2 %\n/,
    );
    assert.match(line({ freshnessGoal: 0.5 }), /50\.0 % fresh costs .*, because revisit-max allows no fewer visits\n/);
  });

  test('a focused crawl: the harvest', () => {
    const text = formatStatus({ ...STATUS, harvest: { pages: 400, relevant: 100, recentRate: 0.1 } });
    assert.match(text, /harvest {3}100 of 400 pages on topic \(25 %; 10 % of the last ones\)\n/);
  });
});
