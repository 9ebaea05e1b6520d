import type { Link } from '../../contracts/content/page.ts';

export interface DiscoveredFeed {
  /** Absolute but not yet canonical. */
  readonly url: string;
  /** The media type the page gives it, without parameters; '' where it gives none. */
  readonly type: string;
  readonly title?: string;
}

const feedTypes: ReadonlySet<string> = new Set([
  'application/rss+xml',
  'application/atom+xml',
  'application/feed+json',
  'application/rdf+xml',
  'application/x.atom+xml',
  'application/x-atom+xml',
  'text/rss+xml',
  'text/atom+xml',
  'text/rss',
]);

/** Types that may mean anything; the title or address has to speak for a feed. */
const vagueTypes: ReadonlySet<string> = new Set(['text/xml', 'application/xml', 'application/json']);
const speaksOfFeed = /\b(?:rss|atom|feeds?|rdf)\b/i;

/** The feeds a page names in its head, in its order, each once. */
export function discoverFeeds(links: readonly Link[]): DiscoveredFeed[] {
  const found = new Map<string, DiscoveredFeed>();
  for (const link of links) {
    if (link.kind !== 'link' || !namesFeed(link) || found.has(link.url)) continue;
    const type = mediaTypeOf(link);
    found.set(
      link.url,
      link.title === undefined ? { url: link.url, type } : { url: link.url, type, title: link.title },
    );
  }
  return [...found.values()];
}

function namesFeed(link: Link): boolean {
  const rels = link.rel.split(/\s+/);
  if (rels.includes('stylesheet')) return false;
  if (rels.includes('feed')) return true;
  if (!rels.includes('alternate')) return false;
  const type = mediaTypeOf(link);
  if (feedTypes.has(type)) return true;
  return vagueTypes.has(type) && (speaksOfFeed.test(link.title ?? '') || speaksOfFeed.test(pathOf(link.url)));
}

function mediaTypeOf(link: Link): string {
  return (link.type ?? '').split(';', 1)[0].trim().toLowerCase();
}

function pathOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? url : parsed.pathname + parsed.search;
}
