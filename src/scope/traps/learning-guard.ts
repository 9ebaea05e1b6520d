import type { Clock } from '../../base/clock.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { PatternReport, TrapGuard, TrapVerdict, VisitEvidence } from '../../contracts/trap-guard.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { closuresOf } from './closure.ts';
import { answeringFor, believed, count, isSheltered, sameSize, someRestricted } from './group-standing.ts';
import { type Entry, OPEN, PatternAccount } from './pattern-account.ts';
import { PatternForest } from './pattern-forest.ts';
import type { PatternTree } from './pattern-tree.ts';
import { RenumberedPages } from './renumbered-pages.ts';
import { textsAlike } from './text-similarity.ts';
import { isTwin, TWIN, WIDE_WEIGHT } from './twin-page.ts';
import { endlessPart, nameWorth, type VisitContext, visitWorth } from './visit-worth.ts';
import { domainOf, WantedHosts } from './wanted-hosts.ts';

export interface GuardOptions {
  /** Visits that a new pattern may cost without bringing anything, before it is slowed down. */
  readonly patience: number;
  /** Patterns kept in memory and in a snapshot; the least used hosts are forgotten beyond it. */
  readonly maxPatterns: number;
  /** Milliseconds until a held pattern is tried again; doubled with every try. */
  readonly probeEvery: number;
}

export const DEFAULT_GUARD_OPTIONS: GuardOptions = { patience: 3, maxPatterns: 20_000, probeEvery: 3_600_000 };

/** What was found on the page whose links are being named. */
interface NamingPage {
  url: string;
  leaf: PatternAccount | undefined;
  domain: string;
  /** URLs that nothing linked to before: of its own pattern, of its own domain, and on hosts of its domain that are new. */
  ownUnknown: number;
  siteUnknown: number;
  newHosts: number;
}

/** Credit to the pattern whose page named one of worth, and to one that redirects to what was not known. */
const VOUCHED = 1.5;
const REDIRECT_MADE_GOOD = 0.5;
const LOOK_CLOSELY_EVERY = 8;
const VOUCHING_CLOSURE = 0.25;
const SHELTERED_WEIGHT = 0.5;
/** By so much the number of known links that every page has may grow from page to page. */
const USUAL_GROWS = 0.25;
/** A link from another domain pays for this many pages of an endless pattern, and each domain for this many such links. */
const SUPPORT = 1;
const SUPPORT_PER_DOMAIN = 24;
const SUPPORTING_DOMAINS = 256;
const FEW_WORDS = 30;
const SNAPSHOT_VERSION = 2;

/**
 * Learns which patterns of URLs bring nothing. Each has an account that begins with a small allowance; visits draw on it
 * and what they bring is paid in. A pattern that is not proven is also answered for by the groups it lies in, so that a trap
 * cannot escape by making up new patterns. Verdicts depend on accounts alone; the hot path allocates nothing.
 *
 * Deterministic: the same calls at the same times make the same accounts. The journal of learning relies on it.
 */
export class LearningGuard implements TrapGuard {
  readonly #options: GuardOptions;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #forest: PatternForest;
  readonly #hands = new Map<string, 'open' | 'hold'>();
  readonly #wanted = new WantedHosts();
  readonly #renumbered: RenumberedPages;
  readonly #page: NamingPage = { url: '', leaf: undefined, domain: '', ownUnknown: 0, siteUnknown: 0, newHosts: 0 };

  constructor(options: GuardOptions, clock: Pick<Clock, 'now'>) {
    this.#options = options;
    this.#clock = clock;
    this.#renumbered = new RenumberedPages(options.probeEvery);
    this.#forest = new PatternForest(options.patience, options.maxPatterns);
  }

  wants(url: CanonicalUrl): void {
    this.#wanted.add(url);
  }

  found(task: CrawlTask): TrapVerdict {
    // One that the user has named is not made up, whenever it is met.
    const isNewHost = !this.#forest.has(task.host) && !this.#wanted.names(task.host);
    const tree = this.#forest.treeOf(task.host);
    const leaf = this.#forest.leafOf(tree, task.url);
    this.#countNaming(task, tree, leaf, isNewHost);
    return isExempt(task) ? OPEN : this.#verdict(tree, leaf, task);
  }

  judge(task: CrawlTask): TrapVerdict {
    if (isExempt(task)) return OPEN;
    const { tree, account } = this.#forest.lookUp(task.url) ?? this.#forest.unplanted(task.host);
    return this.#verdict(tree, account, task);
  }

