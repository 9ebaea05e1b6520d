import type { Clock } from '../base/clock.ts';
import type { Settlement } from '../contracts/crawl-task.ts';
import type { Frontier } from '../contracts/frontier.ts';
import type { RevisitForecast, RevisitPlanner, RevisitPolicyName } from '../contracts/revisit.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import type { FeedSchedule } from '../revisit/feed-polling.ts';
import type { ChangeSignals, KeptSignals } from './change-signals.ts';
import type { FeedClock } from './feed-clock.ts';
import type { FinishedWork } from './page-crew.ts';

/** What a continuous crawl keeps from run to run; in the state under the name 'upkeep'. */
export interface KeptUpkeep {
  readonly policy: RevisitPolicyName;
  readonly planner: unknown;
  readonly feeds: readonly (readonly [string, FeedSchedule])[];
  readonly signals: KeptSignals;
  /** For people: what was asked for, and what follows from it. */
  readonly freshnessGoal?: number;
  readonly requestsPerDay?: number;
  readonly forecast: RevisitForecast;
  readonly savedAt: number;
}

export interface UpkeepParts {
  readonly policy: RevisitPolicyName;
  /** A freshness or a number of requests, as the user has set it; neither where the default counts. */
  readonly goal: Pick<KeptUpkeep, 'freshnessGoal' | 'requestsPerDay'>;
  readonly frontier: Frontier;
  readonly planner: RevisitPlanner;
  readonly signals: ChangeSignals;
  readonly feeds: FeedClock;
  readonly clock: Clock;
  readonly write: (kept: KeptUpkeep) => void;
}

/** What was learnt since is lost with a crash, and learnt again. */
const SAVE_EVERY_MS = 10_000;

/** Keeps the pages of a crawl fresh: hears what sites say of changes, and keeps what was learnt. */
export class Upkeep {
  readonly #parts: UpkeepParts;
  #saved: number;

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
    this.#saved = parts.clock.now();
  }

  /** After a batch was settled: visits that are wanted sooner, and what the claims of sitemaps were worth. */
  async settled(finished: readonly FinishedWork[], settlements: readonly Settlement[]): Promise<void> {
    const { signals, frontier, clock } = this.#parts;
    for (let at = 0; at < finished.length; at++) {
      const { claim, work } = finished[at];
      const { outcome, change } = settlements[at];
      const { earlier, task } = claim;
      if (work.kind !== 'page' || task.purpose !== 'page') continue;
      const recalls = await signals.read(claim, work.links, clock.now());
      if (outcome.kind === 'gone' || outcome.kind === 'redirected') signals.gone(task.url);
      else {
        const at = work.facts.requestedAt;
        const changed = change?.kind === 'changed';
        if (earlier?.digest !== undefined) signals.visited(task.url, task.host, earlier.at, at, changed);
        const before = earlier?.history === undefined ? {} : { before: earlier.history };
        recalls.push(...(await signals.neighbours({ url: task.url, at, changed, ...before }, clock.now())));
      }
      if (recalls.length > 0) await frontier.recall(recalls);
    }
  }

  /** Somebody has told of a page that is known: its visit is brought forward. */
  async pushed(url: CanonicalUrl): Promise<void> {
    const { signals, frontier, clock } = this.#parts;
    const recall = await signals.pushed(url, clock.now());
    if (recall !== undefined) await frontier.recall([recall]);
  }

  tend(): void {
    if (this.#parts.clock.now() - this.#saved >= SAVE_EVERY_MS) this.save();
  }

  save(): void {
    const { policy, goal, planner, feeds, signals, clock, write } = this.#parts;
    this.#saved = clock.now();
    write({
      policy,
      planner: planner.toJSON(),
      feeds: feeds.toJSON(),
      signals: signals.toJSON(),
      ...goal,
      forecast: planner.forecast(),
      savedAt: this.#saved,
    });
  }
}
