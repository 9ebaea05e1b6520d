import type { Outcome } from '../../contracts/crawl-task.ts';
import type { NextVisit } from '../../contracts/revisit.ts';
import {
  type FeedPollingLimits,
  type FeedSchedule,
  feedItemsPerDay,
  feedPollingLimits,
  scheduleFeed,
} from '../../revisit/feed-polling.ts';
import { restAskedFor } from '../../revisit/feed-polling-hints.ts';

/** Feeds whose rhythm is remembered; one that is forgotten is learnt again. */
const MOST_FEEDS = 20_000;

/** When each feed is asked again: by the rhythm of its items, not by whether any of its text has changed. */
export class FeedClock {
  readonly #schedules: Map<string, FeedSchedule>;
  readonly #limits: Partial<FeedPollingLimits>;
  readonly #pushedUntil: (url: string) => number | undefined;

  /** `pushedUntil`: until when a hub tells of the news of a feed. */
  constructor(
    limits: Partial<FeedPollingLimits>,
    kept?: readonly (readonly [string, FeedSchedule])[],
    pushedUntil: (url: string) => number | undefined = () => undefined,
  ) {
    this.#limits = limits;
    this.#pushedUntil = pushedUntil;
    this.#schedules = new Map(kept);
  }

  next(
    url: string,
    outcome: Outcome,
    items: { readonly fresh: number; readonly listed: number },
    at: number,
  ): NextVisit {
    const before = this.#schedules.get(url);
    const pushedUntil = this.#pushedUntil(url);
    const schedule = scheduleFeed(
      before,
      outcome.kind === 'unchanged'
        ? { kind: 'not-modified', at }
        : { kind: 'answered', at, newItems: [], undated: items.fresh, listed: items.listed, hints: {} },
      { limits: this.#limits, ...(pushedUntil === undefined ? {} : { pushedUntil }) },
    );
    this.#schedules.delete(url);
    this.#schedules.set(url, schedule);
    if (this.#schedules.size > MOST_FEEDS) this.#schedules.delete(this.#schedules.keys().next().value as string);
    const perDay = feedItemsPerDay(schedule, at);
    const why = `a feed with about ${perDay < 10 ? perDay.toFixed(1) : Math.round(perDay)} new items a day${pushedUntil === undefined ? '' : ', of which a hub tells by itself'}`;
    return schedule.nextPoll === undefined ? { why } : { at: schedule.nextPoll, why };
  }

  /** The latest time for a poll that was planned before: limits may be others now, and the clock may have been wrong. */
  latest(url: string, now: number): number {
    const { ceiling, restCeiling } = { ...feedPollingLimits, ...this.#limits };
    const schedule = this.#schedules.get(url);
    const rest = restAskedFor(schedule?.hints ?? {}, Math.min(schedule?.polledAt ?? now, now), restCeiling);
    const pushed = this.#pushedUntil(url) === undefined ? 0 : feedPollingLimits.pushedInterval;
    return Math.max(now + ceiling, now + pushed, rest);
  }

  /** Whether this URL was a feed when it was last read: an answer that says "not modified" shows no items. */
  knows(url: string): boolean {
    return this.#schedules.has(url);
  }

  toJSON(): readonly (readonly [string, FeedSchedule])[] {
    return [...this.#schedules];
  }
}
