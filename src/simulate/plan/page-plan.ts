import { SECTIONS, WORDS } from '../markup/word-lists.ts';
import { hash32, pick } from '../model/seeded-hash.ts';
import type { PageShares, WebSpec } from '../model/web-spec.ts';
import type { SitePlan } from './site-plan.ts';

/** What a page is. One role each: the trait that a crawler has to get right. */
export type PageRole = 'plain' | 'wiki' | keyof PageShares;

const PURPOSE = {
  role: 1,
  loop: 2,
  section: 3,
  slug: 4,
  target: 5,
  level: 6,
  original: 7,
  away: 8,
  flavour: 9,
  folder: 10,
} as const;
/** Shares are kept as slots of a table: a role is one look-up. */
const SLOTS = 4096;
/** How far back to look for the next page of a redirect chain. */
const CHAIN_REACH = 2000;
/** Addresses kept, a power of two: links crowd on few pages, so that most need not be made again. */
const KEPT_TARGETS = 1 << 14;
/** Near copies differ in one word of ten, twenty, fifty or a hundred. */
const NEAR_STRIDES = [10, 20, 50, 100] as const;
/** Draws before a search for a page of a certain kind gives up. */
const DRAWS = 16;

/**
 * Which page is what, and at which address: page `index` of host `host` has a role, and the address follows from it.
 * The index stands in the address, so that no table of addresses is needed, whatever the size of the web.
 */
export class PagePlan {
  readonly #spec: WebSpec;
  readonly #sites: SitePlan;
  readonly #slots: PageRole[] = new Array(SLOTS).fill('plain');
  /** Page number + 1 of each kept address; two pages with the same place take turns. */
  readonly #keptPages = new Int32Array(KEPT_TARGETS);
  readonly #keptTargets: string[] = new Array(KEPT_TARGETS).fill('');

  constructor(spec: WebSpec, sites: SitePlan) {
    this.#spec = spec;
    this.#sites = sites;
    let at = 0;
    for (const [role, share] of Object.entries(spec.pages) as [keyof PageShares, number][]) {
      // Loops come in pairs and are drawn apart.
      if (role === 'redirectLoop' || share === 0) continue;
      const until = Math.min(SLOTS, at + Math.max(1, Math.round(share * SLOTS)));
      this.#slots.fill(role, at, until);
      at = until;
    }
  }

  role(host: number, index: number): PageRole {
    const { seed, pagesPerHost, pages } = this.#spec;
    if (index === 0) return 'plain';
    if (index >= this.wikiFrom(host) && index < pagesPerHost) return 'wiki';
    const pair = index >> 1;
    if (pages.redirectLoop > 0 && pair > 0 && (index | 1) < pagesPerHost) {
      if (hash32(seed, host, pair, PURPOSE.loop) < pages.redirectLoop * 0x1_0000_0000) return 'redirectLoop';
    }
    const role = this.#slots[hash32(seed, host, index, PURPOSE.role) % SLOTS];
    const needsOriginal = role === 'copy' || role === 'nearCopy';
    return needsOriginal && this.original(host, index) === index ? 'plain' : role;
  }

  /** The first page of the host's wiki, which goes up to its last; the number of its pages where it has none. */
  wikiFrom(host: number): number {
    const { pagesPerHost, sites } = this.#spec;
    return sites.wiki > 0 && this.#sites.has(host, 'wiki') ? Math.ceil((pagesPerHost * 2) / 3) : pagesPerHost;
  }

  /** Choices within a role (which status, which wording): 32 bits that depend on the page alone. */
  flavour(host: number, index: number): number {
    return hash32(this.#spec.seed, host, index, PURPOSE.flavour);
  }

  /** Path and query, in canonical form. */
  target(host: number, index: number): string {
    const page = host * this.#spec.pagesPerHost + index;
    const place = page & (KEPT_TARGETS - 1);
    if (this.#keptPages[place] !== page + 1) {
      this.#keptPages[place] = page + 1;
      this.#keptTargets[place] = this.#makeTarget(host, index);
    }
    return this.#keptTargets[place];
  }

  #makeTarget(host: number, index: number): string {
    if (index === 0) return '/';
    const slug = this.#slug(host, index);
    switch (this.role(host, index)) {
      case 'private':
        return `/private/${slug}.html`;
      case 'opened':
        return `/private/open/${slug}.html`;
      case 'wildcard':
        return (this.flavour(host, index) & 1) === 0
          ? `/${this.#section(host, index)}/draft-${slug}.html`
          : `/${this.#section(host, index)}/${slug}.print`;
      case 'wildcardEscape':
        return `/${this.#section(host, index)}/${slug}.print?full=yes`;
      case 'query':
        return `/${this.#section(host, index)}/list?id=${index}&view=full`;
      case 'escaped':
        return `/${this.#section(host, index)}/caf%C3%A9-${slug}.html`;
      case 'copy':
        // In the folder of the original: the same relative links then lead to the same pages.
        return `/${this.#section(host, this.original(host, index))}/copy-${slug}.html`;
      case 'nearCopy':
        return `/${this.#section(host, this.original(host, index))}/also-${slug}.html`;
      case 'wiki':
        return `/wiki/${slug.replaceAll('-', '_')}`;
      case 'dated':
        return `/blog/${this.#date(host, index)}/${slug}/`;
      case 'listing':
        return (this.flavour(host, index) & 1) === 0 ? `/all/page/${index}/` : `/all/?page=${index}`;
      case 'product':
        return `/products/view?cat=${this.flavour(host, index) % 9}&id=${index}`;
      case 'deep':
        return `/${this.#folders(host, index)}/${slug}.html`;
      default:
        return `/${this.#section(host, index)}/${slug}.html`;
    }
  }

