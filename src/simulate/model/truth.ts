import { OrbweaverError } from '../../base/errors.ts';
import { robotsAllow } from './robots-oracle.ts';
import type { Located, PageNature, WebModel } from './web-model.ts';

export interface TruthOptions {
  readonly seeds: readonly string[];
  /** 'any' host of the web, the hosts of the seeds ('host'), or a test on the URL. */
  readonly scope?: 'any' | 'host' | ((url: string) => boolean);
  /** Links from the nearest seed, by the shortest way; redirects do not count. */
  readonly maxDepth?: number;
  /** Product token of the crawler. */
  readonly agent?: string;
  /** Links of pages that say nofollow (META robots, X-Robots-Tag) are not followed. */
  readonly obeyPageNofollow?: boolean;
  /** Links with rel=nofollow are not followed. */
  readonly obeyLinkNofollow?: boolean;
  /** false: a crawler that does not ask for robots.txt. */
  readonly obeyRobots?: boolean;
  /** Read the sitemaps that robots.txt names once a page of the host is wanted; what they list has the depth of that page. */
  readonly followSitemaps?: boolean;
  /** Follow the entries of feeds, as links. The feeds themselves are linked from the heads of pages. */
  readonly followFeeds?: boolean;
  /** Follow `<link>` elements: canonical, alternate, feeds. */
  readonly followHeadLinks?: boolean;
  /** What becomes of pages that say "not found" with 200: 'failed' for crawlers that see through them. */
  readonly softNotFound?: 'stored' | 'failed';
  /** A crawler that asks one host for what its mirrors show too: no page is missed where another of them sent or forbids it. */
  readonly mirrorsFolded?: boolean;
}

/** What must become of a page. 'read': a sitemap that has to be read, but is no page. */
export type Fate = 'stored' | 'redirected' | 'failed' | 'disallowed' | 'out-of-scope' | 'unreached' | 'read';
const FATES: readonly Fate[] = ['unreached', 'stored', 'redirected', 'failed', 'disallowed', 'out-of-scope', 'read'];
const HEAD_LINKS: ReadonlySet<string | undefined> = new Set(['canonical', 'alternate', 'feed']);

/** For whom the truth holds. */
export interface TruthCrawler {
  readonly agent: string;
  readonly obeysRobots: boolean;
  readonly mirrorsFolded: boolean;
}

/** The exact result of a correct crawl, found by walking the model, not the bytes. */
export class Truth {
  readonly web: WebModel;
  readonly agent: string;
  readonly obeysRobots: boolean;
  readonly mirrorsFolded: boolean;
  /** Number of different documents among the stored pages: exact copies count once. */
  readonly distinctDocuments: number;
  readonly #fates: Uint8Array;
  readonly #depths: Int32Array;

  constructor(web: WebModel, crawler: TruthCrawler, fates: Uint8Array, depths: Int32Array) {
    const { agent } = crawler;
    this.web = web;
    this.agent = agent;
    this.obeysRobots = crawler.obeysRobots;
    this.mirrorsFolded = crawler.mirrorsFolded;
    this.#fates = fates;
    this.#depths = depths;
    const documents = new Set<number>();
    for (const page of this.pages('stored')) {
      const nature = web.nature(page, agent);
      if (nature.kind === 'page') documents.add(nature.document);
    }
    this.distinctDocuments = documents.size;
  }

