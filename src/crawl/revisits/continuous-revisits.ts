import type { PageFacts } from '../../contracts/content/page-facts.ts';
import type { Outcome } from '../../contracts/crawl-task.ts';
import type { ChangeHistory, EarlierVisit, PageChange, PageWeight, RevisitPlanner } from '../../contracts/revisit.ts';
import type { SettledPage } from '../../contracts/state/settled-page.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { isSameText } from '../content/text-digest.ts';
import { isBrokenOff } from '../visit/body-signs.ts';
import type { EarlierRates } from './earlier-rates.ts';
import type { FeedClock } from './feed-clock.ts';
import type { WaitingPage } from './replanning.ts';
import type { EndedVisit, RevisitRule, VisitPlan } from './revisit-rule.ts';

export interface ContinuousRevisitsParts {
  readonly planner: RevisitPlanner;
  readonly feeds: FeedClock;
  readonly weightOf: (url: CanonicalUrl) => PageWeight;
  readonly minIntervalMs: number;
  readonly maxIntervalMs: number;
  readonly random: () => number;
  /** What earlier crawls know of pages that this one has not visited yet. */
  readonly rates?: Pick<EarlierRates, 'of'>;
  /** Visits again enter front queues by the rate of their page; else all the first one. */
  readonly byRate?: boolean;
}

interface FirstPlan {
  readonly at: number;
  readonly why: string;
  readonly history?: ChangeHistory;
  readonly lane?: number;
}

type Loss = Extract<PageChange, { kind: 'gone' | 'moved' }>;

/** Endings with a page. */
const GIVEN: ReadonlySet<Outcome['kind']> = new Set(['stored', 'duplicate', 'unchanged']);
/** A visit has its time, which new URLs have not; the budget keeps visits from crowding those out. */
const FIRST_LANE = 0;
/** There are no more than 64 of them. */
const RAREST_LANE = 63;
const BROKEN_OFF = 'its copy broke off on the way; it is asked for again in full';
/** What the crawl itself holds back was not visited. */
const HELD: ReadonlySet<string> = new Set(['trap', 'mirror', 'budget']);

/** Every page has a next visit: planned by its changes, or, where it gives none, later and later until it is given up. */
export class ContinuousRevisits implements RevisitRule {
  readonly #parts: ContinuousRevisitsParts;

  constructor(parts: ContinuousRevisitsParts) {
    this.#parts = parts;
  }

  after(visit: EndedVisit): VisitPlan {
    const { claim, outcome } = visit;
    if (claim.task.purpose !== 'page' || outcome.kind === 'deferred') return {};
    if (GIVEN.has(outcome.kind)) return this.#given(visit);
    if (outcome.kind === 'refused') return HELD.has(outcome.by) ? {} : this.#muchLater(visit, 'its site may allow it');
    return this.#lacking(visit, outcome);
  }

