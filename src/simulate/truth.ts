import { robotsAllow } from './robots-oracle.ts';
import type { WebModel } from './web-model.ts';

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
}

/** What must become of a page. */
export type Fate = 'stored' | 'redirected' | 'failed' | 'disallowed' | 'out-of-scope' | 'unreached';
const FATES: readonly Fate[] = ['unreached', 'stored', 'redirected', 'failed', 'disallowed', 'out-of-scope'];

/** The exact result of a correct crawl, found by walking the model, not the bytes. */
export class Truth {
  readonly web: WebModel;
  readonly agent: string;
  readonly obeysRobots: boolean;
  /** Number of different documents among the stored pages: exact copies count once. */
  readonly distinctDocuments: number;
  readonly #fates: Uint8Array;
  readonly #depths: Int32Array;

  constructor(web: WebModel, agent: string, obeysRobots: boolean, fates: Uint8Array, depths: Int32Array) {
    this.web = web;
    this.agent = agent;
    this.obeysRobots = obeysRobots;
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

  /** Addresses that stand on the stored pages but are no links: never to be asked for. */
  phantomUrls(): string[] {
    const found = new Set<string>();
    for (const page of this.pages('stored')) for (const url of this.web.phantoms(page)) found.add(url);
    return [...found];
  }

  counts(): Record<Fate | 'distinctDocuments', number> {
    const counts = { stored: 0, redirected: 0, failed: 0, disallowed: 0, 'out-of-scope': 0, unreached: 0 };
    for (const code of this.#fates) counts[FATES[code]]++;
    return { ...counts, distinctDocuments: this.distinctDocuments };
  }
}

/** Walks the web as a correct crawler would, breadth first, and tells the fate of every page. */
export function truth(web: WebModel, options: TruthOptions): Truth {
  const { maxDepth = Number.POSITIVE_INFINITY, agent = 'orbweaver', obeyRobots = true } = options;
  const { obeyPageNofollow = true, obeyLinkNofollow = true } = options;
  const seeds = options.seeds.map((seed) => pageOf(web, seed));
  const inScope = scopeTest(web, options.scope ?? 'any', seeds);
  const robots = Array.from({ length: web.hosts.count }, (_, host) => web.robots(host));
  const fates = new Uint8Array(web.pageCount);
  const depths = new Int32Array(web.pageCount).fill(-1);
  let level = seeds;
  for (let depth = 0; level.length > 0 && depth <= maxDepth; depth++) {
    const nextLevel: number[] = [];
    // Redirects append to the level while it is walked: they cost no depth.
    for (let at = 0; at < level.length; at++) {
      const page = level[at];
      if (fates[page] !== 0) continue;
      const { fate, leadsTo, redirect } = judge(page);
      fates[page] = FATES.indexOf(fate);
      depths[page] = depth;
      if (redirect) level.push(...leadsTo);
      else for (const to of leadsTo) if (fates[to] === 0) nextLevel.push(to);
    }
    level = nextLevel;
  }
  return new Truth(web, agent, obeyRobots, fates, depths);

  function judge(page: number): { fate: Fate; leadsTo: readonly number[]; redirect: boolean } {
    if (!inScope(page)) return { fate: 'out-of-scope', leadsTo: [], redirect: false };
    if (obeyRobots && !robotsAllow(robots[web.hostOfPage(page)], agent, web.target(page))) {
      return { fate: 'disallowed', leadsTo: [], redirect: false };
    }
    const nature = web.nature(page, agent);
    if (nature.kind === 'error') return { fate: 'failed', leadsTo: [], redirect: false };
    if (nature.kind === 'redirect') return { fate: 'redirected', leadsTo: [nature.to], redirect: true };
    if (nature.nofollow && obeyPageNofollow) return { fate: 'stored', leadsTo: [], redirect: false };
    const links = web.links(page);
    const followed = obeyLinkNofollow ? links.filter((link) => !link.nofollow) : links;
    return { fate: 'stored', leadsTo: followed.map((link) => link.to), redirect: false };
  }
}

/** The page behind an absolute URL of this web. */
function pageOf(web: WebModel, url: string): number {
  const parsed = new URL(url);
  const host = web.hosts.find(parsed.host);
  const located = host < 0 ? undefined : web.locate(host, parsed.pathname + parsed.search);
  if (located?.kind !== 'page') throw new RangeError(`${url} is no page of this web`);
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
