import type { CanonicalUrl, Origin } from '../contracts/url.ts';
import { normalizeUrl } from '../url/normalize.ts';
import { defaultUrlOptions, type UrlOptions } from '../url/url-options.ts';

/** A sitemap to be asked for. Plain data. */
export interface SitemapPlace {
  readonly url: CanonicalUrl;
  /** 'robots': named in robots.txt. 'well-known': a guess, which stops at the first hit. 'index': listed in an index file. */
  readonly how: 'robots' | 'well-known' | 'index';
  /** Whose robots.txt led here: the sitemap may speak of all of these hosts, wherever it lies itself. */
  readonly provenBy: readonly Origin[];
  /** Index files on the way here. */
  readonly depth: number;
  /** The index file that lists it. */
  readonly from?: CanonicalUrl;
  /** As the index says, ms. */
  readonly lastModified?: number;
}

export interface SitemapSources {
  readonly origin: Origin;
  /** The values of Sitemap lines, as written. */
  readonly named: readonly string[];
  /** Where robots.txt was in the end; relative values are read against it. */
  readonly robotsUrl?: string;
  readonly urlOptions?: UrlOptions;
  /** More names than this are not followed. */
  readonly maxNamed?: number;
  /** False: nothing is asked for that nobody named. */
  readonly guess?: boolean;
}

/**
 * Where sitemaps lie when robots.txt does not say, in the order of how often a hit is to be expected. Each is a request
 * in vain on most hosts, so the list is short.
 */
const WELL_KNOWN = [
  '/sitemap.xml',
  '/sitemap_index.xml',
  '/wp-sitemap.xml',
  '/sitemap-index.xml',
  '/sitemap.xml.gz',
  '/sitemap.txt',
  '/sitemaps.xml',
  '/sitemap/sitemap.xml',
  '/sitemap_index.xml.gz',
];

/**
 * Where one host's sitemaps may be: what robots.txt names, in its order, and then the well-known places. The latter are
 * for hosts whose named sitemaps lead nowhere; `SitemapTour` sees to that. Never throws.
 */
export function sitemapPlaces(sources: SitemapSources): SitemapPlace[] {
  const { origin, named, maxNamed = 1_000, guess = true } = sources;
  const options = sources.urlOptions ?? defaultUrlOptions;
  const base = sources.robotsUrl ?? `${origin}/robots.txt`;
  const places = new Map<CanonicalUrl, SitemapPlace>();
  const take = (written: string, how: SitemapPlace['how']): void => {
    const url = normalizeUrl(written.trim(), options, base);
    if (url !== undefined && !places.has(url)) places.set(url, { url, how, provenBy: [origin], depth: 0 });
  };
  for (const written of named) {
    if (places.size >= maxNamed) break;
    if (written.trim() !== '') take(written, 'robots');
  }
  if (guess) for (const path of WELL_KNOWN) take(`${origin}${path}`, 'well-known');
  return [...places.values()];
}