  /** A URL of a crawl that went on without a thought of later visits: when it is due for its first. */
  begin(
    { url, outcome, visitedAt, facts }: Pick<SettledPage, 'url' | 'outcome' | 'visitedAt' | 'facts'>,
    now: number,
  ): FirstPlan | undefined {
    const { planner, weightOf, maxIntervalMs } = this.#parts;
    if (!GIVEN.has(outcome.kind)) {
      if (outcome.kind === 'refused' && HELD.has(outcome.by)) return undefined;
      return { at: Math.max(now, visitedAt + maxIntervalMs / 4), why: 'there was no page; it is asked for again' };
    }
    const history = this.#firstHistory(url, outcome, facts, visitedAt);
    const { at, why } = planner.next(history, weightOf(url));
    return at === undefined ? undefined : { at, why, history, lane: this.#laneOf(history) };
  }

  /** A page that waits for its next visit: when it is due by the settings and the clock as they are now. */
  again(page: WaitingPage, now: number): FirstPlan | undefined {
    const { planner, feeds, weightOf, maxIntervalMs, random } = this.#parts;
    const { url, outcome, visitedAt, nextVisit, changes } = page;
    const isGiven = GIVEN.has(outcome.kind);
    if (isGiven && !feeds.knows(url)) {
      if (changes === undefined) return this.begin({ url, outcome, visitedAt: Math.min(visitedAt, now) }, now);
      const { at, why } = planner.again(changes, weightOf(url), now);
      return at === undefined ? undefined : { at, why };
    }
    const latest = isGiven ? feeds.latest(url, now) : now + maxIntervalMs;
    if (nextVisit <= latest) return undefined;
    const why = isGiven ? 'a feed' : 'there was no page; it is asked for again';
    return { at: now + (latest - now) * random(), why };
  }

  #given({ claim, outcome, facts, feedItems, now }: EndedVisit): VisitPlan {
    const { planner, feeds, weightOf, minIntervalMs } = this.#parts;
    const { earlier, task } = claim;
    // Visits that brought nothing say nothing of changes.
    const before = earlier?.digest === undefined ? undefined : earlier;
    const known = earlier?.history ?? (before && planner.observe(undefined, { at: before.at }));
    const changed = before && hasChanged(before, outcome, facts);
    const history =
      known === undefined
        ? this.#firstHistory(task.url, outcome, facts, now)
        : planner.observe(known, {
            at: now,
            ...(changed === undefined ? {} : { changed }),
            ...lastModifiedOf(facts),
          });
    const planned = planner.next(history, weightOf(task.url), earlier?.history);
    const isFeed = feedItems !== undefined || feeds.knows(task.url);
    const items = feedItems ?? { fresh: 0, listed: 0 };
    const next = isFeed ? feeds.next(task.url, outcome, items, now) : planned;
    const lane = isFeed ? FIRST_LANE : this.#laneOf(history);
    // Once: where it breaks off again, the server knows no better.
    if (isBrokenOff(facts) && !isBrokenOff(earlier) && (next.at ?? Number.POSITIVE_INFINITY) > now + minIntervalMs)
      return { ...scheduled({ at: now + minIntervalMs, why: BROKEN_OFF }), history, ...changeOf(before, changed) };
    return { ...scheduled(next, lane), history, ...changeOf(before, changed) };
  }

  /** Of a page that this crawl has not visited before; its history by an earlier crawl goes on, as that one's next visit would. */
  #firstHistory(url: CanonicalUrl, outcome: Outcome, facts: PageFacts | undefined, at: number): ChangeHistory {
    const { planner, rates } = this.#parts;
    const seen = { at, ...lastModifiedOf(facts) };
    const page = rates?.of(url);
    if (page === undefined || page.visit.at >= at) return planner.observe(undefined, seen);
    const isCompared = page.visit.digest !== undefined && facts?.digest !== undefined;
    const changed = isCompared ? { changed: hasChanged(page.visit, outcome, facts) } : {};
    return planner.adopt(page.history, { ...seen, ...changed });
  }

  #laneOf({ rate }: ChangeHistory): number {
    return this.#parts.byRate === true ? laneOfRate(rate) : FIRST_LANE;
  }

  /** Gone, moved, out of reach: asked again after twice as long each time; what stays gone is given up. */
  #lacking({ claim, now }: EndedVisit, outcome: Outcome): VisitPlan {
    const { planner, minIntervalMs, maxIntervalMs } = this.#parts;
    const { earlier } = claim;
    const history = earlier?.history;
    // What never was a page is hardly worth asking for again; one that has vanished may be back soon.
    const first = earlier?.digest === undefined ? maxIntervalMs / 4 : minIntervalMs;
    const last = claim.tries > 0 ? earlier?.before : earlier;
    const wasLacking = last !== undefined && !GIVEN.has(last.outcome.kind);
    const wait = wasLacking ? Math.max(first, 2 * (now - last.at)) : first;
    const loss = lossOf(outcome);
    const plan: VisitPlan = {
      planned: true,
      ...keep(history && loss ? withLoss(history, loss) : history),
      ...(loss !== undefined && earlier?.digest !== undefined && isNews(loss, earlier) ? { change: loss } : {}),
    };
    if (wait <= maxIntervalMs)
      return { ...plan, nextVisit: now + wait, nextVisitWhy: `${stateOf(outcome)}; asked again after twice as long` };
    if (outcome.kind === 'failed')
      return { ...plan, nextVisit: now + maxIntervalMs, nextVisitWhy: 'out of reach for long; asked now and then' };
    if (history !== undefined) planner.forget(history);
    return { ...plan, nextVisitWhy: `${stateOf(outcome)} for too long: given up` };
  }

  #muchLater({ claim, now }: EndedVisit, why: string): VisitPlan {
    return {
      planned: true,
      ...keep(claim.earlier?.history),
      nextVisit: now + this.#parts.maxIntervalMs,
      nextVisitWhy: `refused; ${why} by then`,
    };
  }
}

