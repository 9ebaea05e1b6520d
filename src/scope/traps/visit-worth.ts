import type { VisitEvidence } from '../../contracts/trap-guard.ts';
import type { Findings } from './hold-reason.ts';
import type { Entry } from './pattern-account.ts';

/** What the guard knows of a visit beyond the evidence. */
export interface VisitContext {
  /** The host is that of a seed, or lies in its domain and has budget left: the user asked for it. */
  readonly wanted: boolean;
  /** A page of good standing, a sitemap, a feed or a seed links to it. */
  readonly trusted: boolean;
  /** A page of the same group links to it. */
  readonly namedWithin: boolean;
  /** How much content that is not new says: less of a wide group, and of a pattern within a folder that is worth it. */
  readonly weight: number;
  /** How many URLs it leads to that nothing linked to before: of the pattern itself or, for a wide group, of the site. */
  readonly feeds: number;
  /** From 0 to 1: which share of its links point to what other pages link to. 1 where it leads nowhere new. */
  readonly closure: number;
  /** Size, number of links and text are those of the page before. */
  readonly alike: boolean;
  /** It is a near-duplicate of a page of its own pattern. */
  readonly sibling: boolean;
}

type Stale = Exclude<VisitEvidence['novelty'], 'new'>;

/** One page with new content makes up for this many that bring nothing. */
const GAIN = 6;
const LISTED_GAIN = 1;
const ENDLESS = -0.5;
const ENDLESS_FROM_ELSEWHERE = -0.25;
const ENDLESS_TRUSTED = -0.125;
const ENDLESS_CHAIN = -0.03125;
/** With this closure a page counts in full: in a large site one link in four is known soon. */
const FULL_CLOSURE = 0.25;
/** A server that fails, and content of another type, say nothing about whether a pattern has an end. */
const COSTS: Readonly<Record<Stale, number>> = {
  'near-duplicate': -1,
  duplicate: -1,
  'soft-not-found': -1,
  gone: -1,
  failed: 0,
  redirected: -0.75,
  refused: 0,
};
const FINDINGS: Readonly<Record<Stale, keyof Findings>> = {
  'near-duplicate': 'nearDuplicates',
  duplicate: 'duplicates',
  'soft-not-found': 'softNotFound',
  gone: 'gone',
  failed: 'failed',
  redirected: 'redirected',
  refused: 'refused',
};
/** Nobody asked for a host that was only found by links: there it takes fewer visits to be sure. */
const FOUND_WEIGHT = 1.25;
const SLOW_MS = 10_000;
const SLOW_COST = -2;
/** Amounts are rounded to parts of this, which keeps snapshots short. */
const PARTS = 32;

/**
 * What a visit was worth. Content that is not new costs a whole visit of the allowance. New content is never held against
 * a host that the user asked for. Of a host that was only found by links, it brings much if the page stands in a web that
 * closes upon itself, as every honest site does sooner or later; a page that only leads to ever more of its kind, which nothing
 * else links to, draws on the budget of its pattern: a maze of random text looks like that for ever.
 */
export function visitWorth(evidence: VisitEvidence, context: VisitContext): Entry {
  const entry = entryOf(evidence, context);
  return context.wanted || entry.amount >= 0 ? entry : { ...entry, amount: entry.amount * FOUND_WEIGHT };
}

function entryOf({ novelty, fetchMs, bytes, task }: VisitEvidence, context: VisitContext): Entry {
  // Less than a byte per millisecond, for long: nobody serves readers like that.
  const slow = !context.wanted && fetchMs >= SLOW_MS && bytes < fetchMs;
  const extra = slow ? SLOW_COST : 0;
  if (novelty !== 'new') {
    const cost = isHarmless(novelty, context) ? 0 : COSTS[novelty] * context.weight;
    return { finding: FINDINGS[novelty], amount: cost + extra, slow };
  }
  if (context.alike) {
    // One that leads nowhere new does no harm; but it is no proof of worth either.
    return { finding: 'alike', amount: (context.feeds > 0 ? COSTS['near-duplicate'] : 0) + extra, slow };
  }
  const endless = context.feeds > 0 && context.closure < FULL_CLOSURE;
  if (context.wanted) return { finding: endless ? 'growing' : 'worthwhile', amount: GAIN, slow };
  const { how } = task.discovery;
  const listed = how === 'sitemap' || how === 'feed';
  // A list of pages of another kind is judged by what they turn out to be.
  const doubt = listed ? LISTED_GAIN : context.feeds > 0 ? endlessCost(context) : 0;
  const worth = doubt + (GAIN - doubt) * Math.min(1, context.closure / FULL_CLOSURE);
  const amount = Math.round(worth * PARTS) / PARTS + extra;
  return { finding: amount < 0 ? 'endless' : 'worthwhile', amount, slow };
}

/**
 * Whether what is not new has an end all the same: pages that are alike and lead to no more of their kind, and, where the user
 * asked for the host, links to pages that are not there: such a page leads nowhere.
 */
function isHarmless(novelty: Stale, { sibling, feeds, wanted }: VisitContext): boolean {
  if (feeds > 0) return false;
  return novelty === 'near-duplicate' ? sibling : wanted && (novelty === 'gone' || novelty === 'soft-not-found');
}

/** What leads on to one page only is a chain, and does not grow: chapters, or the posts of a diary. */
function endlessCost({ trusted, namedWithin, feeds }: VisitContext): number {
  if (feeds === 1) return ENDLESS_CHAIN;
  if (trusted) return ENDLESS_TRUSTED;
  return namedWithin ? ENDLESS : ENDLESS_FROM_ELSEWHERE;
}

/** How much of a page of a maze it is, 1 at most: by as much it draws on the budget of a host on the domain of a seed. */
export function endlessPart(context: VisitContext): number {
  return endlessCost(context) / ENDLESS;
}

/**
 * The same for the form of a name, on whatever folder of a host: links that were mistyped or made up by a machine lead to
 * pages that are not there, in all folders alike. Only errors speak against it, and anything new for it.
 */
export function nameWorth({ novelty }: VisitEvidence, wanted: boolean): Entry | undefined {
  if (wanted) return undefined;
  if (novelty === 'new') return { finding: 'worthwhile', amount: GAIN, slow: false };
  if (novelty !== 'gone' && novelty !== 'soft-not-found') return undefined;
  return { finding: FINDINGS[novelty], amount: COSTS[novelty], slow: false };
}
