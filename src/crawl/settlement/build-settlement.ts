import type { Link } from '../../contracts/content/page.ts';
import type { PageFacts } from '../../contracts/content/page-facts.ts';
import type { CrawlOrder } from '../../contracts/crawl-order.ts';
import type { Claim, CrawlTask, Discovery, LinkRefusal, Outcome, Settlement } from '../../contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { UrlFilter } from '../../contracts/url-filter.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import type { UrlOptions } from '../../url/url-options.ts';
import type { Focused } from '../learning/focus.ts';
import type { HeldBack } from '../learning/page-classifier.ts';
import type { RevisitRule } from '../revisits/revisit-rule.ts';
import type { PageWork } from '../visit/page-work.ts';
import { countOfKind, type PackedLinks, unpackLinks } from '../workers/packed-links.ts';

/** Lanes past the last count as the last. */
const LAST_LANE = 255;
/** The protocol knows no index of indexes; a few are met all the same. A chain of them without end is a trap. */
const MOST_INDEXES = 3;

export interface SettlementRules {
  readonly urlOptions: UrlOptions;
  readonly filter: UrlFilter;
  readonly order: CrawlOrder;
  readonly revisit: RevisitRule;
  readonly maxRedirects: number;
  /** Told of redirects before they are judged: what a seed leads to counts as a seed. */
  readonly redirects?: (from: CanonicalUrl, to: CanonicalUrl) => void;
  /** What the crawl has learnt of a link that the filter lets in. */
  readonly learnt?: (task: CrawlTask) => HeldBack | undefined;
}

/** What of the standing of a page counts for its links. */
export interface LinkStanding {
  /** Its links come last. */
  readonly doubtful?: boolean;
  readonly focused?: Pick<Focused, 'promise' | 'offTopic' | 'deadEnd'>;
}

/** How a page stands among all others. */
export interface Standing extends LinkStanding {
  /** The links that are judged at once; all that are unknown where absent. The others wait, see link-batch.ts. */
  readonly judged?: readonly number[];
  readonly focused?: Focused;
}

/**
 * Draws the conclusions from a visit: its outcome, the links that go on, the next visit. `unknown` tells which links are
 * worth judging. Pure but for order, revisits and scope, which learn from what they are asked.
 */
export function buildSettlement(
  claim: Claim,
  work: PageWork,
  unknown: readonly number[],
  now: number,
  rules: SettlementRules,
  standing: Standing = {},
): Settlement {
  switch (work.kind) {
    case 'robots':
      return {
        claim,
        outcome: claim.task.purpose === 'robots' ? { kind: 'stored' } : { kind: 'deferred', why: robotsStory(work) },
        use: work.use,
        robots: work.record,
        ...announced(work, rules),
        ...(work.location === undefined ? {} : { archived: [work.location] }),
      };
    case 'lost':
      return { claim, outcome: { kind: 'deferred', why: work.why }, use: work.use };
    case 'awaiting-robots':
      return { claim, outcome: { kind: 'deferred', why: 'robots.txt is awaited' } };
    case 'refused': {
      const outcome: Outcome = { kind: 'refused', by: work.by, rule: work.rule };
      return {
        claim,
        outcome,
        ...(work.use === undefined ? {} : { use: work.use }),
        ...rules.revisit.after({ claim, outcome, now }),
        ...together(
          work.links === undefined
            ? NONE
            : judgeLinks(claim.task, work.links, work.nofollow, standing.judged ?? unknown, rules, standing),
          // Judged as a link to it would be: where the page may not be asked for elsewhere, it comes in after all.
          work.instead === undefined ? NONE : sort([{ task: claim.task }], rules),
          elsewhere(work, rules),
        ),
      };
    }
    case 'probe':
    case 'recheck':
      return { claim, outcome: { kind: 'stored' }, use: work.use };
    case 'looked': {
      const { same, why, use } = work;
      if (same === undefined) return { claim, outcome: { kind: 'deferred', why }, use };
      const outcome: Outcome = { kind: 'unchanged', by: same.by };
      const { facts } = same;
      return { claim, outcome, use, page: facts, ...rules.revisit.after({ claim, outcome, facts, now }) };
    }
    case 'failed': {
      const { code, detail } = work;
      const outcome: Outcome = { kind: 'failed', code, ...(detail === '' ? {} : { detail }) };
      return {
        claim,
        outcome,
        use: work.use,
        ...(work.retryMs === undefined
          ? rules.revisit.after({ claim, outcome, now })
          : { nextVisit: now + work.retryMs, ...keptHistory(claim) }),
        ...lastAnswer(claim, work),
        ...elsewhere(work, rules),
      };
    }
    case 'page':
      return concludePage(claim, work, unknown, now, rules, standing);
  }
}

