import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type FeedPoll,
  type FeedSchedule,
  feedItemsPerDay,
  feedPollingLimits,
  scheduleFeed,
} from '../../../src/revisit/feed-polling.ts';
import { type FeedHints, outsideSkipped } from '../../../src/revisit/feed-polling-hints.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
/** A Wednesday, 12:00 GMT. */
const NOON = Date.UTC(2026, 6, 1, 12);

const first = (dates: readonly number[], hints: FeedHints = {}, listed?: number): FeedSchedule =>
  scheduleFeed(undefined, { kind: 'answered', at: NOON, newItems: dates, hints, ...(listed ? { listed } : {}) });
const every = (gap: number, count = 20): number[] => Array.from({ length: count }, (_, n) => NOON - n * gap - MINUTE);
const waitOf = (schedule: FeedSchedule): number => (schedule.nextPoll ?? Number.POSITIVE_INFINITY) - schedule.polledAt;

describe('scheduleFeed: how often', () => {
  test('the first answer tells the rhythm: the dates of its items', () => {
    const [hourly, daily, weekly] = [HOUR, DAY, 7 * DAY].map((gap) => waitOf(first(every(gap))));
    assert.ok(hourly < 45 * MINUTE && hourly > 15 * MINUTE, `${hourly / MINUTE} min`);
    assert.ok(daily > 2 * hourly && weekly > daily, `${daily / HOUR} h, ${weekly / HOUR} h`);
  });

  test('news make it quicker, silence slower, down to the ceiling and no further', () => {
    let schedule = first([NOON - DAY]);
    assert.ok(waitOf(schedule) < DAY);
    for (let n = 0; n < 200; n++) {
      const at = schedule.nextPoll as number;
      schedule = scheduleFeed(schedule, { kind: 'answered', at, newItems: [], hints: {} });
    }
    assert.equal(waitOf(schedule), feedPollingLimits.ceiling);
    const wait = waitOf(schedule);
    for (let n = 0; n < 20; n++) {
      const at = schedule.nextPoll as number;
      schedule = scheduleFeed(schedule, { kind: 'answered', at, newItems: [at - HOUR, at - 3 * HOUR], hints: {} });
    }
    assert.ok(waitOf(schedule) < wait / 4, `${waitOf(schedule) / HOUR} h`);
  });

  test('never sooner than the floor, whatever is published', () => {
    const poll: FeedPoll = { kind: 'answered', at: NOON, newItems: every(5 * MINUTE, 200), hints: {} };
    const eager = scheduleFeed(undefined, poll, { limits: { pollWorth: MINUTE } });
    assert.equal(waitOf(eager), feedPollingLimits.floor);
  });

  test('items that came together are one publication', () => {
    const day = every(DAY);
    const bursts = day.flatMap((at) => Array.from({ length: 20 }, (_, n) => at - n * 1000));
    assert.ok(Math.abs(waitOf(first(bursts)) / waitOf(first(day)) - 1) < 0.05);
  });

  test('a feed that shows few items is asked before they are gone', () => {
    const dates = every(10 * MINUTE, 100);
    const limits = { pollWorth: 10 * HOUR };
    const wait = (listed: number): number =>
      waitOf(scheduleFeed(undefined, { kind: 'answered', at: NOON, newItems: dates, listed, hints: {} }, { limits }));
    assert.ok(wait(6) < 40 * MINUTE && wait(100) > HOUR, `${wait(6) / MINUTE} and ${wait(100) / MINUTE} min`);
  });

  test('it learns the hours: news every day at nine, asked for about nine', () => {
    let schedule: FeedSchedule | undefined;
    const polls: number[] = [];
    let delay = 0;
    let seen = 0;
    const start = Date.UTC(2026, 0, 5);
    for (let at = start; at < start + 60 * DAY; at = schedule.nextPoll as number) {
      const newest = Math.floor((at - 9 * HOUR) / DAY) * DAY + 9 * HOUR;
      const newItems = newest > seen ? [newest] : [];
      if (at > start + 40 * DAY) {
        polls.push(new Date(at).getUTCHours());
        for (const date of newItems) delay += at - date;
      }
      seen = newest;
      schedule = scheduleFeed(schedule, { kind: 'answered', at, newItems, hints: {} });
    }
    const around = polls.filter((hour) => hour >= 8 && hour <= 10).length / polls.length;
    assert.ok(around > 0.35, `${around} of ${polls.length} polls around nine, where an eighth of the day lies`);
    assert.ok(delay / 20 < 45 * MINUTE, `${delay / 20 / MINUTE} min`);
    assert.ok(polls.length < 20 * 16);
  });

  test('a feed that answers 304 may be asked more often', () => {
    const before = first(every(DAY));
    const at = before.nextPoll as number;
    const cheap = scheduleFeed(before, { kind: 'not-modified', at });
    const dear = scheduleFeed(before, { kind: 'answered', at, newItems: [], hints: {} });
    assert.ok(waitOf(cheap) < waitOf(dear));
    const asked = first([], { ttlMinutes: 60 });
    const again = scheduleFeed(asked, { kind: 'not-modified', at, hints: { maxAgeSeconds: 30 } });
    assert.deepEqual(again.hints, { ttlMinutes: 60, maxAgeSeconds: 30 });
  });

  test('undated news count as one publication, but not those of a first poll', () => {
    const plain = first([]);
    const undated = scheduleFeed(undefined, { kind: 'answered', at: NOON, newItems: [], undated: 10, hints: {} });
    assert.equal(feedItemsPerDay(undated, NOON), feedItemsPerDay(plain, NOON));
    const at = plain.nextPoll as number;
    const news = scheduleFeed(plain, { kind: 'answered', at, newItems: [], undated: 3, hints: {} });
    const future = scheduleFeed(plain, { kind: 'answered', at, newItems: [at + 9 * DAY], hints: {} });
    const none = scheduleFeed(plain, { kind: 'answered', at, newItems: [], hints: {} });
    assert.ok(feedItemsPerDay(news, at) > feedItemsPerDay(none, at));
    assert.equal(feedItemsPerDay(future, at), feedItemsPerDay(news, at));
  });

  test('while a hub pushes, once a day; and when its lease ends', () => {
    const pushed = (until: number): number =>
      waitOf(
        scheduleFeed(
          undefined,
          { kind: 'answered', at: NOON, newItems: every(HOUR), hints: {} },
          { pushedUntil: until },
        ),
      );
    assert.equal(pushed(NOON + 9 * DAY), DAY);
    assert.equal(pushed(NOON + 5 * HOUR), 5 * HOUR);
    assert.ok(pushed(NOON - 1) < HOUR);
  });
});

