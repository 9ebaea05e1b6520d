import type { SearchAnswer, SnippetPart } from '../../contracts/search-service.ts';
import { type Html, html } from '../frame/html.ts';
import { outerLink, ownLink } from '../frame/links.ts';
import { orbIcon } from '../frame/orb-mark.ts';
import { isTime } from '../frame/written-date.ts';

/** How browsers learn to search here. */
export function openSearchDescription(name: string, origin: string): Html {
  // Short names have at most 16 characters by the specification.
  return html`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${name.slice(0, 16)}</ShortName>
<Description>${`Search ${name}`.slice(0, 1_024)}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="64" height="64" type="image/svg+xml">${orbIcon()}</Image>
<Url type="text/html" template="${origin}/search?q={searchTerms}&amp;page={startPage?}"/>
<Url type="application/rss+xml" template="${origin}/search.rss?q={searchTerms}"/>
<Url type="application/x-suggestions+json" template="${origin}/suggest?q={searchTerms}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${origin}/opensearch.xml"/>
</OpenSearchDescription>
`;
}

/** The first results of a query as a feed, so that a reader tells of new ones. */
export function resultFeed(name: string, origin: string, answer: SearchAnswer): Html {
  const { query, hits, total, perPage } = answer;
  return html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${query} · ${name}</title>
<link>${origin + ownLink('/search', { q: query })}</link>
<description>Results for ${query}</description>
<atom:link rel="self" type="application/rss+xml" href="${origin + ownLink('/search.rss', { q: query })}"/>
<opensearch:totalResults>${total}</opensearch:totalResults>
<opensearch:startIndex>1</opensearch:startIndex>
<opensearch:itemsPerPage>${perPage}</opensearch:itemsPerPage>
${hits.map((hit) => {
  const link = outerLink(hit.url);
  return html`<item>
<title>${plain(hit.title) || hit.id}</title>
${link !== undefined && html`<link>${link}</link>`}
<guid isPermaLink="false">${hit.id}</guid>
${isTime(hit.date) && html`<pubDate>${new Date(hit.date).toUTCString()}</pubDate>`}
<description>${plain(hit.snippet)}</description>
</item>
`;
})}</channel>
</rss>
`;
}

/** Feed readers take the description as HTML, so the text is escaped once more. */
function plain(parts: readonly SnippetPart[]): string {
  return parts
    .map(({ text }) => text)
    .join('')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
}