/** Changed means that its headline or main text has, not the advertisements around it. */
function hasChanged(earlier: EarlierVisit, outcome: Outcome, facts: PageFacts | undefined): boolean {
  if (outcome.kind === 'unchanged' || facts?.digest === undefined || facts.digest === earlier.digest) return false;
  // The rest of a copy that had broken off is no news: what counts is the last one that was whole.
  if (isBrokenOff(earlier) && !isBrokenOff(facts)) return isSameText(earlier.wholeTextDigest, facts) === false;
  if (!isBrokenOff(earlier) && isBrokenOff(facts)) return false;
  // A piece can be compared with the next where it came twice as it was: its server always breaks off at the same place.
  if (isBrokenOff(facts) && earlier.repeated !== true) return false;
  return isSameText(earlier.textDigest, facts) !== true;
}

function changeOf(before: EarlierVisit | undefined, changed: boolean | undefined): { change?: PageChange } {
  if (before === undefined) return { change: { kind: 'new' } };
  if (isLost(before)) return { change: { kind: 'back' } };
  return changed === true ? { change: { kind: 'changed' } } : {};
}

/** Its last definite answer, whatever has failed since, was that it is not there. */
function isLost({ outcome, history }: EarlierVisit): boolean {
  return history?.lost !== undefined || outcome.kind === 'gone' || outcome.kind === 'redirected';
}

/** It is lost now, or in another way than its last definite answer said. The same loss once more is no news. */
function isNews(loss: Loss, earlier: EarlierVisit): boolean {
  const { outcome, history } = earlier;
  if (!isLost(earlier)) return true;
  const before = lossOf(outcome);
  if (loss.kind !== (history?.lost ?? before?.kind)) return true;
  if (loss.kind !== 'moved') return false;
  const to = before?.kind === 'moved' ? before.to : history?.movedTo;
  return to !== undefined && to !== loss.to;
}

function withLoss(history: ChangeHistory, loss: Loss): ChangeHistory {
  const { movedTo: _, ...rest } = history;
  return { ...rest, lost: loss.kind, ...(loss.kind === 'moved' ? { movedTo: loss.to } : {}) };
}

function lossOf(outcome: Outcome): Loss | undefined {
  if (outcome.kind === 'gone') return { kind: 'gone', status: outcome.status };
  return outcome.kind === 'redirected' ? { kind: 'moved', to: outcome.to } : undefined;
}

function stateOf(outcome: Outcome): string {
  return outcome.kind === 'failed' ? 'out of reach' : outcome.kind === 'redirected' ? 'moved' : 'gone';
}

function scheduled({ at, why }: { readonly at?: number; readonly why: string }, lane = FIRST_LANE): VisitPlan {
  return { ...(at === undefined ? {} : { nextVisit: at, nextVisitLane: lane }), nextVisitWhy: why };
}

/** The first front queue has what changes every day, each next one what changes half as often; the frontier has a last one. */
function laneOfRate(perDay: number): number {
  return perDay > 0 ? Math.min(RAREST_LANE, Math.max(FIRST_LANE, Math.ceil(-Math.log2(perDay)))) : RAREST_LANE;
}

function keep(history: ChangeHistory | undefined): VisitPlan {
  return history === undefined ? {} : { history };
}

/** What the server says of the last change; where it says nothing, what the page does, in a META tag or otherwise. */
function lastModifiedOf(facts: PageFacts | undefined): { lastModified?: number } {
  const at = facts?.lastModified === undefined ? facts?.about?.modified : Date.parse(facts.lastModified);
  return at === undefined || Number.isNaN(at) ? {} : { lastModified: at };
}
