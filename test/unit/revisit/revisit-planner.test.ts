import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BinaryHeap } from '../../../src/base/binary-heap.ts';
import type { ChangeHistory, RevisitPlanner, RevisitPolicyName } from '../../../src/contracts/revisit.ts';
import { createRevisitPlanner, type RevisitPlannerOptions } from '../../../src/revisit/revisit-planner.ts';

const DAY = 86_400_000;
const policies: readonly RevisitPolicyName[] = ['uniform', 'proportional', 'freshness', 'age'];

function plannerOf(options: Partial<RevisitPlannerOptions> = {}, kept?: unknown): RevisitPlanner {
  return createRevisitPlanner(
    { policy: 'freshness', minIntervalMs: DAY / 24, maxIntervalMs: 365 * DAY, random: () => 0, now: 0, ...options },
    kept,
  );
}

/** Pages visited one after the other, each every `every` days, for `rounds` rounds; page i has changed if `changes(i, round)`. */
function watched(
  planner: RevisitPlanner,
  pages: number,
  rounds: number,
  every: number,
  changes: (page: number, round: number) => boolean,
): { histories: ChangeHistory[]; intervals: number[] } {
  const histories: ChangeHistory[] = [];
  const intervals: number[] = [];
  for (let round = 0; round <= rounds; round++)
    for (let page = 0; page < pages; page++) {
      const before = histories[page];
      const at = (round + page / pages) * every * DAY;
      histories[page] = planner.observe(before, { at, changed: round === 0 ? undefined : changes(page, round) });
      const next = planner.next(histories[page], {}, before);
      intervals[page] = ((next.at ?? Number.POSITIVE_INFINITY) - at) / DAY;
    }
  return { histories, intervals };
}

/** Pages visited when the plan says so; `version(page, day)`: what a visit sees. The days of all visits but the first ones. */
function followed(
  planner: RevisitPlanner,
  pages: number,
  days: number,
  version: (page: number, day: number) => number,
): number[] {
  const queue = new BinaryHeap<{ page: number; at: number }>((a, b) => a.at < b.at);
  const histories: ChangeHistory[] = [];
  const seen: number[] = [];
  const visits: number[] = [];
  for (let page = 0; page < pages; page++) queue.push({ page, at: 0 });
  for (let due = queue.pop(); due !== undefined && due.at < days * DAY; due = queue.pop()) {
    const { page, at } = due;
    const before = histories[page];
    const now = version(page, at / DAY);
    histories[page] = planner.observe(before, { at, changed: before === undefined ? undefined : now !== seen[page] });
    seen[page] = now;
    if (before !== undefined) visits.push(at / DAY);
    queue.push({ page, at: planner.next(histories[page], {}, before).at ?? Number.POSITIVE_INFINITY });
  }
  return visits;
}

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

