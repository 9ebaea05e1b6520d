import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BinaryHeap } from '../../../src/base/binary-heap.ts';
import type { ChangeHistory, NextVisit } from '../../../src/contracts/revisit.ts';
import {
  type PageChangeRecord,
  type ReplayMeasures,
  replayChanges,
} from '../../../src/laboratory/replay/replay-changes.ts';
import { RequestAllowance } from '../../../src/revisit/request-allowance.ts';
import { createRevisitPlanner, type RevisitPlannerOptions } from '../../../src/revisit/revisit-planner.ts';
import { quickOrLong } from '../../property-runs.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Pages that change at random; with bursts: four edits at a time on average, a tenth of the mean pause apart. */
function changingPages(count: number, days: number, rates: readonly number[], bursts = false): PageChangeRecord[] {
  const random = randomOf(42);
  return Array.from({ length: count }, (_, page) => {
    const rate = rates[page % rates.length];
    const changes: number[] = [];
    const pause = (mean: number): number => -Math.log(random()) * mean;
    for (let at = pause((bursts ? 4 : 1) / rate); at < days; at += pause((bursts ? 4 : 1) / rate)) {
      const edits = bursts ? 1 + Math.floor(7 * random()) : 1;
      for (let edit = 0, then = at; edit < edits && then < days; edit++, then += pause(0.1 / rate))
        changes.push(then * DAY);
    }
    return { url: `http://site${page % 10}.test/${page}`, created: 0, changes: changes.toSorted((a, b) => a - b) };
  });
}

/** Pages, days, changes per day, visits per page and day, and in points: least above uniform, most below known rates. */
type Regime = readonly [number, number, readonly number[], number, number, number];

const regimes: readonly Regime[] = [
  // The textbook's five rates, and what used to be taken for hopeless and left alone.
  [100, 100, [1, 2, 3, 4, 5], 1, -0.3, 1],
  ...quickOrLong<readonly Regime[]>(
    [],
    [
      [200, 150, [1], 0.3, -0.5, 1],
      [100, 30, [10], 5, -0.3, 1],
      [150, 200, [0.1], 0.2, -0.5, 1],
      [100, 40, [10], 1, -0.4, 1],
      [80, 120, [2, 8], 1, 0.4, 3],
      [150, 1500, [0.001], 0.02, -0.3, 1],
      [160, 300, [0.001, 0.01, 0.1, 1], 0.1, 0.8, 4],
    ],
  ),
  // Alike, from far more visits than changes to far fewer.
  [150, 2000, [0.1], 0.01, -0.4, 1],
  [60, 10, [144], 10, -0.4, 1],
  // Mixed.
  [100, 60, [0.01, 0.1, 1, 10], 1, 0.8, 4],
  [80, 20, [0.1, 1, 10, 144], 5, 1, 4],
];

const bursty: readonly Regime[] = [
  [150, 500, [0.02], 0.02, -0.5, 2],
  [150, 60, [1, 5], 1, 0.3, 1],
];

function replayed(pages: readonly PageChangeRecord[], [, days, , visits]: Regime, how: 'uniform' | 'learnt' | 'known') {
  const policy = how === 'uniform' ? ('uniform' as const) : ('freshness' as const);
  return replayChanges({
    ...{ pages, from: 0, to: days * DAY, policy, visitsPerPageAndDay: visits, learn: how !== 'known', seed: 1 },
  });
}

function check(regime: Regime, bursts: boolean): void {
  const [count, days, rates, visits, above, below] = regime;
  const pages = changingPages(count, days, rates, bursts);
  const [uniform, learnt, known] = (['uniform', 'learnt', 'known'] as const).map((how) => replayed(pages, regime, how));
  const what = `${rates} at ${visits}: ${[uniform, learnt, known].map(({ freshness }) => (100 * freshness).toFixed(2))}`;
  const used = ({ visits: made }: ReplayMeasures): number => made / (count * days * visits);
  assert.ok(used(learnt) > 0.97 && used(learnt) <= 1.001, `${what}, used ${used(learnt)}`);
  const { busiestDay } = learnt;
  assert.ok(busiestDay.visits <= Math.ceil(busiestDay.budget) + 1, `${what}, in a day ${busiestDay.visits}`);
  assert.ok(100 * (learnt.freshness - uniform.freshness) > above, what);
  assert.ok(100 * (known.freshness - learnt.freshness) < below, what);
}

interface Watched {
  readonly visits: number;
  readonly shortest: number;
  readonly histories: readonly ChangeHistory[];
  readonly last: NextVisit;
  readonly forecast: ReturnType<ReturnType<typeof createRevisitPlanner>['forecast']>;
}

