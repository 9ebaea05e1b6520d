import { CLOCK_SLACK_MS, type Clock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { PageWeight } from '../../contracts/revisit.ts';
import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { createRevisitPlanner } from '../../revisit/revisit-planner.ts';
import type { FeedHubs } from '../notify/feed-hubs.ts';
import { FullRequests } from '../visit/full-requests.ts';
import { HeadRequests, type HeadRequestsSnapshot } from '../visit/head-requests.ts';
import { ChangeSignals } from './change-signals.ts';
import { ContinuousRevisits } from './continuous-revisits.ts';
import { EarlierRates } from './earlier-rates.ts';
import { FeedClock } from './feed-clock.ts';
import { Replanning } from './replanning.ts';
import { RevisitScheduler, type RevisitSchedulerSnapshot } from './revisit-scheduler.ts';

export interface OpenedRevisits extends Disposable {
  readonly scheduler: RevisitScheduler;
  readonly rule: ContinuousRevisits;
  /** Before the crawl begins: plans that the settings or the clock have made wrong are rebuilt. */
  begin(): Promise<void>;
}

export interface RevisitSchedulerSources {
  readonly settings: Settings;
  readonly state: OwnedPartition;
  readonly clock: Clock;
  readonly random: () => number;
  readonly weightOf: (url: CanonicalUrl) => PageWeight;
  /** Where hubs may tell of news. */
  readonly hubs?: FeedHubs;
}

/** What a continuous crawl needs beside the rest. */
export function openRevisitScheduler({
  settings,
  state,
  clock,
  random,
  weightOf,
  hubs,
}: RevisitSchedulerSources): OpenedRevisits {
  const { revisitPolicy: policy, revisitMin: minIntervalMs, revisitMax: maxIntervalMs } = settings;
  const kept = state.read<RevisitSchedulerSnapshot>('upkeep');
  const goal = goalOf(settings);
  const plannedFor = JSON.stringify([policy, goal, minIntervalMs, maxIntervalMs]);
  // Nothing can have been saved in the future, but by a clock that was ahead.
  const isOutdated =
    kept !== undefined && (kept.plannedFor !== plannedFor || kept.savedAt > clock.now() + CLOCK_SLACK_MS);
  const planner = createRevisitPlanner(
    { policy, ...goal, minIntervalMs, maxIntervalMs, random, now: clock.now(), reset: isOutdated },
    kept?.planner,
  );
  const floor = Math.max(minIntervalMs, Math.min(FEED_FLOOR_MS, maxIntervalMs));
  const feeds = new FeedClock(
    { floor, ceiling: Math.max(floor, Math.min(FEED_CEILING_MS, maxIntervalMs)) },
    kept?.feeds,
    (url) => hubs?.pushedUntil(url),
  );
  const pagesOf = (urls: readonly CanonicalUrl[]) => state.pages.pages(urls);
  const signals = new ChangeSignals({ planner, weightOf, pagesOf, minIntervalMs }, kept?.signals);
  const heads = settings.headRequests === 'off' ? {} : { heads: openHeads(feeds, kept?.heads) };
  const write = (scheduler: RevisitSchedulerSnapshot): void => state.write('upkeep', scheduler);
  const inFull = new FullRequests(kept?.inFull);
  const parts = {
    policy,
    goal,
    frontier: state.frontier,
    planner,
    signals,
    feeds,
    inFull,
    ...heads,
    ...(hubs && { hubs }),
  };
  const rates = new EarlierRates(settings.ratesFrom);
  const rule = new ContinuousRevisits({
    ...{ planner, feeds, weightOf, minIntervalMs, maxIntervalMs, random, rates },
    byRate: settings.revisitLanes === 'rate',
  });
  const replanning = new Replanning({
    frontier: state.frontier,
    waiting: (after) => state.plannedPages(after),
    planAgain: (page, now) => rule.again(page, now),
    clock,
  });
  const scheduler = new RevisitScheduler({ ...parts, replanning, plannedFor, clock, write });
  const longest = Math.max(planner.longestIntervalMs, maxIntervalMs, LONGEST_FEED_REST_MS);
  return {
    scheduler,
    rule,
    begin: () => scheduler.begin(isOutdated || state.anyPlannedAfter(clock.now() + longest * SLACK)),
    [Symbol.dispose]: () => rates[Symbol.dispose](),
  };
}

/** No feed is asked more often, nor more seldom, unless the user says so of all pages. */
const FEED_FLOOR_MS = 300_000;
const FEED_CEILING_MS = 2 * 86_400_000;
/** A publisher may ask for a day, and name hours and days on which nothing comes. */
const LONGEST_FEED_REST_MS = 8 * 86_400_000;
/** What was the longest interval when a visit was planned may be a little longer than it is now. */
const SLACK = 1.25;

function openHeads(feeds: FeedClock, kept: HeadRequestsSnapshot | undefined): HeadRequests {
  return new HeadRequests({ isFeed: (url) => feeds.knows(url), ...(kept === undefined ? {} : { kept }) });
}

function goalOf({ freshnessGoal, requestsPerDay }: Settings): { freshnessGoal?: number; requestsPerDay?: number } {
  if (freshnessGoal > 0) return { freshnessGoal };
  return requestsPerDay === 'auto' ? {} : { requestsPerDay };
}
