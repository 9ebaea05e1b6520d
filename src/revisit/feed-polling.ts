import { type FeedHints, onlyHints, outsideSkipped, restAskedFor, saidUpdatesPerMs } from './feed-polling-hints.ts';
import { expectedRate, type FeedRhythm, newRhythm, observeRhythm, timeOfNextPoll } from './feed-polling-rhythm.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** What polling may cost and how late news may be. Times in ms. */
export interface FeedPollingLimits {
  /** Never sooner, whatever the feed does. */
  readonly floor: number;
  /** Never later by our own wish; what a publisher asks for may be. */
  readonly ceiling: number;
  /** The exchange rate between requests and delay: one poll more is worth this much less delay of one item. */
  readonly pollWorth: number;
  /** A 304 costs hardly anything: its share of the cost of a whole answer. */
  readonly notModifiedCost: number;
  /** A publisher's ttl or max-age beyond this is not believed. */
  readonly restCeiling: number;
  /** While a hub pushes, polls are a safety net. */
  readonly pushedInterval: number;
  readonly errorCeiling: number;
  /** 404s in a row, over at least a week, after which a feed is held to be gone. */
  readonly maxAbsent: number;
}

export const feedPollingLimits: FeedPollingLimits = Object.freeze({
  floor: 5 * MINUTE,
  ceiling: 2 * DAY,
  pollWorth: 10 * MINUTE,
  notModifiedCost: 0.5,
  restCeiling: DAY,
  pushedInterval: DAY,
  errorCeiling: 7 * DAY,
  maxAbsent: 8,
});

/** What one poll of a feed gave. */
export type FeedPoll =
  | {
      readonly kind: 'answered';
      readonly at: number;
      /** Dates of the items that were not there before (on a first poll: of all), ms; unusable ones may be left out. */
      readonly newItems: readonly number[];
      /** New items that carry no date. */
      readonly undated?: number;
      /** Items in the feed, new or not. */
      readonly listed?: number;
      readonly hints: FeedHints;
    }
  | { readonly kind: 'not-modified'; readonly at: number; readonly hints?: FeedHints }
  | { readonly kind: 'failed'; readonly at: number; readonly status?: number; readonly retryAfterMs?: number };

/** What is kept of a feed's schedule. Plain data. */
export interface FeedSchedule {
  readonly polledAt: number;
  /** Undefined: never again. */
  readonly nextPoll?: number;
  readonly rhythm: FeedRhythm;
  readonly hints: FeedHints;
  /** The last poll that gave nothing new was answered with 304. */
  readonly conditional: boolean;
  /** Items that the feed shows at a time. */
  readonly listed?: number;
  readonly errors: number;
  /** When the errors in a row began. */
  readonly errorsSince?: number;
}

/**
 * When to ask a feed again. Pure: the schedule so far and what a poll gave in, the new schedule out.
 *
 * An item that appears waits for the next poll; a poll costs `pollWorth`. For news that come at the rate λ(t), the sum of
 * both is least where polls follow each other at the interval sqrt(2 · pollWorth / λ(t)): twice as many items are worth
 * 1.4 times as many polls. The rate follows the hours and weekdays at which the feed was seen to publish.
 *
 * `pushedUntil`: until then a hub tells us of news.
 */
export function scheduleFeed(
  before: FeedSchedule | undefined,
  poll: FeedPoll,
  options: { readonly limits?: Partial<FeedPollingLimits>; readonly pushedUntil?: number } = {},
): FeedSchedule {
  const limits = { ...feedPollingLimits, ...options.limits };
  if (poll.kind === 'failed') return afterFailure(before, poll, limits);
  // A 304 has headers but no feed: what the feed said stands.
  const kept = poll.kind === 'not-modified' ? before?.hints : undefined;
  const hints = { ...kept, ...onlyHints(poll.hints ?? {}) };
  const known = before?.rhythm.begun ? before.rhythm : newRhythm(poll.at, saidUpdatesPerMs(hints));
  const rhythm = observeRhythm(known, {
    at: poll.at,
    dates: poll.kind === 'answered' ? poll.newItems : [],
    undated: poll.kind === 'answered' ? (poll.undated ?? 0) : 0,
  });
  const conditional = poll.kind === 'not-modified' || (poll.newItems.length > 0 && (before?.conditional ?? false));
  const listed = (poll.kind === 'answered' ? poll.listed : undefined) ?? before?.listed;
  const pushed = (options.pushedUntil ?? 0) > poll.at + limits.floor;
  // The hub's lease ends: from then on the news must be asked for again.
  const wish = pushed
    ? Math.min(poll.at + limits.pushedInterval, options.pushedUntil ?? 0)
    : timeOfNextPoll(rhythm, poll.at, {
        pollWorth: limits.pollWorth * (conditional ? limits.notModifiedCost : 1),
        ceiling: limits.ceiling,
        maxItems: Math.max(1, (listed ?? Number.POSITIVE_INFINITY) / 3),
      });
  const bounded = Math.min(Math.max(wish, poll.at + limits.floor), poll.at + limits.ceiling);
  const rested = Math.max(bounded, restAskedFor(hints, poll.at, limits.restCeiling));
  return {
    polledAt: poll.at,
    nextPoll: Math.ceil(outsideSkipped(rested, hints)),
    rhythm,
    hints,
    conditional,
    ...(listed === undefined ? {} : { listed }),
    errors: 0,
  };
}

/** Items per day to be expected around a time, for `explain`. */
export function feedItemsPerDay(schedule: FeedSchedule, at: number): number {
  return expectedRate(schedule.rhythm, at) * DAY;
}

function afterFailure(
  before: FeedSchedule | undefined,
  poll: Extract<FeedPoll, { kind: 'failed' }>,
  limits: FeedPollingLimits,
): FeedSchedule {
  const errors = (before?.errors ?? 0) + 1;
  const errorsSince = before?.errorsSince ?? poll.at;
  const schedule: FeedSchedule = {
    // The rhythm is left alone: of what happened meanwhile the next answer tells.
    rhythm: before?.rhythm ?? newRhythm(poll.at),
    hints: before?.hints ?? {},
    conditional: before?.conditional ?? false,
    ...(before?.listed === undefined ? {} : { listed: before.listed }),
    polledAt: poll.at,
    errors,
    errorsSince,
  };
  const absent = poll.status === 404 && errors >= limits.maxAbsent && poll.at - errorsSince >= 7 * DAY;
  if (poll.status === 410 || absent) return schedule;
  // A refusal will hardly be gone in minutes; a broken connection may.
  const refused = poll.status !== undefined && poll.status >= 400 && poll.status < 500 && poll.status !== 429;
  const first = Math.max(limits.floor, refused ? 6 * HOUR : 15 * MINUTE);
  const wait = Math.min(first * 2 ** Math.min(errors - 1, 20), limits.errorCeiling);
  const retryAfter = Math.min(Math.max(0, poll.retryAfterMs ?? 0), limits.errorCeiling);
  return { ...schedule, nextPoll: outsideSkipped(poll.at + Math.max(wait, retryAfter), schedule.hints) };
}
