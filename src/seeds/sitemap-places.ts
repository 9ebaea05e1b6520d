import type { CanonicalUrl, Origin } from '../contracts/url.ts';
import { normalizeUrl } from '../url/normalize.ts';
import { defaultUrlOptions, type UrlOptions } from '../url/url-options.ts';

export interface SitemapSources {
  readonly origin: Origin;
  /** The values of Sitemap lines, as written. */
  readonly named: readonly string[];
  readonly urlOptions?: UrlOptions;
  /** More names than this are not followed. */
  readonly maxNamed?: number;
  /** False: nothing is asked for that nobody named. */
  readonly guess?: boolean;
}

/** Where sitemaps lie when robots.txt names none, likeliest first. Most hosts have none there, so the list is short. */
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

/** Where a host's sitemaps may be: what robots.txt names, or the well-known places where it names none. Never throws. */
export function sitemapPlaces(sources: SitemapSources): CanonicalUrl[] {
  const { origin, named, maxNamed = 1_000, guess = true } = sources;
  const options = sources.urlOptions ?? defaultUrlOptions;
  const places = new Set<CanonicalUrl>();
  const take = (written: string): void => {
    const url = normalizeUrl(written.trim(), options, `${origin}/robots.txt`);
    if (url !== undefined) places.add(url);
  };
  for (const written of named) {
    if (places.size >= maxNamed) break;
    if (written.trim() !== '') take(written);
  }
  if (guess) for (const path of WELL_KNOWN) take(`${origin}${path}`);
  return [...places];
}
