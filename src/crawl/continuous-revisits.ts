import type { Outcome } from '../contracts/crawl-task.ts';
import type { PageFacts } from '../contracts/page-facts.ts';
import type { ChangeHistory, EarlierVisit, PageChange, PageWeight, RevisitPlanner } from '../contracts/revisit.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import type { FeedClock } from './feed-clock.ts';
import type { EndedVisit, RevisitRule, VisitPlan } from './revisit-rule.ts';

export interface ContinuousRevisitsParts {
  readonly planner: RevisitPlanner;
  readonly feeds: FeedClock;
  readonly weightOf: (url: CanonicalUrl) => PageWeight;
  readonly minIntervalMs: number;
  readonly maxIntervalMs: number;
}

interface FirstPlan {
  readonly at: number;
  readonly why: string;
  readonly history: ChangeHistory;
}

/** Endings with a page. */
const GIVEN: ReadonlySet<Outcome['kind']> = new Set(['stored', 'duplicate', 'unchanged']);
/** A visit has its time, which new URLs have not; the budget keeps visits from crowding those out. */
const FIRST_LANE = 0;
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

  /** A page of a crawl that went on without a thought of later visits: when it is due for its first. */
  begin(url: CanonicalUrl, visitedAt: number, facts: PageFacts | undefined): FirstPlan | undefined {
    const history = this.#parts.planner.observe(undefined, { at: visitedAt, ...lastModifiedOf(facts) });
    const { at, why } = this.#parts.planner.next(history, this.#parts.weightOf(url));
    return at === undefined ? undefined : { at, why, history };
  }

  #given({ claim, outcome, facts, feedItems, now }: EndedVisit): VisitPlan {
    const { planner, feeds, weightOf } = this.#parts;
    const { earlier, task } = claim;
    const at = facts?.requestedAt ?? now;
    // Visits that brought nothing say nothing of changes.
    const before = earlier?.digest === undefined ? undefined : earlier;
    const known = earlier?.history ?? (before && planner.observe(undefined, { at: before.at }));
    const changed = before && hasChanged(before, outcome, facts);
    const history = planner.observe(known, {
      at,
      ...(changed === undefined ? {} : { changed }),
      ...lastModifiedOf(facts),
    });
    const planned = planner.next(history, weightOf(task.url), earlier?.history);
    const next = feedItems === undefined ? planned : feeds.next(task.url, outcome, feedItems, at);
    return { ...scheduled(next), history, ...changeOf(before, changed) };
  }

  /** Gone, moved, out of reach: asked again after twice as long each time; what stays gone is given up. */
  #lacking({ claim, now }: EndedVisit, outcome: Outcome): VisitPlan {
    const { planner, minIntervalMs, maxIntervalMs } = this.#parts;
    const { earlier } = claim;
    const wasLacking = earlier !== undefined && !GIVEN.has(earlier.outcome.kind);
    // What never was a page is hardly worth asking for again; one that has vanished may be back soon.
    const first = earlier !== undefined && hadPage(earlier) ? minIntervalMs : maxIntervalMs / 4;
    const wait = wasLacking ? Math.max(minIntervalMs, 2 * (now - earlier.at)) : first;
    const change = earlier !== undefined && hadPage(earlier) ? lossOf(outcome) : undefined;
    const plan = { ...keep(earlier?.history), ...(change === undefined ? {} : { change }) };
    if (wait <= maxIntervalMs)
      return { ...plan, nextVisit: now + wait, nextVisitWhy: `${stateOf(outcome)}; asked again after twice as long` };
    if (outcome.kind === 'failed')
      return { ...plan, nextVisit: now + maxIntervalMs, nextVisitWhy: 'out of reach for long; asked now and then' };
    if (earlier?.history !== undefined) planner.forget(earlier.history);
    return { ...plan, nextVisitWhy: `${stateOf(outcome)} for too long: given up` };
  }

  #muchLater({ claim, now }: EndedVisit, why: string): VisitPlan {
    return {
      ...keep(claim.earlier?.history),
      nextVisit: now + this.#parts.maxIntervalMs,
      nextVisitWhy: `refused; ${why} by then`,
    };
  }
}

/** Changed means that its main text has, not the advertisements around it. */
function hasChanged(earlier: EarlierVisit, outcome: Outcome, facts: PageFacts | undefined): boolean {
  if (outcome.kind === 'unchanged' || facts?.digest === undefined || facts.digest === earlier.digest) return false;
  if (facts.textDigest === undefined || earlier.textDigest === undefined) return true;
  return facts.textDigest !== earlier.textDigest;
}

function changeOf(before: EarlierVisit | undefined, changed: boolean | undefined): { change?: PageChange } {
  if (before === undefined) return { change: { kind: 'new' } };
  if (before.outcome.kind === 'gone' || before.outcome.kind === 'redirected') return { change: { kind: 'back' } };
  return changed === true ? { change: { kind: 'changed' } } : {};
}

function hadPage({ outcome, digest }: EarlierVisit): boolean {
  return digest !== undefined && (GIVEN.has(outcome.kind) || outcome.kind === 'failed');
}

function lossOf(outcome: Outcome): PageChange | undefined {
  if (outcome.kind === 'gone') return { kind: 'gone', status: outcome.status };
  return outcome.kind === 'redirected' ? { kind: 'moved', to: outcome.to } : undefined;
}

function stateOf(outcome: Outcome): string {
  return outcome.kind === 'failed' ? 'out of reach' : outcome.kind === 'redirected' ? 'moved' : 'gone';
}

function scheduled({ at, why }: { readonly at?: number; readonly why: string }): VisitPlan {
  return { ...(at === undefined ? {} : { nextVisit: at, nextVisitLane: FIRST_LANE }), nextVisitWhy: why };
}

function keep(history: ChangeHistory | undefined): VisitPlan {
  return history === undefined ? {} : { history };
}

function lastModifiedOf(facts: PageFacts | undefined): { lastModified?: number } {
  const at = facts?.lastModified === undefined ? Number.NaN : Date.parse(facts.lastModified);
  return Number.isNaN(at) ? {} : { lastModified: at };
}