describe('revisit planner', () => {
  it('spends its budget and no more, whatever the policy', () => {
    for (const policy of policies) {
      const planner = plannerOf({ policy, requestsPerDay: 20, random: randomOf(3) });
      const visits = followed(planner, 200, 300, (page, day) => Math.floor(day / (3 + (page % 40))));
      const spent = visits.filter((day) => day > 60).length / 240;
      assert.ok(Math.abs(spent / 20 - 1) < 0.12, `${policy}: ${spent}`);
      assert.ok(Math.abs(planner.forecast().requestsPerDay / 20 - 1) < 0.11, policy);
      assert.equal(planner.forecast().pages, 200);
    }
  });

  it('leaves no time without visits after the first round', () => {
    // Nearly all pages are found quiet and planned for long after; the few busy ones cannot fill the time until then.
    for (const policy of ['freshness', 'age'] as const) {
      const planner = plannerOf({ policy, requestsPerPageAndDay: 0.01, random: randomOf(5) });
      const visits = followed(planner, 600, 500, (page, day) => (page % 10 === 0 ? Math.floor((day + page) / 60) : 0));
      for (let day = 0; day < 480; day += 20) {
        const made = visits.filter((at) => at >= day && at < day + 20).length;
        assert.ok(made > 0.7 * 120, `${policy}: ${made} visits from day ${day} on, of 120`);
      }
    }
  });

  it('does not take all pages for hopeless at a small budget before it knows any', () => {
    const planner = plannerOf({ requestsPerPageAndDay: 0.003, random: () => 0 });
    const { intervals } = watched(planner, 300, 0, 1, () => false);
    // All have the same interval; some are moved forward to where less is planned.
    for (const interval of intervals.slice(3))
      assert.ok(interval * 0.003 > 0.39 && interval * 0.003 < 1.05, String(interval));
  });

  it('counts pages that it knows nothing of by what it has learnt of others since', () => {
    const planner = plannerOf({ requestsPerPageAndDay: 0.1 });
    for (let page = 0; page < 300; page++) planner.next(planner.observe(undefined, { at: 0 }), {});
    const before = planner.forecast().freshness;
    // A third of them turn out to change hardly ever; so will the others.
    for (let page = 0; page < 100; page++) {
      const first = planner.observe(undefined, { at: 0 });
      planner.next(first, {});
      planner.next(planner.observe(first, { at: 300 * DAY, changed: false }), {}, first);
    }
    const after = planner.forecast().freshness;
    assert.ok(1 - after < (1 - before) / 3, `${before} ${after}`);
  });

  it('visits oftener what changes oftener, unless it changes too fast', () => {
    const planner = plannerOf({ requestsPerDay: 10 });
    const { intervals, histories } = watched(planner, 100, 20, 5, (page, round) => page % 5 === 0 && round % 3 === 0);
    assert.ok(intervals[0] < intervals[1] / 2);
    assert.ok(histories[0].rate > 4 * histories[1].rate);
    assert.ok(Math.abs(histories[0].rate * 15 - 1) < 0.5);
  });

  it('leaves a page that is never the same for rare looks', () => {
    const busy = plannerOf({ requestsPerDay: 5 });
    // Half the pages change before every visit, and so much is known of them that there is no doubt.
    const { intervals, histories } = watched(
      busy,
      60,
      60,
      2,
      (page, round) => page % 2 === 0 || round % 30 === page % 30,
    );
    assert.ok(intervals[0] > 2 * intervals[1]);
    assert.match(busy.next(histories[0], {}, histories[0]).why, /too fast to be kept fresh/);
    const young = plannerOf({ policy: 'age', requestsPerDay: 5 });
    assert.ok(watched(young, 60, 60, 4, (page) => page % 2 === 0).intervals[0] < 12);
  });

  it('takes a page that it knows nothing of to be like the others', () => {
    const quiet = plannerOf({ requestsPerPageAndDay: 0.1 });
    watched(quiet, 100, 10, 10, (page, round) => page % 10 === round);
    const busy = plannerOf({ requestsPerPageAndDay: 0.1 });
    watched(busy, 100, 10, 10, (page, round) => (page + round) % 2 === 0);
    const rateAt = (planner: RevisitPlanner): number => planner.observe(undefined, { at: 100 * DAY }).rate;
    assert.ok(rateAt(busy) > 3 * rateAt(quiet));
  });

  it('follows a page that finds other habits', () => {
    const planner = plannerOf({ requestsPerPageAndDay: 0.5 });
    const { histories } = watched(planner, 40, 80, 2, (page, round) =>
      page === 0 ? round <= 40 : round % 20 === page % 20,
    );
    const lively = plannerOf({ requestsPerPageAndDay: 0.5 });
    const before = watched(lively, 40, 40, 2, (page, round) => (page === 0 ? round <= 40 : round % 20 === page % 20));
    assert.ok(histories[0].rate < before.histories[0].rate / 3);
  });

  it('gives important pages more', () => {
    const planner = plannerOf({ requestsPerDay: 10 });
    const { histories } = watched(planner, 100, 10, 10, (page, round) => (page + round) % 8 === 0);
    const interval = (weight: { importance?: number; opened?: number }): number =>
      planner.next(histories[3], weight, histories[3]).at ?? Number.POSITIVE_INFINITY;
    assert.ok(interval({ importance: 5 }) < interval({}));
    assert.ok(interval({ importance: 0.2, opened: 20 }) < interval({ importance: 0.2 }));
  });

  it('is cheaper for a lower goal and says what it costs', () => {
    const cost = (freshnessGoal: number): number => {
      const planner = plannerOf({ freshnessGoal });
      watched(planner, 100, 10, 10, (page, round) => (page + round) % (3 + (page % 5)) === 0);
      const forecast = planner.forecast();
      assert.ok(Math.abs(forecast.freshness - freshnessGoal) < 0.01);
      return forecast.requestsPerDay;
    };
    assert.ok(cost(0.95) > 1.5 * cost(0.9));
  });

  it('forecasts that no other use of the budget is fresher, and none younger than by age', () => {
    for (const policy of ['freshness', 'age'] as const) {
      const planner = plannerOf({ policy, requestsPerDay: 10 });
      watched(planner, 100, 20, 10, (page, round) => (page + round) % (1 + (page % 10)) === 0);
      const { freshness, ageDays, others } = planner.forecast();
      assert.equal(others.length, 3);
      for (const other of others) {
        if (policy === 'freshness') assert.ok(other.freshness <= freshness + 1e-3, other.policy);
        else assert.ok(other.ageDays >= ageDays - 1e-3, other.policy);
      }
    }
  });

  it('says why, in words', () => {
    const planner = plannerOf({ requestsPerPageAndDay: 0.1 });
    const { histories } = watched(planner, 50, 14, 10, (page, round) => (page + round) % 3 === 0);
    const { why } = planner.next(histories[1], {}, histories[1]);
    assert.match(
      why,
      /^changes about every [\d.]+ days \(5 of 14 looks found a change\); one visit in [\d.]+ days is worth/,
    );
    assert.match(planner.next(planner.observe(undefined, { at: 0 }), {}).why, /^new: taken to change about every/);
  });

  it('hurries for news that are worth it, never for old ones, and never delays', () => {
    const planner = plannerOf({ requestsPerPageAndDay: 0.1 });
    const { histories } = watched(planner, 50, 10, 10, (page, round) => (page + round) % 5 === 0);
    const [history] = histories;
    const at = history.visitedAt + 2 * DAY;
    const planned = history.visitedAt + 12 * DAY;
    const told = planner.hurry(history, {}, planned, { from: 'push', at, trust: 0.9 });
    assert.equal(told.at, at);
    assert.match(told.why, /a push says/);
    assert.equal(planner.hurry(history, {}, planned, { from: 'feed', at, trust: 0.001 }).at, planned);
    const old = { from: 'sitemap', at, changedAt: history.visitedAt - DAY, trust: 1 } as const;
    assert.equal(planner.hurry(history, {}, planned, old).at, planned);
    assert.equal(planner.hurry(history, {}, at, { from: 'push', at: planned, trust: 1 }).at, at);
  });

  it('comes the sooner for a change beside a page the more it is believed', () => {
    const planner = plannerOf({ requestsPerPageAndDay: 0.1 });
    const { histories } = watched(planner, 50, 10, 10, (page, round) => (page + round) % 5 === 0);
    const [history] = histories;
    const planned = history.visitedAt + 40 * DAY;
    const at = history.visitedAt + DAY;
    const hurried = (trust: number): number =>
      planner.hurry(history, {}, planned, { from: 'neighbour', at, trust }).at ?? Number.POSITIVE_INFINITY;
    assert.equal(hurried(0), planned);
    assert.ok(hurried(0.05) < planned && hurried(0.05) > hurried(0.1));
    assert.equal(hurried(0.9), at);
    assert.match(planner.hurry(history, {}, planned, { from: 'neighbour', at, trust: 0.9 }).why, /a page beside it/);
    const even = plannerOf({ policy: 'uniform', requestsPerPageAndDay: 0.1 });
    assert.equal(even.hurry(history, {}, planned, { from: 'neighbour', at, trust: 0.9 }).at, planned);
  });

  it('knows by Last-Modified how fast a page changes after a few visits', () => {
    const planner = plannerOf({ requestsPerPageAndDay: 0.1 });
    watched(planner, 50, 12, 5, (page, round) => page % 5 === 0 && round % 2 === 0);
    let history = planner.observe(undefined, { at: 0 });
    for (let visit = 1; visit <= 6; visit++) {
      const at = visit * 10 * DAY;
      history = planner.observe(history, { at, changed: true, lastModified: at - DAY / 4 });
    }
    let blind = planner.observe(undefined, { at: 0 });
    for (let visit = 1; visit <= 6; visit++) blind = planner.observe(blind, { at: visit * 10 * DAY, changed: true });
    assert.ok(
      (history.more?.steady ?? 0) > 2 * (blind.more?.steady ?? 0),
      `${history.more?.steady} ${blind.more?.steady}`,
    );
    assert.equal(history.changedAt, 60 * DAY - DAY / 4);
  });

  it('goes on in the next run where it was, and forgets pages that are gone', () => {
    const planner = plannerOf({ requestsPerDay: 10 });
    const { histories } = watched(planner, 100, 10, 10, (page, round) => (page + round) % 4 === 0);
    const next = plannerOf({ requestsPerDay: 10 }, JSON.parse(JSON.stringify(planner)));
    assert.ok(Math.abs(next.forecast().freshness - planner.forecast().freshness) < 1e-4);
    assert.deepEqual(next.observe(undefined, { at: 0 }).more, planner.observe(undefined, { at: 0 }).more);
    for (const history of histories.slice(0, 40)) next.forget(history);
    assert.equal(next.forecast().pages, 60);
    assert.equal(plannerOf({}, { what: 'else' }).forecast().pages, 0);
  });

  it('keeps a history of a few hundred bytes, however long it is', () => {
    const { histories } = watched(plannerOf(), 1, 500, 3, (_, round) => round % 7 === 0);
    assert.ok(JSON.stringify(histories[0]).length < 700);
    assert.equal(histories[0].visits, 501);
  });
});
