import { hash32, pick, unit } from '../model/seeded-hash.ts';
import type { WebSpec } from '../model/web-spec.ts';
import { Zipf } from '../model/zipf.ts';
import type { PagePlan } from './page-plan.ts';
import type { SpamPlan } from './spam-plan.ts';

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
  /** Of a META refresh that is meant to be noticed: after how many seconds. */
  readonly seconds?: number;
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
  wiki: 30,
} as const;
const MOST_ALTERNATES = 3;
/** Links of the head are numbered apart from those of the body, which may be added to. */
const HEAD_SALT = 0x10000;
/** Links of rings and of pages that send on are numbered apart, too. */
const RING_SALT = 0x20000;
const SENT_ON_SALT = 0x30000;
const BLOG_ROLL = 8;
/** Links besides those that make pages reachable, on pages that send their visitors on. */
const LINKS_OF_SENT_ON = 3;

/**
 * Who links to whom. The first two links of a page lead to pages 2n+1 and 2n+2 of its host, and the first page of host n
 * also to those of hosts 2n+1 and 2n+2, so that nothing is unreachable for want of a link; the rest is drawn by Zipf's law.
 * A wiki is numbered apart: the first page of the host links to its first, and its pages to each other.
 */
export class LinkPlan {
  readonly #spec: WebSpec;
  readonly #pages: PagePlan;
  readonly #spam: SpamPlan;
  readonly #zipfPages: Zipf;
  readonly #zipfHosts: Zipf;
  readonly #feedOf: (host: number) => number;