function concludePage(
  claim: Claim,
  work: Extract<PageWork, { kind: 'page' }>,
  unknown: readonly number[],
  now: number,
  rules: SettlementRules,
  standing: Standing,
): Settlement {
  const found =
    work.ending.kind === 'redirected'
      ? followRedirect(claim, work.ending.to, rules)
      : judgeLinks(claim.task, work.links, work.nofollow, standing.judged ?? unknown, rules, standing);
  const outcome = found.outcome ?? work.ending;
  const { facts } = work;
  return {
    claim,
    outcome,
    use: work.use,
    page: outcome.kind === 'unchanged' ? withoutContent(facts) : facts,
    archived: [work.location],
    ...together(found, elsewhere(work, rules)),
    ...rules.revisit.after({ claim, outcome, facts, now, ...feedItemsOf(work, unknown) }),
  };
}

/** A body that is the same as before was not read again: what was said of it then stays. */
function withoutContent({ digest: _digest, rawDigest: _raw, ...facts }: PageFacts): PageFacts {
  return facts;
}

/** Says nothing against a copy that is held: the facts of that one stay. */
function lastAnswer(
  { earlier }: Claim,
  { answer }: Extract<PageWork, { kind: 'failed' }>,
): Pick<Settlement, 'archived' | 'page'> {
  if (answer === undefined) return {};
  return { archived: [answer.location], ...(earlier?.digest === undefined ? { page: answer.facts } : {}) };
}

/** A retry is no visit: what is known of the page's changes stays. */
function keptHistory({ earlier }: Claim): Pick<Settlement, 'history'> {
  return earlier?.history === undefined ? {} : { history: earlier.history };
}

function feedItemsOf({ links }: Extract<PageWork, { kind: 'page' }>, unknown: readonly number[]) {
  const listed = countOfKind(links, 'feed');
  return listed === 0 ? {} : { feedItems: { listed, fresh: countOfKind(links, 'feed', unknown) } };
}

export interface Found {
  readonly links: readonly CrawlTask[];
  readonly refusals: readonly LinkRefusal[];
  /** Where following failed. */
  readonly outcome?: Outcome;
}

const TOO_MANY_INDEXES = { admit: false, by: 'depth', rule: 'a sitemap behind too many indexes' } as const;
const NONE: Found = { links: [], refusals: [] };

function together(...found: readonly Found[]): Pick<Found, 'links' | 'refusals'> {
  const some = found.filter(({ links, refusals }) => links.length > 0 || refusals.length > 0);
  if (some.length <= 1) return { links: some[0]?.links ?? [], refusals: some[0]?.refusals ?? [] };
  return { links: some.flatMap(({ links }) => links), refusals: some.flatMap(({ refusals }) => refusals) };
}

/** The page on mirrors of its host, which does not give it. */
function elsewhere({ onMirrors }: { readonly onMirrors?: readonly CrawlTask[] }, rules: SettlementRules): Found {
  return onMirrors === undefined
    ? NONE
    : sort(
        onMirrors.map((task) => ({ task })),
        rules,
      );
}

/** A redirect is a link that keeps the depth; chains are bounded, loops end because the target is known. */
function followRedirect(claim: Claim, to: string, rules: SettlementRules): Found {
  const { task } = claim;
  const url = normalizeUrl(to, rules.urlOptions, task.url);
  if (url === undefined)
    return { ...NONE, outcome: { kind: 'failed', code: 'redirect-invalid', detail: to.slice(0, 500) } };
  if (url === task.url)
    return { ...NONE, outcome: { kind: 'failed', code: 'redirect-loop', detail: to.slice(0, 500) } };
  if (task.redirects + 1 > rules.maxRedirects) {
    return {
      ...NONE,
      outcome: { kind: 'failed', code: 'redirect-chain', detail: `more than ${rules.maxRedirects} redirects` },
    };
  }
  const next: CrawlTask = {
    url,
    host: hostKeyOf(url),
    depth: task.depth,
    lane: task.lane,
    ...(task.offTopic === undefined ? {} : { offTopic: task.offTopic }),
    purpose: 'page',
    redirects: task.redirects + 1,
    // A sitemap that has moved is still one.
    discovery: { how: task.discovery.how === 'sitemap-file' ? 'sitemap-file' : 'redirect', from: task.url },
  };
  rules.redirects?.(task.url, url);
  return { ...sort([{ task: next }], rules), outcome: { kind: 'redirected', to: url } };
}