/** Pages of one rate under a planner and an allowance, as a crawl has them. */
function watched(pages: number, rate: number, days: number, options: Partial<RevisitPlannerOptions>): Watched {
  const random = randomOf(7);
  const planner = createRevisitPlanner({
    ...{ policy: 'freshness', minIntervalMs: HOUR, maxIntervalMs: 60 * DAY, random, now: 0 },
    ...options,
  });
  const allowance = new RequestAllowance(() => options.requestsPerDay ?? Number.POSITIVE_INFINITY, 0);
  const queue = new BinaryHeap<{ page: number; at: number }>((a, b) => a.at < b.at);
  const histories = Array.from({ length: pages }, () => planner.observe(undefined, { at: 0 }));
  const plan = (page: number, before?: ChangeHistory): NextVisit => {
    const next = planner.next(histories[page], {}, before);
    queue.push({ page, at: next.at ?? Number.POSITIVE_INFINITY });
    return next;
  };
  let last: NextVisit = { why: '' };
  for (let page = 0; page < pages; page++) last = plan(page);
  let visits = 0;
  let shortest = Number.POSITIVE_INFINITY;
  for (let due = queue.pop(); due !== undefined; due = queue.pop()) {
    const at = allowance.nextAt(due.at);
    if (at > days * DAY) break;
    allowance.spend(1);
    visits++;
    const before = histories[due.page];
    shortest = Math.min(shortest, at - before.visitedAt);
    const changed = random() < -Math.expm1((-rate * (at - before.visitedAt)) / DAY);
    histories[due.page] = planner.observe(before, { at, changed });
    last = plan(due.page, before);
  }
  return { visits, shortest, histories, last, forecast: planner.forecast() };
}

describe('planning, from slow pages to hopeless ones', () => {
  for (const regime of regimes) {
    const [, , rates, visits] = regime;
    it(`uses its budget, and well: ${rates.join(', ')} changes a day, ${visits} visits`, () => check(regime, false));
  }

  for (const regime of bursty)
    it(`does so where changes come in bursts: ${regime[2].join(', ')} a day, ${regime[3]} visits`, () =>
      check(regime, true));

  it('visits pages that it cannot keep fresh with what is allowed, and says how stale they are', () => {
    const { visits, forecast } = watched(50, 144, 10, { requestsPerDay: 1000 });
    assert.ok(visits > 0.97 * 10_000 && visits <= 10_001, String(visits));
    assert.ok(Math.abs(forecast.requestsPerDay / 1000 - 1) < 0.1, String(forecast.requestsPerDay));
    assert.ok(forecast.freshness < 0.25, String(forecast.freshness));
  });

  it('takes pages that always change for fast where the budget is more than may be used', () => {
    const { visits, forecast, histories, last } = watched(50, 144, 10, { requestsPerDay: 5000 });
    assert.ok(visits > 0.97 * 50 * 24 * 10, String(visits));
    for (const { rate } of histories) assert.ok(rate > 48, String(rate));
    assert.ok(forecast.freshness < 0.3, String(forecast.freshness));
    assert.equal(forecast.asOftenAsAllowed, true);
    assert.match(last.why, /changes about every [\d.]+ minutes .*; visited as often as allowed, once in 60 minutes/);
  });

  it('finds the rate of a page that changes every 12 seconds, alone or among others that do not change', () => {
    for (const others of [0, 100]) {
      const random = randomOf(7);
      const planner = createRevisitPlanner({
        ...{ policy: 'freshness', minIntervalMs: 10_000, maxIntervalMs: 60 * DAY, random, now: 0 },
        requestsPerDay: 10_000,
      });
      for (let page = 0; page < others; page++) planner.next(planner.observe(undefined, { at: 0 }), {});
      let history = planner.observe(undefined, { at: 0 });
      let { at = Number.POSITIVE_INFINITY } = planner.next(history, {});
      for (let visit = 0; visit < 50; visit++) {
        const before = history;
        history = planner.observe(before, { at, changed: random() < -Math.expm1(-(at - before.visitedAt) / 12_000) });
        ({ at = Number.POSITIVE_INFINITY } = planner.next(history, {}, before));
      }
      const seconds = 86_400 / history.rate;
      assert.ok(seconds > 6 && seconds < 30, `${others} others: every ${seconds} s`);
    }
  });

  it('says what can be reached where a goal cannot', () => {
    const { forecast } = watched(50, 144, 10, { freshnessGoal: 0.95 });
    assert.ok(forecast.freshness < 0.3, String(forecast.freshness));
    const { forecast: easy } = watched(50, 0.1, 60, { freshnessGoal: 0.95 });
    assert.ok(Math.abs(easy.freshness - 0.95) < 0.01, String(easy.freshness));
    assert.equal(easy.asOftenAsAllowed, undefined);
  });

  it('never visits a page sooner than revisit-min, be it new, or moved to where little is planned', () => {
    const goals = [{ requestsPerDay: 1e6 }, { requestsPerDay: 500 }, { freshnessGoal: 0.9 }, { requestsPerDay: 40 }];
    for (const goal of goals)
      for (const policy of ['freshness', 'age', 'uniform', 'proportional'] as const) {
        const { shortest } = watched(40, 4, 4, { policy, ...goal });
        assert.ok(shortest >= HOUR - 1, `${policy} ${JSON.stringify(goal)} ${shortest}`);
      }
  });
});