  /** `feedOf`: the number of a host's feed, -1 where it has none. */
  constructor(spec: WebSpec, pages: PagePlan, spam: SpamPlan, feedOf: (host: number) => number) {
    this.#spec = spec;
    this.#pages = pages;
    this.#spam = spam;
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
    const trait = this.#spam.trait(host, from);
    const sentOn = trait === 'doorway' || trait === 'movedPage';
    if (linksPerPage > 0) {
      const half = Math.floor(linksPerPage / 2);
      const most = linksPerPage - half + pick(hash32(seed, page, 0, PURPOSE.count), 2 * half + 1);
      const count = sentOn ? LINKS_OF_SENT_ON : trait === 'linkFarm' ? 2 * most : most;
      for (const child of this.#children(host, from)) {
        found.push(this.#plain(page, host * pagesPerHost + child, child, 'a'));
      }
      for (let child = 2 * host + 1; from === 0 && child <= 2 * host + 2; child++) {
        if (child < hosts) found.push(this.#plain(page, child * pagesPerHost, -child, 'a'));
      }
      for (let k = found.length; k < count; k++) {
        found.push(trait === 'linkFarm' ? this.#toFarm(host, from, k) : this.#drawn(host, from, k));
      }
    }
    if (trait === 'webRing') this.#addRing(found, host, page);
    // One refresh is enough.
    if (!sentOn) this.#turnLastToRefresh(found, page);
    this.#addHead(found, host, from, page);
    if (sentOn) this.#addSentOn(found, host, from, trait);
    return found;
  }

  /** Where a page sends its visitors on to: a page of another host, or the place where it is to be found now. */
  sentOnTo(host: number, index: number): number {
    const { seed, pagesPerHost } = this.#spec;
    const from = this.#pages.textOf(host, index);
    const draw = hash32(seed, host * pagesPerHost + from, SENT_ON_SALT, PURPOSE.page);
    // One moved page in four has gone to another domain.
    if (this.#spam.trait(host, from) === 'doorway' || (draw & 3) === 0) {
      const [toHost, toIndex] = this.#spam.behind(host, from);
      return toHost * pagesPerHost + toIndex;
    }
    return host * pagesPerHost + this.#outside(host, this.#zipfPages.rank(unit(draw)));
  }

  /** Where `rel=canonical` of a page leads; -1 where it has none. */
  canonical(host: number, index: number): number {
    const { seed, pagesPerHost, links } = this.#spec;
    const from = this.#pages.textOf(host, index);
    const draw = hash32(seed, host * pagesPerHost + from, 0, PURPOSE.canonical);
    if (links.canonical === 0 || unit(draw) >= links.canonical) return -1;
    const drawn = this.#zipfPages.rank(unit(hash32(seed, host * pagesPerHost + from, 1, PURPOSE.canonical)));
    const other = this.#outside(host, drawn);
    return host * pagesPerHost + ((draw & 3) === 0 ? other : from);
  }

  #turnLastToRefresh(found: PlannedLink[], page: number): void {
    const last = found[found.length - 1];
    if (last !== undefined && unit(hash32(this.#spec.seed, page, 0, PURPOSE.refresh)) < this.#spec.links.refresh) {
      found[found.length - 1] = { ...last, element: 'refresh', nofollow: false };
    }
  }

  #addHead(found: PlannedLink[], host: number, from: number, page: number): void {
    const { seed, links, pagesPerHost } = this.#spec;
    const canonical = this.canonical(host, from);
    if (canonical >= 0) found.push(this.#plain(page, canonical, HEAD_SALT, 'canonical'));
    const draw = links.alternate === 0 ? 0 : hash32(seed, page, 0, PURPOSE.alternate);
    if (links.alternate > 0 && unit(draw) < links.alternate) {
      for (let k = 1; k <= 1 + (draw % MOST_ALTERNATES); k++) {
        const index = this.#outside(host, this.#zipfPages.rank(unit(hash32(seed, page, k, PURPOSE.alternate))));
        found.push(this.#plain(page, host * pagesPerHost + index, HEAD_SALT + k, 'alternate'));
      }
    }
    const feed = this.#feedOf(host);
    if (feed >= 0) found.push(this.#plain(page, feed, HEAD_SALT - 1, 'feed'));
  }

  /** The pages that this one makes reachable, each by one page alone. */
  #children(host: number, from: number): number[] {
    const wiki = this.#pages.wikiFrom(host);
    const first = from < wiki ? 0 : wiki;
    const end = from < wiki ? wiki : this.#spec.pagesPerHost;
    const next = first + 2 * (from - first) + 1;
    const children = [next, next + 1].filter((child) => child < end);
    if (from === 0 && wiki < this.#spec.pagesPerHost) children.push(wiki);
    return children;
  }

  /** A page outside the wiki of its host. */
  #outside(host: number, index: number): number {
    return index % this.#pages.wikiFrom(host);
  }

  /** A page of the same host; from within its wiki every other link stays there. */
  #within(host: number, from: number, index: number, draw: number): number {
    const wiki = this.#pages.wikiFrom(host);
    const stays = from >= wiki && (draw & 1) === 0;
    return stays ? wiki + (index % (this.#spec.pagesPerHost - wiki)) : this.#outside(host, index);
  }

  #toFarm(host: number, from: number, k: number): PlannedLink {
    const { pagesPerHost } = this.#spec;
    const [toHost, toIndex] = this.#spam.farmPeer(host, from, k);
    return this.#plain(host * pagesPerHost + from, toHost * pagesPerHost + this.#outside(toHost, toIndex), k, 'a');
  }

  #addRing(found: PlannedLink[], host: number, page: number): void {
    for (const [k, to] of this.#spam.ringNeighbours(host, BLOG_ROLL).entries()) {
      found.push(this.#plain(page, to * this.#spec.pagesPerHost, RING_SALT + k, 'a'));
    }
  }

  /** Doorways send on at once, and half of them by a script alone; what has moved says so with a link, too. */
  #addSentOn(found: PlannedLink[], host: number, from: number, trait: 'doorway' | 'movedPage'): void {
    const page = host * this.#spec.pagesPerHost + from;
    const link = this.#plain(page, this.sentOnTo(host, from), SENT_ON_SALT, 'refresh');
    const byScript = (link.flavour & 0x100) === 0;
    if (trait === 'movedPage') found.push({ ...link, element: 'a' });
    if (!byScript) found.push({ ...link, seconds: trait === 'doorway' ? link.flavour & 1 : link.flavour % 8 });
  }

  #plain(page: number, to: number, salt: number, element: LinkElement): PlannedLink {
    return { to, element, nofollow: false, flavour: hash32(this.#spec.seed, page, salt, PURPOSE.flavour) };
  }

  #drawn(host: number, from: number, k: number): PlannedLink {
    const { seed, hosts, pagesPerHost, links } = this.#spec;
    const page = host * pagesPerHost + from;
    const leaves = hosts > 1 && unit(hash32(seed, page, k, PURPOSE.away)) < links.interHost;
    const drawnHost = leaves ? this.#zipfHosts.rank(unit(hash32(seed, page, k, PURPOSE.host))) : host;
    // Honest people do not link to farms: what leads there is the way that makes every host reachable.
    const away = leaves && this.#spam.hostTrait(drawnHost) !== 'linkFarm';
    const toHost = away ? drawnHost : host;
    const rank = this.#zipfPages.rank(unit(hash32(seed, page, k, PURPOSE.page)));
    const toIndex = away
      ? this.#outside(toHost, rank)
      : this.#within(host, from, rank, hash32(seed, page, k, PURPOSE.wiki));
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