describe('scheduleFeed: what the publisher asks for', () => {
  const rest = (hints: FeedHints): number => waitOf(first(every(30 * MINUTE), hints)) / HOUR;

  test('ttl, max-age and Expires, the longest of them, up to a day', () => {
    assert.ok(rest({}) < 1);
    assert.equal(rest({ ttlMinutes: 180 }), 3);
    assert.equal(rest({ maxAgeSeconds: 7200 }), 2);
    assert.equal(rest({ expiresAt: NOON + 5 * HOUR }), 5);
    assert.equal(rest({ ttlMinutes: 60, maxAgeSeconds: 7200 }), 2);
    assert.ok(rest({ maxAgeSeconds: 0, expiresAt: NOON + 5 * HOUR }) < 1, 'max-age goes before Expires');
    assert.equal(rest({ ttlMinutes: 1e12 }), 24);
    for (const nonsense of [-5, Number.NaN, Number.POSITIVE_INFINITY]) assert.ok(rest({ ttlMinutes: nonsense }) < 1);
  });

  test('sy:update is where the estimate begins', () => {
    const hourly = waitOf(first([], { updateSeconds: 1800 }));
    const yearly = waitOf(first([], { updateSeconds: 365 * 86_400 }));
    assert.ok(hourly < waitOf(first([])) && waitOf(first([])) < yearly);
    for (const nonsense of [0, -1, Number.NaN]) {
      assert.equal(waitOf(first([], { updateSeconds: nonsense })), waitOf(first([])));
    }
  });

  test('of whatever object holds the hints, only they are kept', () => {
    const feed = { ttlMinutes: 5, skipHours: new Array<number>(1000).fill(3), skipDays: [], entries: ['much more'] };
    assert.deepEqual(first([], feed).hints, { ttlMinutes: 5, skipHours: new Array<number>(24).fill(3) });
  });

  test('skipHours and skipDays, in GMT', () => {
    const at = NOON + 10 * MINUTE;
    assert.equal(outsideSkipped(at, { skipHours: [12, 13, 14] }), NOON + 3 * HOUR);
    assert.equal(outsideSkipped(at, { skipHours: [11, 13] }), at);
    assert.equal(outsideSkipped(at, { skipDays: ['Wednesday', ' thursday '] }), Date.UTC(2026, 6, 3));
    assert.equal(outsideSkipped(Date.UTC(2026, 6, 1, 0, 30), { skipHours: [24] }), Date.UTC(2026, 6, 1, 1));
    const always = { skipHours: Array.from({ length: 24 }, (_, hour) => hour) };
    assert.equal(outsideSkipped(at, always), at, 'a feed that must never be asked is asked all the same');
    assert.equal(outsideSkipped(at, { skipHours: [Number.NaN, -1, 99], skipDays: ['Mittwoch'] }), at);
    const schedule = first(every(30 * MINUTE), { skipHours: [12, 13] });
    assert.equal(schedule.nextPoll, NOON + 2 * HOUR);
  });
});

