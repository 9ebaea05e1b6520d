import type { Settings } from '../../base/settings/schema.ts';
import type { PageFacts } from '../../contracts/content/page-facts.ts';
import type { Claim, CrawlTask, Outcome, Settlement } from '../../contracts/crawl-task.ts';
import type { JudgedLinks } from '../../contracts/frontier.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import type { UrlOptions } from '../../url/url-options.ts';
import type { Focused } from '../learning/focus.ts';
import type { RevisitRule } from '../revisits/revisit-rule.ts';
import { linksOf, type PageWork } from '../visit/page-work.ts';
import type { Spellings } from '../visit/spellings.ts';
import { countOfKind } from '../workers/packed-links.ts';
import { LINKS_AT_ONCE, packBatches } from './link-batch.ts';
import { type LinkJudge, type LinksToJudge, NOTHING_FOUND } from './link-judge.ts';

export interface SettlementRules {
  readonly urlOptions: UrlOptions;
  readonly revisit: RevisitRule;
  readonly maxRedirects: number;
  /** What becomes of the links on a copy. */
  readonly duplicateLinks: Settings['duplicateLinks'];
  /** Told of redirects before they are judged: what a seed leads to counts as a seed. */
  readonly redirects?: (from: CanonicalUrl, to: CanonicalUrl) => void;
  readonly spellings?: Pick<Spellings, 'follow' | 'settled'>;
}

/** A visit with all that is known of it when its conclusions are drawn. */
export interface JudgedVisit {
  readonly claim: Claim;
  readonly work: PageWork;
  /** Places of the links that are worth judging. */
  readonly unknown: readonly number[];
  readonly now: number;
  /** The links of the page come last. */
  readonly doubtful: boolean;
  /** What a focused crawl makes of the page. */
  readonly focused?: Focused;
}

type PageVisit = Extract<PageWork, { kind: 'page' }>;

/** Builds the outcome of a visit, its links and the next visit. Pure but for order, revisits and scope, which learn. */
export class SettlementBuilder {
  readonly #rules: SettlementRules;
  readonly #links: LinkJudge;

  constructor(rules: SettlementRules, links: LinkJudge) {
    this.#rules = rules;
    this.#links = links;
  }

  build(visit: JudgedVisit): Settlement {
    const settlement = this.#build(visit);
    this.#rules.spellings?.settled(visit.claim, settlement.outcome);
    return settlement;
  }

