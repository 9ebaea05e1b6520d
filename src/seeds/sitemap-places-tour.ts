import type { CanonicalUrl } from '../contracts/url.ts';
import { normalizeUrl } from '../url/normalize.ts';
import { defaultUrlOptions, type UrlOptions } from '../url/url-options.ts';
import type { SitemapPlace } from './sitemap-places.ts';
import { mayList, provenThrough } from './sitemap-places-reach.ts';

export interface TourLimits {
  /** Index files on the way to a sitemap. The protocol allows one; a second one is common. */
  readonly maxDepth: number;
  /** Sitemaps of one host that are asked for in one tour. */
  readonly maxFiles: number;
  /** Entries of one index file that are looked at. */
  readonly maxChildren: number;
}

export const tourLimits: TourLimits = Object.freeze({ maxDepth: 3, maxFiles: 5_000, maxChildren: 50_000 });

/** What lay at a place. A page that is no sitemap is 'absent', whatever its status. */
export type SitemapFinding =
  | { readonly kind: 'index'; readonly children: Iterable<{ readonly url: string; readonly lastModified?: number }> }
  | { readonly kind: 'urls' }
  | { readonly kind: 'absent' };

export type TourRefusal = 'not-a-url' | 'foreign' | 'known' | 'too-deep' | 'too-many';

/** A tour under way, as plain data. */
export interface TourRecord {
  readonly waiting: readonly SitemapPlace[];
  readonly known: readonly CanonicalUrl[];
  readonly found: boolean;
}

/**
 * One host's sitemaps, one after the other: named ones in order, an index's children with the newest first, and guesses
 * only as long as nothing was found.
 *
 * Invariants: no URL is given out twice, so that index files in a ring end; no more than `maxFiles` are given out.
 */
export class SitemapTour {
  readonly #limits: TourLimits;
  readonly #urlOptions: UrlOptions;
  #waiting: SitemapPlace[];
  readonly #known: Set<CanonicalUrl>;
  #found: boolean;

  constructor(record: TourRecord, limits: Partial<TourLimits> = {}, urlOptions: UrlOptions = defaultUrlOptions) {
    this.#limits = { ...tourLimits, ...limits };
    this.#urlOptions = urlOptions;
    this.#waiting = [...record.waiting];
    this.#known = new Set(record.known);
    this.#found = record.found;
  }

  /** A tour that begins. */
  static of(places: readonly SitemapPlace[], limits?: Partial<TourLimits>, urlOptions?: UrlOptions): SitemapTour {
    const { maxFiles } = { ...tourLimits, ...limits };
    const named = places.filter(({ how }) => how !== 'well-known').slice(0, maxFiles);
    const guesses = places.filter(({ how }) => how === 'well-known').slice(0, maxFiles - named.length);
    const waiting = [...named, ...guesses];
    return new SitemapTour({ waiting, known: waiting.map(({ url }) => url), found: false }, limits, urlOptions);
  }

  /** The next place to ask, or undefined at the end. A place that is under way may still lead to more. */
  next(): SitemapPlace | undefined {
    return this.#waiting.shift();
  }

  /** What lay at a place that `next` gave out; answers how many children were taken, and how many not, and why. */
  settle(
    place: SitemapPlace,
    finding: SitemapFinding,
  ): { taken: number; refused: Partial<Record<TourRefusal, number>> } {
    const refused: Partial<Record<TourRefusal, number>> = {};
    if (finding.kind === 'absent') return { taken: 0, refused };
    if (!this.#found) {
      this.#found = true;
      // No longer guessed at, they may still be listed.
      for (const { how, url } of this.#waiting) if (how === 'well-known') this.#known.delete(url);
      this.#waiting = this.#waiting.filter(({ how }) => how !== 'well-known');
    }
    if (finding.kind === 'urls') return { taken: 0, refused };
    const children: SitemapPlace[] = [];
    let looked = 0;
    for (const { url, lastModified } of finding.children) {
      const child = looked++ < this.#limits.maxChildren ? this.#judge(place, url, lastModified) : 'too-many';
      if (typeof child !== 'string') children.push(child);
      else refused[child] = (refused[child] ?? 0) + 1;
      // The rest is not even counted: it may have no end.
      if (looked > this.#limits.maxChildren) break;
    }
    children.sort((a, b) => (b.lastModified ?? 0) - (a.lastModified ?? 0));
    this.#waiting = [...children, ...this.#waiting];
    return { taken: children.length, refused };
  }

  #judge(index: SitemapPlace, written: string, lastModified: number | undefined): SitemapPlace | TourRefusal {
    const url = normalizeUrl(written.trim(), this.#urlOptions, index.url);
    if (url === undefined) return 'not-a-url';
    if (this.#known.has(url)) return 'known';
    if (index.depth >= this.#limits.maxDepth) return 'too-deep';
    if (!mayList(index, url)) return 'foreign';
    if (this.#known.size >= this.#limits.maxFiles) return 'too-many';
    this.#known.add(url);
    const child: SitemapPlace = {
      url,
      how: 'index',
      provenBy: provenThrough(index),
      depth: index.depth + 1,
      from: index.url,
    };
    return lastModified === undefined ? child : { ...child, lastModified };
  }

  toJSON(): TourRecord {
    return { waiting: this.#waiting, known: [...this.#known], found: this.#found };
  }
}
