import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Claim } from '../../../../src/contracts/crawl-task.ts';
import type { ChangeHistory, EarlierVisit } from '../../../../src/contracts/revisit.ts';
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

test('a page that an earlier crawl has watched begins with its rate, and its first visit counts as the next one there', () => {
  const now = 1000 * HOUR;
  const planner = () => createRevisitPlanner({ policy: 'proportional', requestsPerDay: 10, now: 0, random, ...LIMITS });
  /** As an earlier crawl leaves a page that it has visited every day; it has changed at each visit, or at none. */
  const watched = (changed: boolean): ChangeHistory => {
    const earlier = planner();
    let history = earlier.observe(undefined, { at: 0 });
    for (let day = 1; day <= 12; day++) history = earlier.observe(history, { at: day * 24 * HOUR, changed });
    return history;
  };
  const [often, never] = [watched(true), watched(false)];
  assert.ok(often.rate > 10 * never.rate);
  const page = { ...{ status: 200, mediaType: 'text/html', bytes: 1, directives: [], noindex: false }, linkCount: 0 };
  const facts = { ...page, fetchMs: 1, requestedAt: 0, digest: 'new', textDigest: '2:new' };
  const first = (history: ChangeHistory | undefined, compared: Partial<EarlierVisit>, byRate = false) => {
    const visit: EarlierVisit = { at: history?.visitedAt ?? 0, outcome: { kind: 'stored' }, ...compared };
    const rates = { of: () => (history === undefined ? undefined : { history, visit }) };
    const feeds = new FeedClock({ floor: HOUR, ceiling: 48 * HOUR }, undefined, () => undefined);
    const own = new ContinuousRevisits({
      planner: planner(),
      feeds,
      weightOf: () => ({}),
      random,
      rates,
      byRate,
      ...LIMITS,
    });
    const { earlier: _none, ...claim } = claimOf(0, { at: 0, outcome: { kind: 'stored' } });
    return own.after({ claim, outcome: { kind: 'stored' }, facts, now });
  };
  const unknown = first(undefined, {});
  assert.equal(unknown.history?.visits, 1);
  const changed = first(often, { digest: 'old', textDigest: '2:old' });
  const same = first(never, { digest: 'old', textDigest: '2:new' });
  assert.deepEqual([changed.history?.visits, changed.history?.changes], [14, 13], 'and found another text');
  assert.deepEqual([same.history?.visits, same.history?.changes], [14, 0], 'other bytes, but the same text');
  for (const plan of [changed, same, unknown]) {
    assert.deepEqual(plan.change, { kind: 'new' }, 'for this crawl it is new');
    assert.equal(plan.history?.since, now);
    assert.equal(plan.history?.visitedAt, now);
  }
  const rateOf = ({ history }: typeof changed): number => history?.rate ?? Number.NaN;
  assert.ok(rateOf(changed) > 3 * rateOf(unknown) && rateOf(unknown) > 2 * rateOf(same));
  // What cannot be compared shows nothing: the rate is as it was.
  assert.deepEqual([first(never, {}).history?.visits, rateOf(first(never, {}))], [13, never.rate]);

  assert.deepEqual(
    [changed, same, unknown].map(({ nextVisitLane }) => nextVisitLane),
    [0, 0, 0],
  );
  const changing = first(often, { digest: 'old', textDigest: '2:old' }, true);
  const lanes = [changing, first(never, { digest: 'old', textDigest: '2:new' }, true)].map(
    (plan) => plan.nextVisitLane,
  );
  assert.ok((lanes[0] ?? 9) <= 1 && (lanes[1] ?? 0) >= 5, `by the rate: ${lanes}`);
});
