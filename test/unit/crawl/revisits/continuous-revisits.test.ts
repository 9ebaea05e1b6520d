import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Claim } from '../../../../src/contracts/crawl-task.ts';
import type { EarlierVisit } from '../../../../src/contracts/revisit.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';
import { ContinuousRevisits } from '../../../../src/crawl/revisits/continuous-revisits.ts';
import { FeedClock } from '../../../../src/crawl/revisits/feed-clock.ts';
import { createRevisitPlanner } from '../../../../src/revisit/revisit-planner.ts';

const HOUR = 3_600_000;
const LIMITS = { minIntervalMs: 12 * HOUR, maxIntervalMs: 720 * HOUR };
const random = () => 0.5;
const rule = new ContinuousRevisits({
  planner: createRevisitPlanner({ policy: 'uniform', requestsPerDay: 10, now: 0, random, ...LIMITS }),
  feeds: new FeedClock({ floor: HOUR, ceiling: 48 * HOUR }, undefined, () => undefined),
  weightOf: () => ({}),
  random,
  ...LIMITS,
});

function claimOf(tries: number, earlier: EarlierVisit): Claim {
  return {
    ...{ id: 1, tries, claimedAt: 0, dueAt: 0, expiresAt: 1, earlier },
    task: {
      ...{ url: 'http://a.test/' as CanonicalUrl, host: 'a.test' as HostKey, depth: 0, redirects: 0, lane: 0 },
      ...{ purpose: 'page', discovery: { how: 'link' } },
    },
  };
}

test('waits of a page that is out of reach double, with retries and without', () => {
  const failed = { kind: 'failed', code: 'reset' } as const;
  for (const tries of [0, 3]) {
    const waits: number[] = [];
    let before: EarlierVisit = { at: 0, outcome: { kind: 'stored' }, digest: 'd' };
    for (let now = HOUR; waits.length < 8; ) {
      const began = now;
      now += tries * 1000;
      const last: EarlierVisit = { at: now - 1000, outcome: failed, digest: 'd', before };
      const { nextVisit = Number.NaN } = rule.after({
        claim: claimOf(tries, tries === 0 ? before : last),
        outcome: failed,
        now,
      });
      waits.push(Math.round((nextVisit - began) / HOUR));
      before = { at: now, outcome: failed, digest: 'd' };
      now = nextVisit;
    }
    assert.deepEqual(waits, [12, 24, 48, 96, 192, 384, 720, 720], `${tries} retries`);
  }
});

test('the last change is when the server says, or the page where the server says nothing', () => {
  const page = { ...{ status: 200, mediaType: 'text/html', bytes: 1, directives: [], noindex: false }, linkCount: 0 };
  const facts = { ...page, fetchMs: 1, requestedAt: 0 };
  const now = 1000 * HOUR;
  const changedAt = (told: object): number | undefined =>
    rule.after({
      claim: claimOf(0, { at: 0, outcome: { kind: 'failed', code: 'reset' } }),
      outcome: { kind: 'stored' },
      facts: { ...facts, ...told },
      now,
    }).history?.changedAt;
  const about = { modified: 900 * HOUR, textLength: 0, words: 0 };
  assert.equal(changedAt({}), undefined);
  assert.equal(changedAt({ about }), 900 * HOUR);
  assert.equal(changedAt({ about, lastModified: new Date(800 * HOUR).toUTCString() }), 800 * HOUR);
  assert.equal(changedAt({ about: { ...about, modified: 1100 * HOUR } }), undefined, 'not in the future');
});
