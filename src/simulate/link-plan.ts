import type { PagePlan } from './page-plan.ts';
import { hash32, pick, unit } from './seeded-hash.ts';
import type { WebSpec } from './web-spec.ts';
import { Zipf } from './zipf.ts';

/** Where a link stands: in the body, or in the head of the page. */
export type LinkElement = 'a' | 'area' | 'iframe' | HeadElement;
export type HeadElement = 'refresh' | 'canonical' | 'alternate' | 'feed';

export interface PlannedLink {
  /** Global number of the page it leads to. */
  readonly to: number;
  readonly element: LinkElement;
  readonly nofollow: boolean;
  /** 32 bits for the way it is written. */
  readonly flavour: number;
}

const PURPOSE = {
  count: 20,
  page: 21,
  away: 22,
  host: 23,
  nofollow: 24,
  element: 25,
  flavour: 26,
  refresh: 27,
  canonical: 28,
  alternate: 29,
} as const;
const MOST_ALTERNATES = 3;
/** Links of the head are numbered apart from those of the body, which may be added to. */
const HEAD_SALT = 0x10000;

/**
 * Who links to whom. The first two links of a page lead to pages 2n+1 and 2n+2 of its host, and the first page of host n
 * also to those of hosts 2n+1 and 2n+2, so that nothing is unreachable for want of a link; the rest is drawn by Zipf's law.
 */
export class LinkPlan {
  readonly #spec: WebSpec;
  readonly #pages: PagePlan;
  readonly #zipfPages: Zipf;
  readonly #zipfHosts: Zipf;
  readonly #feedOf: (host: number) => number;

  /** `feedOf`: the number of a host's feed, -1 where it has none. */
  constructor(spec: WebSpec, pages: PagePlan, feedOf: (host: number) => number) {
    this.#spec = spec;
    this.#pages = pages;
    this.#zipfPages = new Zipf(spec.pagesPerHost, spec.zipfExponent);
    this.#zipfHosts = new Zipf(spec.hosts, spec.zipfExponent);
    this.#feedOf = feedOf;
  }

  /** Those of the body in their order, then those of the head. Of a copy: those of its original. */
  links(host: number, index: number): PlannedLink[] {
    const { seed, linksPerPage, pagesPerHost, hosts } = this.#spec;
    const from = this.#pages.textOf(host, index);
    const page = host * pagesPerHost + from;
    const found: PlannedLink[] = [];
    if (linksPerPage > 0) {
      const half = Math.floor(linksPerPage / 2);
      const count = linksPerPage - half + pick(hash32(seed, page, 0, PURPOSE.count), 2 * half + 1);
      for (let child = 2 * from + 1; child <= 2 * from + 2; child++) {
        if (child < pagesPerHost) found.push(this.#plain(page, host * pagesPerHost + child, child, 'a'));
      }
      for (let child = 2 * host + 1; from === 0 && child <= 2 * host + 2; child++) {
        if (child < hosts) found.push(this.#plain(page, child * pagesPerHost, -child, 'a'));
      }
      for (let k = found.length; k < count; k++) found.push(this.#drawn(host, page, k));
    }
    this.#addHead(found, host, from, page);
    return found;
  }

  /** Where `rel=canonical` of a page leads; -1 where it has none. */
  canonical(host: number, index: number): number {
    const { seed, pagesPerHost, links } = this.#spec;
    const from = this.#pages.textOf(host, index);
    const draw = hash32(seed, host * pagesPerHost + from, 0, PURPOSE.canonical);
    if (links.canonical === 0 || unit(draw) >= links.canonical) return -1;
    const other = this.#zipfPages.rank(unit(hash32(seed, host * pagesPerHost + from, 1, PURPOSE.canonical)));
    return host * pagesPerHost + ((draw & 3) === 0 ? other : from);
  }

  #addHead(found: PlannedLink[], host: number, from: number, page: number): void {
    const { seed, links, pagesPerHost } = this.#spec;
    const last = found[found.length - 1];
    if (last !== undefined && unit(hash32(seed, page, 0, PURPOSE.refresh)) < links.refresh) {
      found[found.length - 1] = { ...last, element: 'refresh', nofollow: false };
    }
    const canonical = this.canonical(host, from);
    if (canonical >= 0) found.push(this.#plain(page, canonical, HEAD_SALT, 'canonical'));
    const draw = links.alternate === 0 ? 0 : hash32(seed, page, 0, PURPOSE.alternate);
    if (links.alternate > 0 && unit(draw) < links.alternate) {
      for (let k = 1; k <= 1 + (draw % MOST_ALTERNATES); k++) {
        const index = this.#zipfPages.rank(unit(hash32(seed, page, k, PURPOSE.alternate)));
        found.push(this.#plain(page, host * pagesPerHost + index, HEAD_SALT + k, 'alternate'));
      }
    }
    const feed = this.#feedOf(host);
    if (feed >= 0) found.push(this.#plain(page, feed, HEAD_SALT - 1, 'feed'));
  }

  #plain(page: number, to: number, salt: number, element: LinkElement): PlannedLink {
    return { to, element, nofollow: false, flavour: hash32(this.#spec.seed, page, salt, PURPOSE.flavour) };
  }

  #drawn(host: number, page: number, k: number): PlannedLink {
    const { seed, hosts, pagesPerHost, links } = this.#spec;
    const away = hosts > 1 && unit(hash32(seed, page, k, PURPOSE.away)) < links.interHost;
    const toHost = away ? this.#zipfHosts.rank(unit(hash32(seed, page, k, PURPOSE.host))) : host;
    const toIndex = this.#zipfPages.rank(unit(hash32(seed, page, k, PURPOSE.page)));
    const kind = unit(hash32(seed, page, k, PURPOSE.element));
    const element = kind < links.area ? 'area' : kind < links.area + links.iframe ? 'iframe' : 'a';
    return {
      to: toHost * pagesPerHost + toIndex,
      element,
      nofollow: element === 'a' && unit(hash32(seed, page, k, PURPOSE.nofollow)) < links.nofollow,
      flavour: hash32(seed, page, k, PURPOSE.flavour),
    };
  }
}
