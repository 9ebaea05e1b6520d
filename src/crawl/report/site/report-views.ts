/** A part of the site report that answers one question. */
export interface ReportView {
  /** Also the flag of its rows. */
  readonly name: string;
  readonly label: string;
  readonly meaning: string;
  /** What is shown where nobody chose. */
  readonly columns: readonly string[];
  readonly sort: { readonly column: string; readonly descending?: boolean };
  /** It needs the links of the crawl, which are gathered with the search index. */
  readonly needsLinks?: true;
}

/** Answers that take longer are slow. */
export const SLOW_MS = 1000;

const BY_LINKS = { column: 'inLinks', descending: true } as const;
const BY_URL = { column: 'url' } as const;

export const REPORT_VIEWS: readonly ReportView[] = [
  {
    ...{ name: 'visited', label: 'Visited', meaning: 'Every URL that was visited, however that ended.', sort: BY_URL },
    columns: ['url', 'status', 'outcome', 'title', 'depth', 'inLinks', 'bytes', 'mediaType', 'language', 'visitedAt'],
  },
  {
    ...{ name: 'pages', label: 'Pages', meaning: 'URLs of which a copy is held.', sort: BY_LINKS },
    columns: ['url', 'title', 'depth', 'inLinks', 'outLinks', 'bytes', 'words', 'mediaType', 'language', 'modified'],
  },
  {
    ...{ name: 'broken', label: 'Broken', sort: BY_LINKS },
    meaning: 'URLs that are gone or could not be fetched, with the pages that link to them.',
    columns: ['url', 'status', 'outcome', 'detail', 'inLinks', 'visitedAt'],
  },
  {
    ...{ name: 'redirects', label: 'Redirects', meaning: 'URLs that lead to another one.', sort: BY_LINKS },
    columns: ['url', 'status', 'redirectsTo', 'redirects', 'redirectEnd', 'finalUrl', 'finalStatus', 'inLinks'],
  },
  {
    ...{ name: 'chains', label: 'Redirect chains', sort: { column: 'redirects', descending: true } },
    meaning: 'Redirects that take more than one step, end nowhere, or go round in a circle.',
    columns: ['url', 'status', 'redirectsTo', 'redirects', 'redirectEnd', 'finalUrl', 'finalStatus', 'inLinks'],
  },
  {
    ...{ name: 'orphans', label: 'Orphans', sort: BY_URL, needsLinks: true },
    meaning: 'Pages that no other page links to: known from a sitemap, a feed, a push, or a link that is gone.',
    columns: ['url', 'status', 'title', 'foundBy', 'foundAt', 'visitedAt'],
  },
  {
    ...{ name: 'duplicates', label: 'Duplicates', sort: { column: 'duplicates', descending: true } },
    meaning: 'Pages that say what another says, to the byte or nearly so.',
    columns: ['url', 'title', 'duplicates', 'duplicateOf', 'canonical', 'inLinks', 'bytes'],
  },
  {
    ...{ name: 'titles-missing', label: 'No title', meaning: 'HTML pages without a title.', sort: BY_LINKS },
    columns: ['url', 'status', 'description', 'depth', 'inLinks', 'words'],
  },
  {
    ...{ name: 'titles-repeated', label: 'Same title', sort: { column: 'sameTitle', descending: true } },
    meaning: 'HTML pages whose title another page has, too.',
    columns: ['url', 'title', 'sameTitle', 'canonical', 'inLinks'],
  },
  {
    ...{ name: 'descriptions-missing', label: 'No description', sort: BY_LINKS },
    meaning: 'HTML pages that declare no description.',
    columns: ['url', 'title', 'depth', 'inLinks', 'words'],
  },
  {
    ...{
      name: 'descriptions-repeated',
      label: 'Same description',
      sort: { column: 'sameDescription', descending: true },
    },
    meaning: 'HTML pages whose description another page has, too.',
    columns: ['url', 'description', 'sameDescription', 'title', 'inLinks'],
  },
  {
    ...{ name: 'slow', label: 'Slow', sort: { column: 'fetchMs', descending: true } },
    meaning: 'URLs whose last answer took a second or longer.',
    columns: ['url', 'fetchMs', 'status', 'bytes', 'mediaType', 'inLinks', 'visitedAt'],
  },
  {
    ...{ name: 'robots', label: 'Blocked by robots.txt', sort: BY_LINKS },
    meaning: 'URLs that the robots.txt of their host forbids, or whose robots.txt cannot be read.',
    columns: ['url', 'detail', 'depth', 'inLinks', 'foundBy', 'visitedAt'],
  },
  {
    ...{ name: 'noindex', label: 'Noindex', meaning: 'Pages that ask not to be found.', sort: BY_LINKS },
    columns: ['url', 'status', 'outcome', 'directives', 'detail', 'title', 'inLinks'],
  },
  {
    ...{ name: 'canonicalised', label: 'Canonical elsewhere', sort: BY_LINKS },
    meaning: 'Pages that name another URL as the canonical one.',
    columns: ['url', 'canonical', 'status', 'title', 'inLinks'],
  },
  {
    ...{ name: 'waiting', label: 'Waiting', meaning: 'URLs that were not visited yet.', sort: BY_URL },
    columns: ['url', 'depth', 'inLinks', 'foundBy', 'foundAt'],
  },
  {
    ...{ name: 'refused', label: 'Refused', sort: BY_URL },
    meaning: 'URLs that a rule other than robots.txt keeps out: scope, depth, filters, traps, budgets.',
    columns: ['url', 'detail', 'depth', 'inLinks', 'foundBy'],
  },
  {
    ...{ name: 'all', label: 'All known', meaning: 'Every URL that the crawl knows.', sort: BY_URL },
    columns: ['url', 'status', 'outcome', 'detail', 'depth', 'inLinks', 'foundBy', 'foundAt'],
  },
];

export const DEFAULT_VIEW = 'visited';

export function reportView(name: string): ReportView | undefined {
  return REPORT_VIEWS.find((view) => view.name === name);
}