describe('scheduleFeed: failures', () => {
  const fail = (before: FeedSchedule | undefined, at: number, more: Partial<FeedPoll> = {}): FeedSchedule =>
    scheduleFeed(before, { kind: 'failed', at, ...more } as FeedPoll);

  test('longer and longer, up to a week; an answer ends it', () => {
    let schedule = first(every(HOUR));
    const usual = waitOf(schedule);
    const waits: number[] = [];
    for (let n = 0; n < 14; n++) {
      schedule = fail(schedule, schedule.nextPoll as number);
      waits.push(waitOf(schedule) / MINUTE);
    }
    assert.deepEqual(waits.slice(0, 4), [15, 30, 60, 120]);
    assert.equal(waits.at(-1), (7 * DAY) / MINUTE);
    const at = schedule.nextPoll as number;
    const newItems = Array.from({ length: 30 }, (_, n) => at - n * HOUR);
    const healed = scheduleFeed(schedule, { kind: 'answered', at, newItems, hints: {} });
    assert.deepEqual([healed.errors, healed.errorsSince], [0, undefined]);
    assert.ok(waitOf(healed) < 40 * usual);
  });

  test('Retry-After', () => {
    assert.equal(waitOf(fail(undefined, NOON, { status: 503, retryAfterMs: 3 * HOUR } as Partial<FeedPoll>)), 3 * HOUR);
    assert.equal(waitOf(fail(undefined, NOON, { status: 429, retryAfterMs: 1e15 } as Partial<FeedPoll>)), 7 * DAY);
  });

  test('410 ends it; 404 only after many over more than a week; other refusals never', () => {
    assert.equal(fail(first([]), NOON + DAY, { status: 410 } as Partial<FeedPoll>).nextPoll, undefined);
    for (const [status, ends] of [
      [404, true],
      [403, false],
    ] as const) {
      let schedule: FeedSchedule | undefined;
      let polls = 0;
      for (let at = NOON; polls < 30; at = schedule.nextPoll) {
        schedule = fail(schedule, at, { status } as Partial<FeedPoll>);
        polls++;
        if (schedule.nextPoll === undefined) break;
      }
      assert.equal(polls < 30, ends, `${status}: ${polls} polls`);
      assert.ok(polls >= 8);
    }
  });

  test('a feed whose first poll failed still learns from its first answer', () => {
    const late = scheduleFeed(fail(undefined, NOON - HOUR), {
      kind: 'answered',
      at: NOON,
      newItems: every(HOUR),
      hints: {},
    });
    assert.equal(waitOf(late), waitOf(first(every(HOUR))));
  });
});

describe('scheduleFeed: whatever comes', () => {
  test('the next poll lies between floor and the longest rest, and the schedule is plain data', () => {
    const hints = fc.record(
      {
        ttlMinutes: fc.double(),
        updateSeconds: fc.double(),
        maxAgeSeconds: fc.double(),
        expiresAt: fc.double(),
      },
      { requiredKeys: [] },
    );
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('answered' as const),
        newItems: fc.array(fc.oneof(fc.double(), fc.integer({ min: NOON - 400 * DAY, max: NOON + 400 * DAY }))),
        undated: fc.nat(100),
        listed: fc.nat(100),
        hints: hints as fc.Arbitrary<FeedHints>,
      }),
      fc.record({ kind: fc.constant('not-modified' as const) }),
      fc.record({ kind: fc.constant('failed' as const), status: fc.integer({ min: 100, max: 599 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        let schedule: FeedSchedule | undefined;
        let at = NOON;
        for (const poll of steps) {
          schedule = scheduleFeed(schedule, { ...poll, at } as FeedPoll);
          assert.deepEqual(JSON.parse(JSON.stringify(schedule.rhythm)), schedule.rhythm);
          if (schedule.nextPoll === undefined) return;
          const wait = schedule.nextPoll - at;
          assert.ok(wait >= 5 * MINUTE && wait <= 7 * DAY, `${wait}`);
          at = schedule.nextPoll;
        }
      }),
    );
  });
});
