import { fingerprint } from '../../base/fingerprint.ts';
import type { Claim } from '../../contracts/crawl-task.ts';
import type { RevisitUpdate } from '../../contracts/frontier.ts';
import type { PageRecord } from '../../contracts/page-store.ts';
import type { PageWeight, RevisitPlanner } from '../../contracts/revisit.ts';
import type { CanonicalUrl, HostKey } from '../../contracts/url.ts';
import { NeighbourChanges, type NeighboursSnapshot, type NeighbourVisit } from '../../revisit/neighbour-changes.ts';
import { type SitemapAssertion, SitemapTrust, type SitemapTrustRecord } from '../../revisit/sitemap-trust.ts';
import { PUSHED_BY_USER } from '../../revisit/visit-reasons.ts';
import { rememberDomains } from '../../url/domain-of-host.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import { countOfKind, type PackedLinks, unpackLinks } from '../workers/packed-links.ts';
import {
  type FeedAssertion,
  FeedAssertions,
  type FeedAssertionsSnapshot,
  type FeedReading,
  itemsOf,
} from './feed-assertions.ts';

export interface ChangeSignalsParts {
  readonly planner: RevisitPlanner;
  readonly weightOf: (url: CanonicalUrl) => PageWeight;
  /** Nothing is visited again sooner. */
  readonly minIntervalMs?: number;
  /** What is known of pages, in their order. */
  readonly pagesOf: (urls: readonly CanonicalUrl[]) => Promise<readonly (PageRecord | undefined)[]>;
}

/** Assertions of sitemaps that wait for the visit that shows whether they were true. */
const MOST_ASSERTIONS = 50_000;
/** Those without a date leave room for the others. */
const MOST_RHYTHMS = MOST_ASSERTIONS / 2;
/** Less than this is not worth moving a visit for. */
const LEAST_CHANCE = 0.01;
const MOST_HOSTS = 10_000;
/** Pages looked up for one sitemap; those changed last come first. */
const MOST_LOOKED_UP = 2000;
const SHORTEST_POLL_MS = 300_000;

/** How far signals were right so far. */
export interface SignalsSnapshot {
  readonly sitemaps: readonly (readonly [HostKey, SitemapTrustRecord])[];
  readonly neighbours: NeighboursSnapshot;
  /** Absent in folders of earlier versions. */
  readonly feeds?: FeedAssertionsSnapshot;
}

interface Said {
  readonly url: CanonicalUrl;
  readonly assertion: SitemapAssertion;
}

/** What sites say of changes, and how true it was: an assertion brings a visit forward, the more so the better it was. */
export class ChangeSignals {
  readonly #parts: ChangeSignalsParts;
  readonly #trust: Map<HostKey, SitemapTrust>;
  readonly #neighbours: NeighbourChanges;
  readonly #feeds: FeedAssertions;
  readonly #assertions = new Map<CanonicalUrl, SitemapAssertion>();
  readonly #domainOf = rememberDomains();

  constructor(parts: ChangeSignalsParts, kept?: SignalsSnapshot) {
    this.#parts = parts;
    this.#trust = new Map((kept?.sitemaps ?? []).map(([host, record]) => [host, new SitemapTrust(record)]));
    this.#neighbours = new NeighbourChanges(kept?.neighbours);
    this.#feeds = new FeedAssertions(kept?.feeds);
  }

  /** A sitemap or a feed was read: visits that are wanted sooner. */
  async read(claim: Claim, links: PackedLinks, now: number): Promise<RevisitUpdate[]> {
    if (countOfKind(links, 'feed') === 0) return this.#readSitemap(claim, links, now);
    const { task, earlier } = claim;
    const before = earlier === undefined ? {} : { readBefore: earlier.at };
    return this.heard({ feed: task.url, host: task.host, items: itemsOf(links), ...before }, now);
  }

