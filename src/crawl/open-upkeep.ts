import type { Clock } from '../base/clock.ts';
import type { Settings } from '../base/settings/schema.ts';
import type { PageWeight } from '../contracts/revisit.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import type { SqliteState } from '../engines/sqlite/sqlite-state.ts';
import { createRevisitPlanner } from '../revisit/revisit-planner.ts';
import { ChangeSignals } from './change-signals.ts';
import { ContinuousRevisits } from './continuous-revisits.ts';
import { FeedClock } from './feed-clock.ts';
import { type KeptUpkeep, Upkeep } from './upkeep.ts';

export interface OpenedUpkeep {
  readonly upkeep: Upkeep;
  readonly rule: ContinuousRevisits;
}

export interface UpkeepSources {
  readonly settings: Settings;
  readonly state: SqliteState;
  readonly clock: Clock;
  readonly random: () => number;
  readonly weightOf: (url: CanonicalUrl) => PageWeight;
}

/** What a continuous crawl needs beside the rest. */
export function openUpkeep({ settings, state, clock, random, weightOf }: UpkeepSources): OpenedUpkeep {
  const { revisitPolicy: policy, revisitMin: minIntervalMs, revisitMax: maxIntervalMs } = settings;
  const kept = state.read<KeptUpkeep>('upkeep');
  const goal = goalOf(settings);
  const planner = createRevisitPlanner(
    { policy, ...goal, minIntervalMs, maxIntervalMs, random, now: clock.now() },
    kept?.planner,
  );
  const floor = Math.max(minIntervalMs, Math.min(FEED_FLOOR_MS, maxIntervalMs));
  const feeds = new FeedClock(
    { floor, ceiling: Math.max(floor, Math.min(FEED_CEILING_MS, maxIntervalMs)) },
    kept?.feeds,
  );
  const signals = new ChangeSignals({ planner, weightOf, pageOf: (url) => state.pages.page(url) }, kept?.signals);
  const write = (upkeep: KeptUpkeep): void => state.write('upkeep', upkeep);
  return {
    upkeep: new Upkeep({ policy, goal, frontier: state.frontier, planner, signals, feeds, clock, write }),
    rule: new ContinuousRevisits({ planner, feeds, weightOf, minIntervalMs, maxIntervalMs }),
  };
}

/** No feed is asked more often, nor more seldom, unless the user says so of all pages. */
const FEED_FLOOR_MS = 300_000;
const FEED_CEILING_MS = 2 * 86_400_000;

function goalOf({ freshnessGoal, requestsPerDay }: Settings): { freshnessGoal?: number; requestsPerDay?: number } {
  if (freshnessGoal > 0) return { freshnessGoal };
  return requestsPerDay === 'auto' ? {} : { requestsPerDay };
}