  /** The page at this address in its canonical form; -1 where there is none. */
  find(host: number, target: string): number {
    if (target === '/') return 0;
    let end = target.length;
    while (end > 0 && !isDigit(target.charCodeAt(end - 1))) end--;
    let index = 0;
    let scale = 1;
    let at = end;
    for (; at > 0 && isDigit(target.charCodeAt(at - 1)) && end - at < 10; at--) {
      index += (target.charCodeAt(at - 1) - 48) * scale;
      scale *= 10;
    }
    if (at === end || index >= this.#spec.pagesPerHost) return -1;
    return this.target(host, index) === target ? index : -1;
  }

  /** Of a copy or near copy: the plain page it was made from. The page itself where no original is found. */
  original(host: number, index: number): number {
    for (let draw = 0; draw < DRAWS && index > 1; draw++) {
      const candidate = 1 + pick(hash32(this.#spec.seed, host, index * DRAWS + draw, PURPOSE.original), index - 1);
      if (this.#isPlain(host, candidate)) return candidate;
    }
    return index;
  }

  /** The page whose links this one shows: of copies their original, of others themselves. */
  textOf(host: number, index: number): number {
    const role = this.role(host, index);
    return role === 'copy' || role === 'nearCopy' ? this.original(host, index) : index;
  }

  /** Of a near copy: every how manieth word differs from the original. */
  nearStride(host: number, index: number): number {
    return NEAR_STRIDES[this.flavour(host, index) % NEAR_STRIDES.length];
  }

  /** Of a redirect: where it leads, as [host, index]. */
  redirectTarget(host: number, index: number): readonly [number, number] {
    const role = this.role(host, index);
    if (role === 'redirectLoop') return [host, index ^ 1];
    if (role === 'redirectChain') {
      const next = this.#nextInChain(host, index);
      if (next >= 0) return [host, next];
    }
    const { seed, hosts, pagesPerHost } = this.#spec;
    let to = host;
    if (role === 'redirectAway' && hosts > 1) {
      to = (host + 1 + pick(hash32(seed, host, index, PURPOSE.away), hosts - 1)) % hosts;
    }
    for (let draw = 0; draw < DRAWS; draw++) {
      const candidate = pick(hash32(seed, host, index * DRAWS + draw, PURPOSE.target), pagesPerHost);
      // Only chains are chains: otherwise their length would have no bound. And a wiki has one way in.
      const candidateRole = this.role(to, candidate);
      if (!candidateRole.startsWith('redirect') && candidateRole !== 'wiki') return [to, candidate];
    }
    return [to, 0];
  }

  /** Chain pages have a level from 0 to 3; each leads to one of the level below, the lowest out of the chain. */
  #nextInChain(host: number, index: number): number {
    const level = this.#chainLevel(host, index);
    if (level === 0) return -1;
    for (let candidate = index - 1; candidate > 0 && candidate > index - CHAIN_REACH; candidate--) {
      if (this.role(host, candidate) === 'redirectChain' && this.#chainLevel(host, candidate) === level - 1) {
        return candidate;
      }
    }
    return -1;
  }

  #chainLevel(host: number, index: number): number {
    return hash32(this.#spec.seed, host, index, PURPOSE.level) & 3;
  }

  /** Like role() === 'plain', without asking whether a would-be copy has an original: that would go round in circles. */
  #isPlain(host: number, index: number): boolean {
    const { seed, pages } = this.#spec;
    if (index >= this.wikiFrom(host)) return false;
    if (this.#slots[hash32(seed, host, index, PURPOSE.role) % SLOTS] !== 'plain') return false;
    return pages.redirectLoop === 0 || this.role(host, index) === 'plain';
  }

  #date(host: number, index: number): string {
    const day = hash32(this.#spec.seed, host, index, PURPOSE.section);
    const two = (number: number): string => String(number + 1).padStart(2, '0');
    return `${2019 + (day % 7)}/${two((day >>> 8) % 12)}/${two((day >>> 16) % 28)}`;
  }

  /** Few at the top and many at the bottom, as in a manual. */
  #folders(host: number, index: number): string {
    const depth = 6 + (this.flavour(host, index) % 3);
    return Array.from({ length: depth }, (_, level) => {
      const branch = index % 3 ** Math.min(level, 5);
      return WORDS[hash32(this.#spec.seed, host, branch * 8 + level, PURPOSE.folder) % WORDS.length];
    }).join('/');
  }

  #section(host: number, index: number): string {
    return SECTIONS[hash32(this.#spec.seed, host, index, PURPOSE.section) % SECTIONS.length];
  }

  #slug(host: number, index: number): string {
    const hash = hash32(this.#spec.seed, host, index, PURPOSE.slug);
    return `${WORDS[hash % WORDS.length]}-${WORDS[(hash >>> 16) % WORDS.length]}-${index}`;
  }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