  observe(evidence: VisitEvidence): void {
    const { task, novelty, links, bytes, simhash } = evidence;
    const tree = this.#forest.treeOf(task.host);
    this.#sampleEnded(task.url);
    if (isTwin(evidence)) {
      this.#observeTwin(evidence, tree);
      return;
    }
    const leaf = this.#forest.leafOf(tree, task.url);
    const page = this.#page.url === task.url ? this.#page : undefined;
    this.#renumbered.observe(evidence, (page?.ownUnknown ?? 0) > 0, this.#clock.now());
    const wanted = this.#wanted.has(tree);
    const sameForm = links === leaf.lastLinks && sameSize(bytes, leaf.lastBytes);
    const alike = sameForm && this.#sameText(evidence, leaf, wanted);
    const trusted = this.#isTrusted(task, leaf);
    const groups = answeringFor(leaf);
    // Of a pattern that has proven its worth one visit in this many tells enough.
    const closely = novelty === 'new' && (!leaf.proven || leaf.visits % LOOK_CLOSELY_EVERY === 0);
    const closures = closely ? this.#closures(groups, page, evidence) : groups.map(() => leaf.lastClosure);
    const now = this.#clock.now();
    const namedBy = task.discovery.from === undefined ? undefined : this.#naming(task.discovery.from);
    const context: VisitContext = {
      wanted,
      trusted,
      alike,
      sibling: evidence.copyOf !== undefined && this.#forest.lookUp(evidence.copyOf)?.account === leaf,
      namedWithin: namedBy === leaf,
      weight: isSheltered(leaf) ? SHELTERED_WEIGHT : 1,
      feeds: page?.ownUnknown ?? 0,
      closure: closures[0],
    };
    const own = visitWorth(evidence, context);
    this.#enter(leaf, novelty, own, now);
    if (own.finding === 'growing') tree.endless += endlessPart(context);
    for (let i = 1; i < groups.length; i++) {
      const namedWithin = namedBy !== undefined && groups[i].holds(namedBy);
      // What a domain answers for is that host names are made up, also on the domain of a seed.
      const isDomain = groups[i].kind === 'domain';
      const seen: VisitContext = {
        ...context,
        wanted: wanted && !isDomain,
        trusted: isDomain ? this.#isWantedElsewhere(task, tree) : trusted,
        namedWithin,
        weight: isSheltered(groups[i]) ? SHELTERED_WEIGHT : WIDE_WEIGHT,
        feeds: (isDomain ? page?.newHosts : page?.siteUnknown) ?? 0,
        closure: closures[i],
      };
      this.#enter(groups[i], novelty, visitWorth(evidence, seen), now);
    }
    for (const trait of leaf.traits) {
      const entry = trait.kind === 'name' ? nameWorth(evidence, wanted) : own;
      if (entry !== undefined) this.#enter(trait, novelty, entry, now);
    }
    tree.telling ||= groups.some(({ restricted }) => restricted) || leaf.traits.some(({ restricted }) => restricted);
    if (novelty !== 'new') return;
    leaf.lastBytes = bytes;
    leaf.lastLinks = links;
    leaf.lastSimhash = simhash;
    leaf.lastClosure = closures[0];
    if (!alike && closures[0] >= VOUCHING_CLOSURE) this.#vouch(task, leaf);
  }