  #build(visit: JudgedVisit): Settlement {
    const { claim, work, now } = visit;
    const { revisit } = this.#rules;
    switch (work.kind) {
      case 'robots':
        return {
          claim,
          outcome: claim.task.purpose === 'robots' ? { kind: 'stored' } : { kind: 'deferred', why: robotsStory(work) },
          use: work.use,
          robots: work.record,
          ...this.#announced(work),
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
          ...revisit.after({ claim, outcome, now }),
          ...this.#waitingLinks(visit),
          ...together(
            this.#judgeLinks(visit),
            // Judged as a link to it would be: where the page may not be asked for elsewhere, it comes in after all.
            work.instead === undefined ? NOTHING_FOUND : this.#links.ofTasks([claim.task]),
            this.#links.ofTasks(work.onMirrors ?? []),
          ),
        };
      }
      case 'probe':
      case 'recheck':
        return { claim, outcome: { kind: 'stored' }, use: work.use };
      case 'respelled': {
        const address = this.#rules.spellings?.follow(claim, work.to);
        const { use } = work;
        if (address !== undefined) {
          const why = `its server wants to be asked for ${cut(address)}`;
          return { claim, outcome: { kind: 'deferred', why, address }, use };
        }
        const outcome: Outcome = { kind: 'failed', code: 'redirect-loop', detail: cut(work.to) };
        return { claim, outcome, use, ...revisit.after({ claim, outcome, now }) };
      }
      case 'looked': {
        const { same, why, use } = work;
        if (same === undefined) return { claim, outcome: { kind: 'deferred', why }, use };
        const outcome: Outcome = { kind: 'unchanged', by: same.by };
        const { facts } = same;
        return { claim, outcome, use, page: facts, ...revisit.after({ claim, outcome, facts, now }) };
      }
      case 'failed': {
        const { code, detail } = work;
        const outcome: Outcome = { kind: 'failed', code, ...(detail === '' ? {} : { detail }) };
        return {
          claim,
          outcome,
          use: work.use,
          ...(work.retryMs === undefined
            ? revisit.after({ claim, outcome, now })
            : { nextVisit: now + work.retryMs, ...keptHistory(claim) }),
          ...lastAnswer(claim, work),
          ...this.#links.ofTasks(work.onMirrors ?? []),
        };
      }
      case 'page':
        return this.#ofPage(visit, work);
    }
  }

  #ofPage(visit: JudgedVisit, work: PageVisit): Settlement {
    const { claim, unknown, now, focused } = visit;
    const found: Followed =
      work.ending.kind === 'redirected' ? this.#followRedirect(claim, work.ending.to) : this.#judgeLinks(visit);
    const outcome = found.outcome ?? work.ending;
    const { facts } = work;
    const page = outcome.kind === 'unchanged' ? withoutContent(facts) : facts;
    return {
      claim,
      outcome,
      use: work.use,
      page: focused === undefined ? page : { ...page, topic: { relevance: focused.relevance, why: focused.why } },
      archived: [work.location],
      ...this.#waitingLinks(visit),
      ...together(found, this.#links.ofTasks(work.onMirrors ?? [])),
      ...this.#rules.revisit.after({ claim, outcome, facts, now, ...feedItemsOf(work, unknown) }),
    };
  }

  #linksOf({ claim, work, doubtful, focused }: JudgedVisit): LinksToJudge | undefined {
    const links = linksOf(work);
    if (links === undefined || (work.kind !== 'page' && work.kind !== 'refused')) return undefined;
    const copyOf = this.#rules.duplicateLinks === 'skip' ? originalOf(claim, work) : undefined;
    return {
      page: claim.task,
      links,
      ...(work.nofollow === undefined ? {} : { nofollow: work.nofollow }),
      standing: {
        doubtful,
        ...(focused === undefined ? {} : { focused }),
        ...(copyOf === undefined ? {} : { copyOf }),
      },
    };
  }

  /** As many links as are judged in one go. */
  #judgeLinks(visit: JudgedVisit): JudgedLinks {
    const waiting = this.#linksOf(visit);
    return waiting === undefined ? NOTHING_FOUND : this.#links.ofPage(waiting, visit.unknown.slice(0, LINKS_AT_ONCE));
  }

  /** The others wait, see link-batch.ts. */
  #waitingLinks(visit: JudgedVisit): Pick<Settlement, 'linkBatches'> {
    const waiting = visit.unknown.length > LINKS_AT_ONCE ? this.#linksOf(visit) : undefined;
    return waiting === undefined ? {} : { linkBatches: packBatches(waiting, visit.unknown.slice(LINKS_AT_ONCE)) };
  }

  /** A redirect is a link that keeps the depth; chains are bounded, loops end because the target is known. */
  #followRedirect(claim: Claim, to: string): Followed {
    const rules = this.#rules;
    const { task } = claim;
    const url = normalizeUrl(to, rules.urlOptions, task.url);
    if (url === undefined)
      return { ...NOTHING_FOUND, outcome: { kind: 'failed', code: 'redirect-invalid', detail: cut(to) } };
    if (url === task.url)
      return { ...NOTHING_FOUND, outcome: { kind: 'failed', code: 'redirect-loop', detail: cut(to) } };
    if (task.redirects + 1 > rules.maxRedirects) {
      return {
        ...NOTHING_FOUND,
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
    return { ...this.#links.ofTasks([next]), outcome: { kind: 'redirected', to: url } };
  }

  /** What robots.txt leads to: itself elsewhere, and the sitemaps it names. */
  #announced(work: Extract<PageWork, { kind: 'robots' }>): JudgedLinks {
    const sitemaps = (work.sitemaps ?? []).map((url) => ({
      url,
      host: hostKeyOf(url),
      depth: 0,
      redirects: 0,
      lane: 0,
      discovery: { how: 'sitemap-file' as const },
      purpose: 'page' as const,
    }));
    const found = this.#links.ofTasks(sitemaps);
    return { refusals: found.refusals, links: work.next === undefined ? found.links : [work.next, ...found.links] };
  }
}

interface Followed extends JudgedLinks {
  /** Where following failed. */
  readonly outcome?: Outcome;
}

/** The page that this one is a copy of, or nearly one. */
function originalOf({ earlier }: Claim, work: PageWork): string | undefined {
  if (work.kind !== 'page') return undefined;
  // It is not compared once more.
  if (work.ending.kind === 'unchanged')
    return earlier?.outcome.kind === 'duplicate' ? earlier.outcome.of : earlier?.nearDuplicateOf;
  return work.ending.kind === 'duplicate' ? work.ending.of : work.facts.nearDuplicateOf?.url;
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

function feedItemsOf({ links }: PageVisit, unknown: readonly number[]) {
  const listed = countOfKind(links, 'feed');
  return listed === 0 ? {} : { feedItems: { listed, fresh: countOfKind(links, 'feed', unknown) } };
}

function together(...found: readonly JudgedLinks[]): JudgedLinks {
  const some = found.filter(({ links, refusals }) => links.length > 0 || refusals.length > 0);
  if (some.length <= 1) return { links: some[0]?.links ?? [], refusals: some[0]?.refusals ?? [] };
  return { links: some.flatMap(({ links }) => links), refusals: some.flatMap(({ refusals }) => refusals) };
}

function cut(address: string): string {
  return address.slice(0, 500);
}

function robotsStory({ record }: Extract<PageWork, { kind: 'robots' }>): string {
  if (record.tdmrep !== undefined) return `tdmrep.json of ${record.origin} came first`;
  return `robots.txt of ${record.origin} came first: ${record.why}`;
}
