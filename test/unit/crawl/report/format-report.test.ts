import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PageRecord } from '../../../../src/contracts/page-store.ts';
import type { ChangeHistory } from '../../../../src/contracts/revisit.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';
import { formatReport } from '../../../../src/crawl/report/format-report.ts';
import type { UrlReport } from '../../../../src/crawl/report/url-report.ts';

const DAY = 86_400_000;
const NOW = Date.now();
const URL_ = 'https://a.test/page' as CanonicalUrl;

function told(page: Partial<PageRecord>): string {
  const record: PageRecord = {
    url: URL_,
    host: 'a.test:443' as HostKey,
    depth: 2,
    discovery: { how: 'link' },
    discoveredAt: NOW - 20 * DAY,
    state: 'done',
    tries: 0,
    history: [],
    ...page,
  };
  const report: UrlReport = { asked: URL_, url: URL_, normalization: [], page: record, path: [] };
  return formatReport(report).join('\n');
}

const FACTS = {
  ...{ status: 200, mediaType: 'text/html', bytes: 10, directives: [], noindex: false, linkCount: 1 },
  ...{ fetchMs: 1, requestedAt: NOW },
};

describe('explain', () => {
  test('a waiting URL has a place, and why', () => {
    const text = told({ state: 'queued', place: { lane: 3, why: '4 pages link to it, path depth 2' } });
    assert.match(text, /now {10}waits in the queue of a\.test:443\n/);
    assert.match(text, /place {8}front queue 3 \(0 comes first\): 4 pages link to it, path depth 2/);
    assert.doesNotMatch(told({ state: 'queued' }), /place/);
  });

  test('links that were left out', () => {
    const facts = { ...FACTS, linkCount: 50_000, omittedLinks: 950_000 };
    assert.match(told({ facts }), /50000 links\n {2}left out {5}950000 more links, beyond max-links-per-page\n/);
    assert.doesNotMatch(told({ facts: FACTS }), /left out/);
  });

  test('a retry is no next visit', () => {
    const text = told({ state: 'queued', tries: 1, nextVisit: NOW + DAY });
    assert.match(text, /waits in the queue of a\.test:443, not before .* UTC, after 1 failed try$/m);
  });

  test('the next visit, when and why, and how often it was found changed', () => {
    const changes: ChangeHistory = {
      ...{ since: NOW - 20 * DAY, visitedAt: NOW, visits: 13, changes: 3, changedAt: Date.UTC(2026, 10, 2) },
      ...{ intervals: [], rate: 1 / 9, evidence: 12 },
    };
    const why = 'changes about every 9 days (3 of 12 looks found a change); one visit in 5 days is worth its price';
    const nextVisit = NOW + 5 * DAY + 1000;
    const text = told({ state: 'queued', outcome: { kind: 'unchanged' }, nextVisit, nextVisitWhy: why, changes });
    assert.match(text, /next visit {3}\d{4}-.* UTC, in 5 days\n {15}changes about every 9 days \(3 of 12 looks/);
    assert.match(text, /found changed at 3 of 12 later visits, last 2026-11-02 .*; changes about every 9 days/);
    assert.match(
      told({ state: 'queued', nextVisit: NOW - 1, nextVisitWhy: why }),
      /as soon as its host and the budget allow it/,
    );
  });

  test('never again, and why', () => {
    assert.match(told({}), /next visit {3}never: this crawl visits every URL once/);
    assert.match(told({ nextVisitWhy: 'gone for too long: given up' }), /next visit {3}never: gone for too long/);
  });

  test('how far it is on the topic, and a way that ends off topic', () => {
    const why = 'relevance .83: cosine .41 to the topic; words: spiders';
    assert.match(told({ facts: { ...FACTS, topic: { relevance: 0.83, why } } }), /topic {8}on topic, relevance \.83/);
    assert.match(told({ facts: { ...FACTS, topic: { relevance: 0.2, why } } }), /topic {8}off topic/);
    const outcome = { kind: 'refused', by: 'topic', rule: 'the last of 4 in a row' } as const;
    const refused = told({ state: 'refused-link', outcome, history: [{ at: NOW, ...outcome }] });
    assert.match(refused, /refused by topic: the last of 4 in a row\n {2}next visit {3}none, unless a page on topic/);
  });
});
