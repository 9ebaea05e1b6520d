import { CLOCK_SLACK_MS, type Clock } from '../../base/clock.ts';
import { fingerprint } from '../../base/fingerprint.ts';
import type { Claim, Settlement } from '../../contracts/crawl-task.ts';
import type { Frontier, RevisitUpdate } from '../../contracts/frontier.ts';
import type { RevisitForecast, RevisitPlanner, RevisitPolicyName } from '../../contracts/revisit.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { FeedSchedule } from '../../revisit/feed-polling.ts';
import type { NeighbourVisit } from '../../revisit/neighbour-changes.ts';
import type { FeedHubs } from '../notify/feed-hubs.ts';
import type { FullRequests, FullRequestsSnapshot } from '../visit/full-requests.ts';
import type { HeadRequests, HeadRequestsSnapshot } from '../visit/head-requests.ts';
import type { FinishedWork } from '../visit/page-work.ts';
import type { ChangeSignals, SignalsSnapshot } from './change-signals.ts';
import type { NamedItem } from './feed-assertions.ts';
import type { FeedClock } from './feed-clock.ts';
import type { Replanning } from './replanning.ts';

/** What a continuous crawl keeps from run to run; in the state under the name 'upkeep'. */
export interface RevisitSchedulerSnapshot {
  readonly policy: RevisitPolicyName;
  readonly planner: unknown;
  readonly feeds: readonly (readonly [string, FeedSchedule])[];
  readonly signals: SignalsSnapshot;
  /** Absent in folders of earlier versions, and where HEAD is switched off. */
  readonly heads?: HeadRequestsSnapshot;
  /** Absent in folders of earlier versions. */
  readonly inFull?: FullRequestsSnapshot;
  /** This many pages are kept, as `max-pages` has it: no new ones are taken in. */
  readonly full?: number;
  /** Nothing on topic has come for so long, as `dry-after` has it, that no new pages are taken in. */
  readonly dry?: true;
  /** For people: what was asked for, and what follows from it. */
  readonly freshnessGoal?: number;
  readonly requestsPerDay?: number;
  readonly forecast: RevisitForecast;
  readonly savedAt: number;
  /** The settings by which all visits were planned; see `RevisitSchedulerParts`. Absent while they are planned again. */
  readonly plannedFor?: string;
}

export interface RevisitSchedulerParts {
  readonly policy: RevisitPolicyName;
  /** A freshness or a number of requests, as the user has set it; neither where the default counts. */
  readonly goal: Pick<RevisitSchedulerSnapshot, 'freshnessGoal' | 'requestsPerDay'>;
  readonly frontier: Frontier;
  readonly planner: RevisitPlanner;
  readonly signals: ChangeSignals;
  readonly feeds: FeedClock;
  /** Absent: known pages are always asked for with GET. */
  readonly heads?: HeadRequests;
  /** Which pages are asked for in full although they have validators. */
  readonly inFull: FullRequests;
  /** Where hubs may tell of news. */
  readonly hubs?: FeedHubs;
  readonly replanning: Replanning;
  /** The settings that plans follow from, in one text. */
  readonly plannedFor: string;
  readonly clock: Clock;
  readonly write: (kept: RevisitSchedulerSnapshot) => void;
}

/** What was learnt since is lost with a crash, and learnt again. */
const SAVE_EVERY_MS = 10_000;
/** Visits are planned again for so long before the crawl begins; with more of them it begins all the same. */
const PLANNING_FIRST_MS = 1000;
/** Planning again takes no longer at a time, and no more than half of the time. */
const PLANNING_MS = 200;

/** Keeps the pages of a crawl fresh: hears what sites say of changes, and keeps what was learnt. */
export class RevisitScheduler {
  readonly #parts: RevisitSchedulerParts;
  #saved: number;
  #full: number | undefined;
  #dry = false;
  #maintainedAt: number;

  constructor(parts: RevisitSchedulerParts) {
    this.#parts = parts;
    this.#saved = parts.clock.now();
    this.#maintainedAt = this.#saved;
  }

  /** Visits are planned again, a part of them at a time, while the crawl goes on. */
  get isReplanning(): boolean {
    return this.#parts.replanning.isUnderWay;
  }

  /** Before the crawl begins; `replan`: visits that were planned before are planned once more. */
  async begin(replan: boolean): Promise<void> {
    const { replanning, clock } = this.#parts;
    if (replan) replanning.start();
    const until = clock.now() + PLANNING_FIRST_MS;
    while (replanning.isUnderWay && clock.now() < until) await replanning.step();
    this.#maintainedAt = clock.now();
    this.save();
  }

  /** The claim as it is to be worked on: some pages are asked for with HEAD first, some without their validators. */
  prepare(claim: Claim): Claim {
    const { heads, inFull, clock } = this.#parts;
    return inFull.prepare(heads?.prepare(claim, clock.now()) ?? claim);
  }

  /** As many pages are kept as may be. */
  filled(pages: number): void {
    this.#full = pages;
    this.save();
  }

  /** Nothing on topic has come for long. */
  driedUp(): void {
    this.#dry = true;
    this.save();
  }