  /** A feed has shown items, at our request or by itself. */
  async heard(reading: FeedReading, now: number): Promise<RevisitUpdate[]> {
    const assertions = this.#feeds.heard(reading, now);
    const pages = await this.#pagesOf(assertions.map(({ url }) => url));
    return assertions.flatMap((assertion, at) => this.#weighItem(assertion, pages[at], now) ?? []);
  }

  async #readSitemap({ task, earlier }: Claim, links: PackedLinks, now: number): Promise<RevisitUpdate[]> {
    // Nobody hurries visits to the pages of others.
    const own = this.#domainOf(task.host);
    const said = sayingsOf(links).filter(({ url }) => this.#domainOf(hostKeyOf(url)) === own);
    const dated = said.filter(({ assertion }) => isNews(assertion, earlier?.at));
    dated.sort((a, b) => (b.assertion.lastModified ?? 0) - (a.assertion.lastModified ?? 0));
    const rhythms = said.filter(({ assertion }) => assertion.lastModified === undefined);
    if (dated.length + rhythms.length === 0) return [];
    const trust = this.#trustOf(task.host);
    // All of a large sitemap have their turn: each reading begins with another of those without a date.
    const turn = rhythms.length === 0 ? 0 : Number(fingerprint(`${task.url} ${now}`) % BigInt(rhythms.length));
    const lookedUp = [...dated, ...rhythms.slice(turn), ...rhythms.slice(0, turn)].slice(0, MOST_LOOKED_UP);
    const pages = await this.#pagesOf(lookedUp.map(({ url }) => url));
    return lookedUp.flatMap(({ url, assertion }, at) => this.#weigh(url, assertion, pages[at], trust, now) ?? []);
  }

  /** A site has pushed word of a change. */
  async pushed(url: CanonicalUrl, now: number): Promise<RevisitUpdate | undefined> {
    return this.#update(url, { from: 'push', at: now, changedAt: now, trust: 0.9 });
  }

  /**
   * The user has said at `since` that a page has changed: it is visited at once, whatever that is worth and however recent the last
   * visit is. 'due': its visit is under way or about to be, and may have begun before.
   */
  async ordered(url: CanonicalUrl, since: number, now: number): Promise<RevisitUpdate | 'due' | undefined> {
    const page = await this.#pageOf(url);
    if (page?.nextVisit === undefined) return undefined;
    // When it was asked for, not when the answer was kept.
    const lastVisit = page.changes?.visitedAt ?? page.visitedAt ?? 0;
    if (since < now && lastVisit >= since) return undefined;
    if (page.nextVisit <= now) return 'due';
    const signal = { from: 'user', at: now, trust: 1 } as const;
    return this.#updatePage(page, signal) ?? { fingerprint: fingerprint(url), at: now, why: PUSHED_BY_USER };
  }

  /** There is news in a feed: it is polled soon. Word that anybody may have given does not make polls more frequent. */
  async polled(url: CanonicalUrl, by: 'hub' | 'push', now: number): Promise<RevisitUpdate | undefined> {
    const page = await this.#pageOf(url);
    if (page?.nextVisit === undefined) return undefined;
    const shortest = Math.max(this.#parts.minIntervalMs ?? 0, by === 'hub' ? SHORTEST_POLL_MS : 0);
    const at = Math.max(now, (page.visitedAt ?? 0) + shortest);
    const why = by === 'hub' ? 'its hub says that there is news' : 'a push says that there is news';
    return at < page.nextVisit ? { fingerprint: fingerprint(url), at, why } : undefined;
  }

  /** A page was visited: which of its neighbours may have changed with it. */
  async neighbours(visit: NeighbourVisit, now: number): Promise<RevisitUpdate[]> {
    const neighbours = this.#neighbours.visited(visit);
    const pages = await this.#pagesOf(neighbours.map(({ url }) => url as CanonicalUrl));
    return neighbours.flatMap(({ trust }, at) => {
      const page = pages[at];
      return (page && this.#updatePage(page, { from: 'neighbour', at: now, trust })) ?? [];
    });
  }

  gone(url: CanonicalUrl): void {
    this.#neighbours.forget(url);
  }

  /** A page was visited: was it as its sitemap, or a feed, said? */
  visited(url: CanonicalUrl, host: HostKey, lastVisit: number, at: number, changed: boolean): void {
    this.#feeds.visited(url, at, changed);
    const assertion = this.#assertions.get(url);
    if (assertion === undefined) return;
    this.#assertions.delete(url);
    this.#trustOf(host).observeVisit(assertion, lastVisit, at, changed);
  }

  toJSON(): SignalsSnapshot {
    return {
      sitemaps: [...this.#trust].map(([host, trust]) => [host, trust.toJSON()]),
      neighbours: this.#neighbours.toJSON(),
      feeds: this.#feeds.toJSON(),
    };
  }

  #weighItem(assertion: FeedAssertion, page: PageRecord | undefined, now: number): RevisitUpdate | undefined {
    const { changedAt, trust } = assertion;
    // What was changed before our visit was seen by it.
    if (page?.visitedAt === undefined || (changedAt ?? now) <= page.visitedAt) return undefined;
    this.#feeds.expect(assertion);
    return this.#updatePage(page, { from: 'feed', at: now, ...(changedAt === undefined ? {} : { changedAt }), trust });
  }

  #weigh(
    url: CanonicalUrl,
    assertion: SitemapAssertion,
    page: PageRecord | undefined,
    trust: SitemapTrust,
    now: number,
  ): RevisitUpdate | undefined {
    if (page?.visitedAt === undefined) return undefined;
    const { said, probability } = trust.expectsChange(assertion, page.visitedAt, now);
    if (said === 'nothing') return this.#weighRhythm(assertion, page, trust, now);
    if (said !== 'changed') return undefined;
    if (this.#assertions.size < MOST_ASSERTIONS) this.#assertions.set(url, assertion);
    const changedAt = assertion.lastModified === undefined ? {} : { changedAt: assertion.lastModified };
    return this.#updatePage(page, { from: 'sitemap', at: now, ...changedAt, trust: probability });
  }

  /** Changefreq is put to the test at the next visit, whatever brings that about; and moves it, as far as it was right before. */
  #weighRhythm(
    assertion: SitemapAssertion,
    page: PageRecord,
    trust: SitemapTrust,
    now: number,
  ): RevisitUpdate | undefined {
    const { changeFrequency } = assertion;
    if (changeFrequency === undefined || page.changes === undefined) return undefined;
    if (this.#assertions.size < MOST_RHYTHMS) this.#assertions.set(page.url, assertion);
    const chance = trust.changefreqChance(assertion, page.changes, now);
    if (chance <= LEAST_CHANCE) return undefined;
    return this.#updatePage(page, { from: 'changefreq', at: now, trust: chance, changefreq: changeFrequency });
  }

  async #update(url: CanonicalUrl, signal: Parameters<RevisitPlanner['hurry']>[3]): Promise<RevisitUpdate | undefined> {
    const page = await this.#pageOf(url);
    return page === undefined ? undefined : this.#updatePage(page, signal);
  }

  async #pageOf(url: CanonicalUrl): Promise<PageRecord | undefined> {
    return (await this.#parts.pagesOf([url]))[0];
  }

  async #pagesOf(urls: readonly CanonicalUrl[]): Promise<readonly (PageRecord | undefined)[]> {
    return urls.length === 0 ? [] : this.#parts.pagesOf(urls);
  }

  #updatePage(page: PageRecord, signal: Parameters<RevisitPlanner['hurry']>[3]): RevisitUpdate | undefined {
    const { url, nextVisit, changes } = page;
    if (nextVisit === undefined || changes === undefined) return undefined;
    const { at, why } = this.#parts.planner.hurry(changes, this.#parts.weightOf(url), nextVisit, signal);
    return at === undefined || at >= nextVisit ? undefined : { fingerprint: fingerprint(url), at, why };
  }

  #trustOf(host: HostKey): SitemapTrust {
    const known = this.#trust.get(host);
    if (known !== undefined) return known;
    const trust = new SitemapTrust();
    if (this.#trust.size >= MOST_HOSTS) this.#trust.delete(this.#trust.keys().next().value as HostKey);
    this.#trust.set(host, trust);
    return trust;
  }
}

/** What a sitemap says of changes: when the last one was, or how often they come. */
function sayingsOf(links: PackedLinks): Said[] {
  const all = unpackLinks(links, [...links.fingerprints.keys()]);
  return all.flatMap(({ url, kind, entry }) => {
    if (kind !== 'sitemap' || (entry?.modified === undefined && entry?.changeFrequency === undefined)) return [];
    const { modified: lastModified, changeFrequency } = entry;
    const date = lastModified === undefined ? {} : { lastModified };
    return [{ url, assertion: { ...date, ...(changeFrequency === undefined ? {} : { changeFrequency }) } }];
  });
}

/** Said since the sitemap was read before; a day is all that many of them tell. */
function isNews({ lastModified }: SitemapAssertion, readBefore: number | undefined): boolean {
  if (lastModified === undefined) return false;
  return readBefore === undefined || lastModified + 86_400_000 > readBefore;
}
