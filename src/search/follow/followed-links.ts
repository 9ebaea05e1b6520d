import type { Link, LinkKind } from '../../contracts/page.ts';
import type { PageRecord } from '../../contracts/page-store.ts';
import type { AnchorText } from '../../contracts/search-index.ts';
import type { LinkStore } from '../../engines/links/link-store.ts';
import type { PageAliases } from './page-aliases.ts';

/** Of a page that everybody links to, the weightiest texts say it all. */
const MOST_ANCHORS = 200;

/** Links that a reader can take; forms, feeds and parts of the page speak for nobody. */
const SPEAKING: ReadonlySet<LinkKind> = new Set(['a', 'area', 'frame', 'refresh']);

/**
 * The links of the pages as the index wants them: what leads to a copy or to a redirect counts for the page that stands
 * there instead.
 */
export class FollowedLinks {
  readonly #store: LinkStore;
  readonly #aliases: PageAliases;

  constructor(store: LinkStore, aliases: PageAliases) {
    this.#store = store;
    this.#aliases = aliases;
  }

  /** The links of a page, in place of those it had; with `nofollow` the page itself asks that none be followed. */
  set(page: PageRecord, links: readonly Link[], nofollow: boolean): void {
    this.#aliases.remove(page.url);
    const speaking = links.filter(({ kind, url }) => SPEAKING.has(kind) && url !== page.url);
    this.#add(
      page,
      speaking.map((link) => ({
        url: link.url,
        text: link.text,
        nofollow: nofollow || link.nofollow || link.ugc || link.sponsored,
      })),
    );
  }

  /** A page that is gone links to nothing. */
  clear(page: PageRecord): void {
    if (this.#store.outLinks(page.url) !== undefined) this.#add(page, []);
  }

  /** What leads to the page counts for the other: it is a copy of it, or a redirect there. */
  fold(page: PageRecord, to: string): void {
    this.#aliases.add(page.url, to);
    // One link without words, so that rank passes on as well.
    this.#add(page, [{ url: to, text: '', nofollow: false }]);
  }

  anchorsTo(url: string): readonly AnchorText[] {
    const own = this.#store.anchorsFor(url, MOST_ANCHORS);
    const aliases = this.#aliases.of(url);
    if (aliases.length === 0) return own;
    const weights = new Map<string, { text: string; weight: number }>();
    for (const { text, weight } of [
      ...own,
      ...aliases.flatMap((alias) => this.#store.anchorsFor(alias, MOST_ANCHORS)),
    ]) {
      const known = weights.get(text.toLowerCase());
      if (known === undefined) weights.set(text.toLowerCase(), { text, weight });
      else known.weight += weight;
    }
    return [...weights.values()].sort((a, b) => b.weight - a.weight).slice(0, MOST_ANCHORS);
  }

  /** Pages whose anchors have become so many more that indexing them again pays. */
  takePending(limit: number): readonly string[] {
    return [...new Set(this.#store.pending(limit).map((url) => this.#aliases.originalOf(url)))];
  }

  #add(
    { url, host, visitedAt = 0 }: PageRecord,
    links: readonly { url: string; text: string; nofollow: boolean }[],
  ): void {
    this.#store.addPage({ url, host, at: visitedAt, links });
  }
}