  fate(page: number): Fate {
    return FATES[this.#fates[page]];
  }

  /** -1 where the page is not reached. */
  depth(page: number): number {
    return this.#depths[page];
  }

  *pages(fate: Fate): Generator<number> {
    const code = FATES.indexOf(fate);
    for (let page = 0; page < this.#fates.length; page++) if (this.#fates[page] === code) yield page;
  }

  /** All URLs with this fate: 'stored' is what a crawl must hold, 'disallowed' what it must never ask for. */
  urls(fate: Fate): string[] {
    return Array.from(this.pages(fate), (page) => this.web.url(page));
  }

  /** Of any URL: what must become of the page there, or what else it is. 'trap': neither wanted nor forbidden. */
  fateOf(url: string): Fate | Exclude<Located['kind'], 'page'> {
    const located = locateUrl(this.web, url);
    return located.kind === 'page' ? this.fate(located.id) : located.kind;
  }

  /** Addresses that stand on the stored pages but are no links: never to be asked for. */
  phantomUrls(): string[] {
    const found = new Set<string>();
    for (const page of this.pages('stored')) for (const url of this.web.phantoms(page)) found.add(url);
    return [...found];
  }

  /** The page that stands for this one and all that mirror it; itself, unless mirrors are folded. */
  standsFor(page: number): number {
    return this.mirrorsFolded ? (this.web.originalOf?.(page) ?? page) : page;
  }

  /** Hosts that mirror another, and which. */
  mirrorHosts(): { readonly mirror: number; readonly original: number }[] {
    const hosts = Array.from({ length: this.web.hosts.count }, (_, mirror) => ({
      mirror,
      original: this.web.mirrorOf?.(mirror) ?? mirror,
    }));
    return hosts.filter(({ mirror, original }) => mirror !== original);
  }

  counts(): Record<Fate | 'distinctDocuments', number> {
    const counts = { stored: 0, redirected: 0, failed: 0, disallowed: 0, 'out-of-scope': 0, unreached: 0, read: 0 };
    for (const code of this.#fates) counts[FATES[code]]++;
    return { ...counts, distinctDocuments: this.distinctDocuments };
  }
}

/** Walks the web as a correct crawler would, breadth first, and tells the fate of every page. */
export function truth(web: WebModel, options: TruthOptions): Truth {
  const { maxDepth = Number.POSITIVE_INFINITY, agent = 'orbweaver', obeyRobots = true } = options;
  const { obeyPageNofollow = true, obeyLinkNofollow = true, softNotFound = 'stored' } = options;
  const { mirrorsFolded = false, followSitemaps = false, followFeeds = false, followHeadLinks = true } = options;
  const seeds = options.seeds.map((seed) => pageOf(web, seed));
  const inScope = scopeTest(web, options.scope ?? 'any', seeds);
  const robots = Array.from({ length: web.hosts.count }, (_, host) => web.robots(host));
  const fates = new Uint8Array(web.pageCount);
  const depths = new Int32Array(web.pageCount).fill(-1);
  const met = new Uint8Array(web.hosts.count);
  let level = seeds;
  for (let depth = 0; level.length > 0 && depth <= maxDepth; depth++) {
    const nextLevel: number[] = [];
    // Redirects and sitemaps append to the level while it is walked: they cost no depth.
    for (let at = 0; at < level.length; at++) {
      const page = level[at];
      if (fates[page] !== 0) continue;
      const { fate, here, below } = inScope(page) ? judge(page) : { fate: 'out-of-scope' as const };
      fates[page] = FATES.indexOf(fate);
      depths[page] = depth;
      if (fate !== 'out-of-scope') level.push(...sitemapsOf(web.hostOfPage(page)), ...(here ?? []));
      for (const to of below ?? []) if (fates[to] === 0) nextLevel.push(to);
    }
    level = nextLevel;
  }
  return new Truth(web, { agent, obeysRobots: obeyRobots, mirrorsFolded }, fates, depths);

  function judge(page: number): Judgement {
    if (obeyRobots && !robotsAllow(robots[web.hostOfPage(page)], agent, web.target(page)))
      return { fate: 'disallowed' };
    const nature = web.nature(page, agent);
    if (nature.kind === 'error') return { fate: 'failed' };
    if (nature.kind === 'redirect') return { fate: 'redirected', here: [nature.to] };
    if (nature.softNotFound && softNotFound === 'failed') return { fate: 'failed' };
    if (nature.form === 'sitemap' && followSitemaps) return { fate: 'read', here: linksOf(page) };
    return { fate: 'stored', below: leadsOn(nature) ? linksOf(page) : [] };
  }

  function leadsOn(nature: Extract<PageNature, { kind: 'page' }>): boolean {
    if (nature.form !== undefined) return nature.form === 'feed' && followFeeds;
    return !(nature.nofollow && obeyPageNofollow);
  }

  function linksOf(page: number): number[] {
    const found: number[] = [];
    for (const link of web.links(page)) {
      if (link.nofollow && obeyLinkNofollow) continue;
      if (followHeadLinks || !HEAD_LINKS.has(link.element)) found.push(link.to);
    }
    return found;
  }

  /** Those of a host that is met for the first time. */
  function sitemapsOf(host: number): readonly number[] {
    if (!followSitemaps || !obeyRobots || met[host] === 1) return [];
    met[host] = 1;
    return web.sitemaps(host);
  }
}

interface Judgement {
  readonly fate: Fate;
  /** Pages it leads to at its own depth. */
  readonly here?: readonly number[];
  /** Pages it links to. */
  readonly below?: readonly number[];
}

function locateUrl(web: WebModel, url: string): Located {
  const parsed = URL.parse(url);
  if (parsed === null) return { kind: 'unknown', target: url };
  const host = web.hosts.find(parsed.host);
  const target = parsed.pathname + parsed.search;
  return host < 0 ? { kind: 'unknown', target } : web.locate(host, target);
}

/** The page behind an absolute URL of this web. */
function pageOf(web: WebModel, url: string): number {
  const located = locateUrl(web, url);
  if (located.kind !== 'page') {
    throw new OrbweaverError('INPUT_INVALID', `${url} is no page of this web.`, {
      remedy: `Give the address as it is served, such as ${web.url(0)}.`,
    });
  }
  return located.id;
}

function scopeTest(
  web: WebModel,
  scope: NonNullable<TruthOptions['scope']>,
  seeds: readonly number[],
): (page: number) => boolean {
  if (scope === 'any') return () => true;
  if (scope !== 'host') return (page) => scope(web.url(page));
  const hosts = new Set(seeds.map((page) => web.hostOfPage(page)));
  return (page) => hosts.has(web.hostOfPage(page));
}