  /** After a batch was settled: visits that are wanted sooner, and what the assertions of sitemaps were worth. */
  async settled(finished: readonly FinishedWork[], settlements: readonly Settlement[]): Promise<void> {
    const { signals, clock, heads, inFull, hubs } = this.#parts;
    for (let at = 0; at < finished.length; at++) {
      const { claim, work } = finished[at];
      const { outcome, change } = settlements[at];
      const { earlier, task } = claim;
      heads?.settled(claim, work, settlements[at], clock.now());
      inFull.settled(claim, work, settlements[at], clock.now());
      if (work.kind === 'looked' && work.same !== undefined) await this.#lookedAt(claim, clock.now());
      if (work.kind !== 'page' || task.purpose !== 'page') continue;
      if (work.hub !== undefined) await hubs?.discovered(task.url, work.hub);
      const updates = await signals.read(claim, work.links, clock.now());
      if (outcome.kind === 'gone' || outcome.kind === 'redirected') signals.gone(task.url);
      else {
        const at = clock.now();
        const changed = change?.kind === 'changed';
        if (earlier?.digest !== undefined) signals.visited(task.url, task.host, earlier.at, at, changed);
        updates.push(...(await signals.neighbours(neighbourVisit(claim, at, changed), clock.now())));
      }
      await this.#update(updates);
    }
  }

  /** By HEAD, where nothing was said of a change: no claim is put to the test by that. */
  async #lookedAt(claim: Claim, at: number): Promise<void> {
    const { signals, clock } = this.#parts;
    await signals.neighbours(neighbourVisit(claim, at, false), clock.now());
  }

  async #update(updates: readonly RevisitUpdate[]): Promise<void> {
    if (updates.length === 0) return;
    this.#parts.heads?.signalled(updates);
    await this.#parts.frontier.updateRevisits(updates);
  }

  /** The user has said at `since` that a page has changed. True: its visit is under way, and this is to be said again after it. */
  async ordered(url: CanonicalUrl, since: number): Promise<boolean> {
    const { signals, heads, clock } = this.#parts;
    heads?.signalled([{ fingerprint: fingerprint(url) }]);
    const update = await signals.ordered(url, since, clock.now());
    if (update === 'due') return true;
    if (update !== undefined) await this.#update([update]);
    return false;
  }

  /** A site has told of a page that is known: its visit is brought forward. */
  async pushed(url: CanonicalUrl): Promise<void> {
    const { signals, heads, feeds, clock } = this.#parts;
    heads?.signalled([{ fingerprint: fingerprint(url) }]);
    const update = feeds.knows(url)
      ? await signals.polled(url, 'push', clock.now())
      : await signals.pushed(url, clock.now());
    if (update !== undefined) await this.#update([update]);
  }

  /** A hub has told of items. */
  async heard(topic: string, items: readonly NamedItem[]): Promise<void> {
    const { signals, hubs, clock } = this.#parts;
    const feed = hubs?.feedOf(topic);
    if (feed === undefined) return;
    await this.#update(await signals.heard({ feed: feed.url, host: feed.host, items }, clock.now()));
  }

  /** A hub says that there is news, but cannot prove who it is: the feed is asked itself. */
  async polled(topic: string): Promise<void> {
    const { signals, hubs, clock } = this.#parts;
    const feed = hubs?.feedOf(topic);
    const update = feed && (await signals.polled(feed.url, 'hub', clock.now()));
    if (update !== undefined) await this.#update([update]);
  }

  /** The address of a topic's feed. */
  feedOf(topic: string): CanonicalUrl | undefined {
    return this.#parts.hubs?.feedOf(topic)?.url;
  }

  async maintain(): Promise<void> {
    const { clock, replanning } = this.#parts;
    const began = clock.now();
    // What is planned for times of a clock that was ahead would come too late.
    if (began < this.#maintainedAt - CLOCK_SLACK_MS) replanning.start();
    const until = began + Math.min(PLANNING_MS, began - this.#maintainedAt);
    while (replanning.isUnderWay && clock.now() <= until) await replanning.step();
    this.#maintainedAt = clock.now();
    if (Math.abs(this.#maintainedAt - this.#saved) >= SAVE_EVERY_MS) this.save();
  }

  save(): void {
    const { policy, goal, planner, feeds, signals, heads, inFull, plannedFor, clock, write } = this.#parts;
    this.#saved = clock.now();
    write({
      policy,
      planner: planner.toJSON(),
      feeds: feeds.toJSON(),
      signals: signals.toJSON(),
      ...(heads === undefined ? {} : { heads: heads.toJSON() }),
      inFull: inFull.toJSON(),
      ...(this.#full === undefined ? {} : { full: this.#full }),
      ...(this.#dry ? { dry: true as const } : {}),
      ...(this.isReplanning ? {} : { plannedFor }),
      ...goal,
      forecast: planner.forecast(),
      savedAt: this.#saved,
    });
  }
}

function neighbourVisit({ task, earlier }: Claim, at: number, changed: boolean): NeighbourVisit {
  return { url: task.url, at, changed, ...(earlier?.history === undefined ? {} : { before: earlier.history }) };
}
