import type { PagePlan } from './page-plan.ts';
import { hash32, pick, unit } from './seeded-hash.ts';
import type { WebSpec } from './web-spec.ts';

export type LinkElement = 'a' | 'area' | 'iframe' | 'refresh';

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
} as const;

/**
 * Who links to whom. The first two links of a page lead to pages 2n+1 and 2n+2 of its host, and the first page of host n
 * also to those of hosts 2n+1 and 2n+2, so that nothing is unreachable for want of a link; the rest is drawn.
 */
export class LinkPlan {
  readonly #spec: WebSpec;
  readonly #pages: PagePlan;

  constructor(spec: WebSpec, pages: PagePlan) {
    this.#spec = spec;
    this.#pages = pages;
  }

  /** In the order in which they stand on the page. Of a copy: those of its original. */
  links(host: number, index: number): PlannedLink[] {
    const { seed, linksPerPage, pagesPerHost, hosts, links: shares } = this.#spec;
    if (linksPerPage === 0) return [];
    const from = this.#pages.role(host, index) === 'copy' ? this.#pages.original(host, index) : index;
    const page = host * pagesPerHost + from;
    const half = Math.floor(linksPerPage / 2);
    const count = linksPerPage - half + pick(hash32(seed, page, 0, PURPOSE.count), 2 * half + 1);
    const found: PlannedLink[] = [];
    for (let child = 2 * from + 1; child <= 2 * from + 2; child++) {
      if (child < pagesPerHost) found.push(this.#tree(page, host * pagesPerHost + child, child));
    }
    for (let child = 2 * host + 1; from === 0 && child <= 2 * host + 2; child++) {
      if (child < hosts) found.push(this.#tree(page, child * pagesPerHost, -child));
    }
    for (let k = found.length; k < count; k++) found.push(this.#drawn(host, page, k));
    const last = found[found.length - 1];
    if (last !== undefined && unit(hash32(seed, page, 0, PURPOSE.refresh)) < shares.refresh) {
      found[found.length - 1] = { ...last, element: 'refresh', nofollow: false };
    }
    return found;
  }

  #tree(page: number, to: number, salt: number): PlannedLink {
    return { to, element: 'a', nofollow: false, flavour: hash32(this.#spec.seed, page, salt, PURPOSE.flavour) };
  }

  #drawn(host: number, page: number, k: number): PlannedLink {
    const { seed, hosts, pagesPerHost, links } = this.#spec;
    const away = hosts > 1 && unit(hash32(seed, page, k, PURPOSE.away)) < links.interHost;
    const toHost = away ? this.#skewed(hash32(seed, page, k, PURPOSE.host), hosts) : host;
    const toIndex = this.#skewed(hash32(seed, page, k, PURPOSE.page), pagesPerHost);
    const kind = unit(hash32(seed, page, k, PURPOSE.element));
    const element = kind < links.area ? 'area' : kind < links.area + links.iframe ? 'iframe' : 'a';
    return {
      to: toHost * pagesPerHost + toIndex,
      element,
      nofollow: element === 'a' && unit(hash32(seed, page, k, PURPOSE.nofollow)) < links.nofollow,
      flavour: hash32(seed, page, k, PURPOSE.flavour),
    };
  }

  #skewed(hash: number, count: number): number {
    return Math.floor(unit(hash) ** this.#spec.popularitySkew * count);
  }
}