  /** The same page under another name: all that it can speak against is that names of one domain multiply. */
  #observeTwin(evidence: VisitEvidence, tree: PatternTree): void {
    const { copyOf, task } = evidence;
    if (copyOf === undefined || hostKeyOf(copyOf) === task.host) return;
    if (domainOf(hostKeyOf(copyOf)) !== tree.domain) return;
    if (tree.account.proven) return;
    const now = this.#clock.now();
    const entry = visitWorth(evidence, TWIN);
    for (let at = tree.account.up; at !== undefined; at = at.proven || at.held ? undefined : at.up) {
      this.#enter(at, evidence.novelty, entry, now);
    }
  }

  report(limit: number): readonly PatternReport[] {
    const reports: PatternReport[] = [...this.#renumbered.report()].filter(({ pattern }) => !this.#hands.has(pattern));
    const unused = new Map(this.#hands);
    for (const account of this.#forest.accounts()) {
      const hand = unused.get(account.pattern);
      unused.delete(account.pattern);
      if (hand !== undefined || account.restricted || account.kind === 'leaf') reports.push(account.report(hand));
    }
    for (const [pattern, hand] of unused) reports.push(new PatternAccount(pattern, 'leaf', undefined, 0).report(hand));
    const rank = ({ state, growing }: PatternReport): number => (state !== 'open' ? 0 : growing === true ? 1 : 2);
    return reports.sort((a, b) => rank(a) - rank(b) || b.known - a.known).slice(0, limit);
  }

  set(pattern: string, state: 'open' | 'hold' | 'learn'): void {
    if (state === 'learn') this.#hands.delete(pattern);
    else this.#hands.set(pattern, state);
  }

  freeSamples(): void {
    for (const account of this.#forest.accounts()) account.freeSamples();
  }

  snapshot(): unknown {
    return {
      version: SNAPSHOT_VERSION,
      hands: [...this.#hands],
      renumbered: this.#renumbered.save(),
      ...this.#forest.save(),
    };
  }

  /** What cannot be read is not restored: the guard then learns again. */
  restore(snapshot: unknown): void {
    if (
      typeof snapshot !== 'object' ||
      snapshot === null ||
      !('version' in snapshot) ||
      snapshot.version !== SNAPSHOT_VERSION
    )
      return;
    this.#hands.clear();
    if ('hands' in snapshot && Array.isArray(snapshot.hands)) {
      for (const [pattern, state] of snapshot.hands) this.set(pattern, state);
    }
    this.#renumbered.load('renumbered' in snapshot ? snapshot.renumbered : undefined);
    this.#forest.load(snapshot);
  }

  #verdict(tree: PatternTree, leaf: PatternAccount, task: CrawlTask): TrapVerdict {
    const renumbered = this.#renumbered.verdict(task.url, task.host, this.#clock.now());
    // Nearly all hosts are like this.
    if (renumbered === undefined && !tree.telling && this.#hands.size === 0 && !someRestricted(tree.account.up))
      return OPEN;
    const traits = leaf.kind === 'leaf' ? leaf.traits : tree.traitsOf(task.url, false);
    if (this.#hands.size > 0) {
      const byHand = this.#byHand(leaf, traits);
      if (byHand !== undefined) return byHand;
    }
    if (renumbered !== undefined && this.#hands.get(renumbered.pattern) !== 'open') return renumbered;
    if (leaf.proven) return OPEN;
    return this.#sample(this.#restrictions(tree, leaf, traits, task), leaf, task);
  }

  /** The restricted patterns and groups that a URL has to pass. */
  #restrictions(
    tree: PatternTree,
    leaf: PatternAccount,
    traits: readonly PatternAccount[],
    task: CrawlTask,
  ): PatternAccount[] {
    const restricting = traits.filter(({ restricted }) => restricted);
    const wanted = this.#wanted.has(tree);
    for (let at: PatternAccount | undefined = leaf; at !== undefined && !at.proven; at = at.up) {
      // Errors all over a host do not speak against the rest of it, if the user asked for it.
      if (!at.restricted || (wanted && at.kind === 'host')) continue;
      // A wide group speaks for patterns of which nothing is known; a page of good standing speaks louder, but not a domain
      // for host names of its own.
      const spokenFor = at.kind === 'domain' ? this.#isWantedElsewhere(task, tree) : this.#isTrusted(task, leaf);
      if (at.kind === 'leaf' || at.exhausted || !spokenFor) restricting.push(at);
    }
    return restricting;
  }

  /** Lets a URL through if each of the restricted patterns that it lies in takes it as a sample. */
  #sample(restricting: readonly PatternAccount[], leaf: PatternAccount, task: CrawlTask): TrapVerdict {
    if (restricting.length === 0) return OPEN;
    const trusted = this.#isTrusted(task, leaf);
    const now = this.#clock.now();
    for (const account of restricting) if (!account.mayProbe(task.url, trusted, now)) return account.verdict;
    for (const account of restricting) account.probe(task.url, now, this.#options.probeEvery);
    return OPEN;
  }

  /** The narrowest pattern that somebody has set decides. */
  #byHand(leaf: PatternAccount, traits: readonly PatternAccount[]): TrapVerdict | undefined {
    const accounts = [...traits];
    for (let at: PatternAccount | undefined = leaf; at !== undefined; at = at.up) accounts.push(at);
    // The page itself is narrower than a trait on all pages.
    if (leaf.kind === 'leaf') accounts.unshift(leaf);
    for (const { pattern } of accounts) {
      const hand = this.#hands.get(pattern);
      if (hand === 'open') return OPEN;
      if (hand === 'hold') return { held: true, pattern, reason: `${pattern} is held by hand` };
    }
    return undefined;
  }

  /** Whether the URL is named by a page whose own pattern has proven its worth, or by somebody who should know. */
  #isTrusted({ discovery: { how, from }, depth }: CrawlTask, leaf: PatternAccount): boolean {
    if (from === undefined || depth <= 1 || how === 'sitemap' || how === 'feed') return true;
    const namedBy = this.#naming(from);
    return namedBy !== undefined && namedBy !== leaf && namedBy.proven;
  }

  #isWantedElsewhere({ discovery: { from } }: CrawlTask, { domain }: PatternTree): boolean {
    return from !== undefined && domainOf(hostKeyOf(from)) !== domain;
  }

  /**
   * Whether the text of a page of the same form says nothing new. A few words are often no more than what the links of the page
   * are called, so that they do not count; but on a host that the user asked for nothing is held against a page unread.
   */
  #sameText(
    { simhash, words = simhash === undefined ? 0 : FEW_WORDS }: VisitEvidence,
    leaf: PatternAccount,
    wanted: boolean,
  ): boolean {
    if (wanted) return simhash !== undefined && textsAlike(simhash, leaf.lastSimhash);
    return words < FEW_WORDS || textsAlike(simhash, leaf.lastSimhash);
  }

  #sampleEnded(url: CanonicalUrl): void {
    const { account: leaf } = this.#forest.lookUp(url) ?? {};
    if (leaf === undefined) return;
    for (const trait of leaf.traits) trait.sampled(url);
    for (let at: PatternAccount | undefined = leaf; at !== undefined; at = at.up) at.sampled(url);
  }

  #countNaming(
    { discovery: { how, from } }: CrawlTask,
    tree: PatternTree,
    leaf: PatternAccount,
    isNewHost: boolean,
  ): void {
    for (let at: PatternAccount | undefined = leaf; at !== undefined; at = at.proven ? undefined : at.up) at.known++;
    for (const trait of leaf.traits) trait.known++;
    if (from === undefined) {
      leaf.fromElsewhere++;
      return;
    }
    const page = this.#page;
    if (page.url !== from) {
      // It is being visited, so it has a place here, also where its host had been forgotten.
      const origin = this.#forest.treeOf(hostKeyOf(from));
      page.url = from;
      page.leaf = this.#forest.leafOf(origin, from);
      page.domain = origin.domain;
      page.ownUnknown = page.siteUnknown = page.newHosts = 0;
    }
    if (page.domain === tree.domain) {
      page.siteUnknown++;
      if (isNewHost) page.newHosts++;
    } else if (tree.supportedBy(page.domain, SUPPORT_PER_DOMAIN, SUPPORTING_DOMAINS)) this.#support(leaf);
    if (page.leaf === leaf) page.ownUnknown++;
    else {
      leaf.fromElsewhere++;
      if (how === 'redirect' && page.leaf !== undefined) this.#pay(page.leaf, REDIRECT_MADE_GOOD);
    }
  }

  #enter(account: PatternAccount, novelty: VisitEvidence['novelty'], entry: Entry, now: number): void {
    count(account, novelty);
    account.enter(entry, now, this.#options.probeEvery);
  }

  /** For each group, the share of the page's links that close it. */
  #closures(groups: readonly PatternAccount[], page: NamingPage | undefined, evidence: VisitEvidence): number[] {
    if (page === undefined || page.siteUnknown === 0) return groups.map(() => 1);
    const { known, links, unknownLinks, task } = evidence;
    if (known === undefined) {
      const leaf = groups[0];
      const usual = leaf.usualKnown;
      leaf.usualKnown = Math.min(usual + USUAL_GROWS, links - unknownLinks);
      const more = Number.isFinite(usual) ? Math.max(0, links - unknownLinks - usual) : 0;
      return groups.map(() => (more < 1 ? 0 : more / (more + page.siteUnknown)));
    }
    const closed = closuresOf(groups, known(), task, this.#forest);
    return closed.map((count, at) => {
      const share = count / (count + (at === 0 ? page.ownUnknown : page.siteUnknown) || 1);
      return share * believed(groups[at].findings);
    });
  }

  /** The page is worth its visit, and so was the one that named it. */
  #vouch({ discovery: { from } }: CrawlTask, leaf: PatternAccount): void {
    const namedBy = from === undefined ? undefined : this.#naming(from);
    if (namedBy !== undefined && namedBy !== leaf) this.#pay(namedBy, VOUCHED);
  }

  /** Another domain links to the pattern, which may be endless all the same. What it links to may also be copies: that counts. */
  #support(leaf: PatternAccount): void {
    const now = this.#clock.now();
    for (const at of answeringFor(leaf))
      if (at.kind !== 'domain' && !at.stale) at.pay(SUPPORT, now, this.#options.probeEvery);
  }

  #pay(account: PatternAccount, amount: number): void {
    const now = this.#clock.now();
    for (const at of answeringFor(account)) at.pay(amount, now, this.#options.probeEvery);
  }

  #naming(from: string): PatternAccount | undefined {
    return from === this.#page.url ? this.#page.leaf : this.#forest.lookUp(from)?.account;
  }
}

/** What people asked for by name, and what is no page. */
function isExempt({ purpose, discovery: { how } }: CrawlTask): boolean {
  return (
    purpose !== 'page' ||
    how === 'seed' ||
    how === 'push' ||
    how === 'form' ||
    how === 'sitemap-file' ||
    how === 'robots'
  );
}
