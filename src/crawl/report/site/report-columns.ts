import type { ColumnKind, ColumnSpec } from '../../../contracts/site-report.ts';

/** A column of the site report. The names are those that `pages` has for the same things. */
export interface ReportColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Above the column. */
  readonly label: string;
  /** What is counted, where that is not plain: shown with the number. */
  readonly unit?: 'bytes' | 'ms';
  readonly meaning: string;
  /** Made from other rows when it is read: it can neither be filtered nor sorted by. */
  readonly derived?: true;
}

export const REPORT_COLUMNS: readonly ReportColumn[] = [
  { name: 'url', kind: 'text', label: 'URL', meaning: 'the canonical URL' },
  { name: 'host', kind: 'text', label: 'Host', meaning: 'its host, with the port where that is not the default one' },
  { name: 'status', kind: 'number', label: 'Status', meaning: 'HTTP status of the last answer' },
  {
    ...{ name: 'outcome', kind: 'word', label: 'Outcome' },
    meaning: 'how the last visit ended, as in `pages`; `waiting`: not visited yet',
  },
  { name: 'detail', kind: 'text', label: 'Detail', meaning: 'the rule of a refusal, the code of a failure' },
  { name: 'title', kind: 'text', label: 'Title', meaning: 'of the document, as it declares it' },
  { name: 'description', kind: 'text', label: 'Description', meaning: 'as the page declares it' },
  { name: 'depth', kind: 'number', label: 'Depth', meaning: 'links from the nearest seed' },
  { name: 'inLinks', kind: 'number', label: 'In-links', meaning: 'links to it on pages of the crawl' },
  { name: 'outLinks', kind: 'number', label: 'Out-links', meaning: 'links on the page' },
  { name: 'bytes', kind: 'number', label: 'Size', unit: 'bytes', meaning: 'of the body, without content coding' },
  { name: 'words', kind: 'number', label: 'Words', meaning: 'of the main text' },
  { name: 'mediaType', kind: 'word', label: 'Type', meaning: 'media type' },
  { name: 'language', kind: 'word', label: 'Language', meaning: 'of the text; as declared where it cannot be told' },
  { name: 'fetchMs', kind: 'number', label: 'Response time', unit: 'ms', meaning: 'from the request to the last byte' },
  { name: 'published', kind: 'time', label: 'Published', meaning: 'as the page declares it' },
  { name: 'modified', kind: 'time', label: 'Modified', meaning: 'as the page declares it' },
  { name: 'lastModified', kind: 'time', label: 'Last-Modified', meaning: 'the header of the answer' },
  { name: 'foundAt', kind: 'time', label: 'Found', meaning: 'when the URL became known' },
  { name: 'visitedAt', kind: 'time', label: 'Visited', meaning: 'when it was last visited' },
  { name: 'nextVisit', kind: 'time', label: 'Next visit', meaning: 'when it is visited next, where that is planned' },
  {
    name: 'foundBy',
    kind: 'word',
    label: 'Found by',
    meaning: 'seed, link, redirect, sitemap, feed, push or canonical',
  },
  { name: 'canonical', kind: 'text', label: 'Canonical', meaning: 'the canonical URL that the page declares' },
  { name: 'directives', kind: 'word', label: 'Directives', meaning: 'robots directives of the page and its headers' },
  { name: 'redirectsTo', kind: 'text', label: 'Redirects to', meaning: 'where the answer leads' },
  { name: 'redirects', kind: 'number', label: 'Redirects', meaning: 'redirects up to the end of the chain' },
  {
    ...{ name: 'redirectEnd', kind: 'word', label: 'Chain ends in' },
    meaning: '`page`, `broken`, `loop`, `refused`, `waiting`, or `unknown`',
  },
  {
    ...{ name: 'finalUrl', kind: 'text', label: 'Final URL', derived: true },
    meaning: 'the end of the chain; none of a loop',
  },
  { name: 'finalStatus', kind: 'number', label: 'Final status', meaning: 'HTTP status of the end of the chain' },
  { name: 'duplicateOf', kind: 'text', label: 'Duplicate of', meaning: 'a page with the same content, or nearly so' },
  { name: 'duplicates', kind: 'number', label: 'Duplicates', meaning: 'pages of this content, itself included' },
  { name: 'sameTitle', kind: 'number', label: 'Same title', meaning: 'pages with this title, itself included' },
  {
    ...{ name: 'sameDescription', kind: 'number', label: 'Same description' },
    meaning: 'pages with this description, itself included',
  },
];

/** The last redirect of its chain, as a row: where it leads to is the final URL. Kept for `finalUrl`, not shown. */
export const LAST_REDIRECT = 'lastRedirect';

/** As the table keeps them. */
export const TABLE_COLUMNS: readonly ColumnSpec[] = [
  ...REPORT_COLUMNS.filter(({ derived }) => derived !== true).map(({ name, kind }) => ({ name, kind })),
  { name: LAST_REDIRECT, kind: 'number' },
];

export function reportColumn(name: string): ReportColumn | undefined {
  return REPORT_COLUMNS.find((column) => column.name === name);
}
