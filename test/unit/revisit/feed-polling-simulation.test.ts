import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom } from '../../../src/base/seeded-random.ts';
import { type FeedSchedule, scheduleFeed } from '../../../src/revisit/feed-polling.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
/** A Monday. */
const START = Date.UTC(2026, 0, 5);
const WATCH = 60 * DAY;
/** What the feeds published before they were found. */
const PAST = 30 * DAY;
const WINDOW = 15;

/** Times at which a feed publishes: Poisson with a rate that depends on the time. */
function poisson(random: () => number, perDay: number, weight: (at: number) => number, peak: number): number[] {
  const times: number[] = [];
  for (let at = START - PAST; at < START + WATCH; ) {
    at += (-Math.log(1 - random()) * DAY) / (perDay * peak);
    if (random() < weight(at) / peak) times.push(Math.floor(at));
  }
  return times;
}

const flat = (): number => 1;

/** Nine to six on weekdays: 4 times the mean; almost nothing else. */
function officeHours(at: number): number {
  const date = new Date(at);
  const open = date.getUTCHours() >= 9 && date.getUTCHours() < 18 && date.getUTCDay() % 6 !== 0;
  return open ? 3.4 : 0.13;
}

/** 200 feeds: rates from one item in a month to forty a day, most of them slow. */
function population(seed: number): number[][] {
  const random = seededRandom(seed);
  const feeds: number[][] = [];
  for (let n = 0; n < 200; n++) {
    const perDay = (1 / 30) * 1200 ** (random() ** 1.5);
    const kind = n % 4;
    if (kind === 0) feeds.push(poisson(random, perDay, flat, 1));
    else if (kind === 3) {
      // Daily or weekly, at a fixed hour give or take a quarter of an hour.
      const every = random() < 0.6 ? DAY : 7 * DAY;
      const hour = random() * DAY;
      const times: number[] = [];
      for (let at = START - PAST + hour; at < START + WATCH; at += every)
        times.push(at + (random() - 0.5) * 30 * MINUTE);
      feeds.push(times);
    } else feeds.push(poisson(random, perDay, officeHours, 3.4));
  }
  return feeds;
}

interface Tally {
  polls: number;
  items: number;
  delay: number;
  missed: number;
}

function watch(items: readonly number[], next: (at: number, fresh: readonly number[]) => number): Tally {
  const tally: Tally = { polls: 0, items: 0, delay: 0, missed: 0 };
  let seen = 0;
  let published = 0;
  for (let at = START, first = true; at < START + WATCH; first = false) {
    while (published < items.length && items[published] <= at) published++;
    const from = Math.max(seen, published - WINDOW);
    const fresh = items.slice(from, published);
    if (!first) {
      tally.missed += from - seen;
      tally.items += fresh.length;
      for (const date of fresh) tally.delay += at - date;
    }
    tally.polls++;
    seen = published;
    at = next(at, fresh);
  }
  return tally;
}

function total(tallies: readonly Tally[]): {
  polls: number;
  pollsPerItem: number;
  delayMinutes: number;
  missed: number;
} {
  const polls = tallies.reduce((sum, tally) => sum + tally.polls, 0);
  const items = tallies.reduce((sum, tally) => sum + tally.items, 0);
  const delay = tallies.reduce((sum, tally) => sum + tally.delay, 0);
  const missed = tallies.reduce((sum, tally) => sum + tally.missed, 0);
  return { polls, pollsPerItem: polls / items, delayMinutes: delay / items / MINUTE, missed };
}

const adaptive = (feeds: readonly number[][], pollWorth?: number): ReturnType<typeof total> =>
  total(
    feeds.map((items) => {
      let schedule: FeedSchedule | undefined;
      const limits = pollWorth === undefined ? {} : { pollWorth };
      return watch(items, (at, newItems) => {
        schedule = scheduleFeed(schedule, { kind: 'answered', at, newItems, listed: WINDOW, hints: {} }, { limits });
        return schedule.nextPoll ?? Number.POSITIVE_INFINITY;
      });
    }),
  );

const fixed = (feeds: readonly number[][], interval: number): ReturnType<typeof total> =>
  total(feeds.map((items) => watch(items, (at) => at + interval)));

describe('Feed polling against a fixed interval, two months of virtual time', () => {
  const feeds = population(7);
  const ours = adaptive(feeds);

  test('with the same number of polls, news are noticed much sooner', (t) => {
    const interval = (feeds.length * WATCH) / ours.polls;
    const theirs = fixed(feeds, interval);
    t.diagnostic(`ours:  ${JSON.stringify(ours)}`);
    t.diagnostic(`fixed: ${JSON.stringify(theirs)}, every ${(interval / HOUR).toFixed(2)} h`);
    assert.ok(Math.abs(theirs.polls / ours.polls - 1) < 0.02);
    assert.ok(ours.delayMinutes < 0.5 * theirs.delayMinutes);
    assert.ok(ours.missed <= theirs.missed);
  });

  test('for the same delay, far fewer polls', (t) => {
    let low = 5 * MINUTE;
    let high = DAY;
    while (high - low > MINUTE) {
      const middle = (low + high) / 2;
      if (fixed(feeds, middle).delayMinutes > ours.delayMinutes) high = middle;
      else low = middle;
    }
    const theirs = fixed(feeds, low);
    t.diagnostic(`fixed: ${JSON.stringify(theirs)}, every ${(low / HOUR).toFixed(2)} h`);
    assert.ok(ours.pollsPerItem < 0.5 * theirs.pollsPerItem);
  });

  for (const pollWorth of [2 * MINUTE, 60 * MINUTE]) {
    test(`the same holds where a poll is worth ${pollWorth / MINUTE} minutes`, (t) => {
      const mine = adaptive(feeds, pollWorth);
      const theirs = fixed(feeds, (feeds.length * WATCH) / mine.polls);
      t.diagnostic(`ours ${JSON.stringify(mine)}, fixed ${JSON.stringify(theirs)}`);
      assert.ok(mine.delayMinutes < 0.6 * theirs.delayMinutes);
    });
  }
});
