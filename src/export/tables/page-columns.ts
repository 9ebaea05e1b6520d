import type { ExportPage } from '../../contracts/export.ts';
import type { TableRow } from '../../contracts/site-report.ts';
import { reportRow } from '../../crawl/report/site/report-row.ts';
import { type StatedColumn, stated } from './stated-columns.ts';
import type { TableColumn } from './table-column.ts';

/** A page, and what the site report says of it. */
export interface PageRow {
  readonly page: ExportPage;
  readonly stated: TableRow;
}

export function pageRow(page: ExportPage): PageRow {
  return { page, stated: reportRow(page) };
}

/** As in the site report, by the same names. */
const STATED: readonly StatedColumn[] = [
  ...(['url', 'host', 'status', 'outcome', 'title', 'description', 'language', 'mediaType', 'bytes', 'words'] as const),
  ...(['depth', 'outLinks', 'fetchMs', 'published', 'modified', 'lastModified', 'foundAt', 'foundBy'] as const),
  ...(['visitedAt', 'nextVisit', 'canonical', 'directives', 'duplicateOf'] as const),
];

type Facts = ExportPage['facts'];

function ofFacts(
  name: string,
  type: TableColumn<PageRow>['type'],
  meaning: string,
  value: (facts: Facts) => ReturnType<TableColumn<PageRow>['value']>,
): TableColumn<PageRow> {
  return { name, type, meaning, value: ({ page }) => value(page.facts) };
}

export const PAGE_COLUMNS: readonly TableColumn<PageRow>[] = [
  ...STATED.map((name) => stated<PageRow>(name, (row) => row.stated)),
  ofFacts('fetchedAt', 'time', 'when the copy was asked for: its date in the archive', (facts) => facts.requestedAt),
  ofFacts('charset', 'text', 'character encoding of the copy', (facts) => facts.charset),
  ofFacts('authors', 'texts', 'as the page declares them', (facts) => facts.about?.authors),
  ofFacts('keywords', 'texts', 'as the page declares them', (facts) => facts.about?.keywords),
  ofFacts('siteName', 'text', 'as the page declares it', (facts) => facts.about?.siteName),
  ofFacts('image', 'text', 'URL of the picture that the page declares', (facts) => facts.about?.image),
  ofFacts('digest', 'text', 'SHA-1 of the body without content coding, base32', (facts) => facts.digest),
  ofFacts('truncated', 'text', 'why the body is not whole', (facts) => facts.truncated),
  ofFacts('spam', 'real', 'spam score, 0 to 1', (facts) => facts.spam?.score),
  ofFacts('relevance', 'real', 'on the topic of a focused crawl, 0 to 1', (facts) => facts.topic?.relevance),
  ofFacts('usageSearch', 'text', 'allowed or disallowed by the publisher: search', (facts) => facts.usage?.search),
  ofFacts('usageAiInput', 'text', 'the same: answers of AI', (facts) => facts.usage?.aiInput),
  ofFacts('usageAiTrain', 'text', 'the same: training of AI', (facts) => facts.usage?.aiTrain),
  ofFacts('usageTdm', 'text', 'the same: text and data mining', (facts) => facts.usage?.tdm),
  ofFacts('usageSaid', 'texts', 'all that publishers say of use, with its source', (facts) => facts.usage?.said),
  ofFacts('warcFile', 'text', 'file of the archive that holds the copy', (facts) => facts.location?.file),
  ofFacts('warcOffset', 'long', 'where its record begins', (facts) => facts.location?.offset),
  ofFacts('warcLength', 'long', 'length of its record', (facts) => facts.location?.length),
  {
    ...{ name: 'text', type: 'text', meaning: 'the main text', onRequest: true },
    value: ({ page }) => page.text(),
  },
  {
    ...{ name: 'markdown', type: 'text', meaning: 'the main content as Markdown', onRequest: true },
    value: ({ page }) => page.markdown(),
  },
];