/** What becomes of the links at the given places of a page. */
export function judgeLinks(
  page: Pick<CrawlTask, 'url' | 'depth'>,
  packed: PackedLinks,
  nofollow: string | undefined,
  unknown: readonly number[],
  rules: SettlementRules,
  { doubtful = false, focused }: LinkStanding,
): Found {
  const depth = page.depth + 1;
  const candidates = unpackLinks(packed, unknown).map((link, i): Candidate => {
    const task = {
      url: link.url,
      fingerprint: packed.fingerprints[unknown[i]],
      host: hostKeyOf(link.url),
      depth,
      redirects: 0,
      lane: 0,
      ...(focused === undefined ? {} : { offTopic: focused.offTopic }),
      discovery: {
        how: howFound(link),
        from: page.url,
        ...(link.text === '' ? {} : { anchor: link.text }),
      },
      purpose: 'page' as const,
    };
    if (!rules.order.moves) task.lane = plainLane(task, link, doubtful, rules.order);
    return { task, link, doubtful, ...(focused === undefined ? {} : { promise: focused.promise[unknown[i]] }) };
  });
  if (nofollow !== undefined) {
    const rule = `the page that links to it says ${nofollow}`;
    return { links: [], refusals: candidates.map(({ task }) => ({ task, by: 'directive', rule })) };
  }
  if (focused?.deadEnd === undefined) return sort(candidates, rules);
  const rule = focused.deadEnd;
  return { links: [], refusals: candidates.map(({ task }) => ({ task, by: 'topic', rule })) };
}

interface Candidate {
  readonly task: CrawlTask;
  readonly link?: Link;
  readonly promise?: number;
  readonly doubtful?: boolean;
}

/** The place that follows from the link alone. Links of spam come last, new items of a feed first. */
function plainLane(task: CrawlTask, link: Link, doubtful: boolean, order: CrawlOrder): number {
  if (doubtful) return LAST_LANE;
  return link.kind === 'feed' ? 0 : order.place(task).lane;
}

/** The place by all that is known: to be asked for a URL that comes in, and for no other. */
function placed(task: CrawlTask, { link, promise, doubtful }: Candidate, { order }: SettlementRules): CrawlTask {
  if (!order.moves) return task;
  const { lane, why } = order.place(task, {
    ...(link === undefined ? {} : { link }),
    ...(promise === undefined ? {} : { promise }),
  });
  if (doubtful === true) return { ...task, lane: LAST_LANE, why: 'a page that is likely spam leads here' };
  return { ...task, lane, ...(why === undefined ? {} : { why }) };
}

function sort(candidates: readonly Candidate[], rules: SettlementRules): Found {
  const links: CrawlTask[] = [];
  const refusals: LinkRefusal[] = [];
  for (const candidate of candidates) {
    const { task, link } = candidate;
    const verdict = isEndlessIndex(task) ? TOO_MANY_INDEXES : rules.filter.judge(task, link);
    const held = verdict.admit ? learnt(task, link, rules) : undefined;
    if (held !== undefined) {
      refusals.push({ task, by: held.by, rule: held.rule });
      if (held.instead !== undefined) links.push(placed(held.instead, candidate, rules));
    } else if (verdict.admit) links.push(placed(task, candidate, rules));
    // What speaks of the link alone says nothing of the URL, which another link may well lead to.
    else if (verdict.by !== 'link-kind') refusals.push({ task, by: verdict.by, rule: verdict.rule });
  }
  return { links, refusals };
}

/** Sitemaps that robots.txt names have depth 0, those that they list one more. */
function isEndlessIndex({ discovery, depth }: CrawlTask): boolean {
  return discovery.how === 'sitemap-file' && discovery.from !== undefined && depth > MOST_INDEXES;
}

/** What is held back in favour of a URL that the filter does not let in is not held back for that. */
function learnt(task: CrawlTask, link: Link | undefined, rules: SettlementRules): HeldBack | undefined {
  const held = rules.learnt?.(task);
  if (held?.instead === undefined || rules.filter.judge(held.instead, link).admit) return held;
  held.letIn?.();
  const again = rules.learnt?.(task);
  return again?.instead === undefined ? again : { by: again.by, rule: again.rule };
}

/** What robots.txt leads to: itself elsewhere, and the sitemaps it names. */
function announced(work: Extract<PageWork, { kind: 'robots' }>, rules: SettlementRules): Partial<Found> {
  const sitemaps = (work.sitemaps ?? []).map((url) => ({
    task: {
      url,
      host: hostKeyOf(url),
      depth: 0,
      redirects: 0,
      lane: 0,
      discovery: { how: 'sitemap-file' as const },
      purpose: 'page' as const,
    },
  }));
  const found = sort(sitemaps, rules);
  return { refusals: found.refusals, links: work.next === undefined ? found.links : [work.next, ...found.links] };
}

function howFound(link: Link): Discovery['how'] {
  if (link.kind === 'feed') return 'feed';
  if (link.kind === 'sitemap') return link.rel === 'sitemap' ? 'sitemap-file' : 'sitemap';
  return link.kind === 'link' && link.rel.includes('canonical') ? 'canonical' : 'link';
}

function robotsStory({ record }: Extract<PageWork, { kind: 'robots' }>): string {
  if (record.tdmrep !== undefined) return `tdmrep.json of ${record.origin} came first`;
  return `robots.txt of ${record.origin} came first: ${record.why}`;
}
