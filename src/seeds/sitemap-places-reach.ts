import type { CanonicalUrl, Origin } from '../contracts/url.ts';
import { hostnameOf, originOf, pathOf } from '../url/host-key.ts';
import { registrableDomain } from '../url/public-suffix.ts';
import type { SitemapPlace } from './sitemap-places.ts';

/**
 * What a sitemap's word on a URL is worth.
 * 'own': the protocol lets it speak of this URL; lastmod, changefreq and priority count.
 * 'same-site': the same registrable domain, but not proven (http for https, www or not, another folder). A link, no more.
 * 'foreign': somebody else's host. Whoever lists it may want us to visit it in his name.
 */
export type SitemapReach = 'own' | 'same-site' | 'foreign';

/**
 * The rules of sitemaps.org. A sitemap speaks of its own folder and what lies below. Named in a host's robots.txt, it
 * speaks of that whole host, wherever it lies itself: only the host's owner can have named it there.
 */
export function sitemapReach(place: SitemapPlace, url: CanonicalUrl): SitemapReach {
  const origin = originOf(url);
  if (place.how !== 'well-known' && place.provenBy.includes(origin)) return 'own';
  if (originOf(place.url) === origin && pathOf(url).startsWith(folderOf(place.url))) return 'own';
  const site = siteOf(url);
  return siteOf(place.url) === site || place.provenBy.some((proven) => siteOf(`${proven}/` as CanonicalUrl) === site)
    ? 'same-site'
    : 'foreign';
}

/**
 * Whether an index file may list this sitemap: one of its own site, or of a site for which it was named. (The protocol
 * asks for the same folder too; hardly any generator keeps that, and nothing is gained by it.)
 */
export function mayList(index: SitemapPlace, sitemap: CanonicalUrl): boolean {
  return sitemapReach(index, sitemap) !== 'foreign';
}

/** For whom a sitemap speaks that an index lists: the proof is passed on. A guess in the root speaks for its host. */
export function provenThrough(index: SitemapPlace): readonly Origin[] {
  if (index.how !== 'well-known') return index.provenBy;
  return folderOf(index.url) === '/' ? [originOf(index.url)] : [];
}

function siteOf(url: CanonicalUrl): string {
  const hostname = hostnameOf(url);
  return registrableDomain(hostname) ?? hostname;
}

function folderOf(url: CanonicalUrl): string {
  const path = pathOf(url);
  const query = path.indexOf('?');
  const plain = query === -1 ? path : path.slice(0, query);
  return plain.slice(0, plain.lastIndexOf('/') + 1);
}
