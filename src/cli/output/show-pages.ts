import type { ListedPage, PageQuery } from '../../contracts/state/page-listing.ts';
import { csvCell } from '../../crawl/report/csv-cell.ts';
import { outcomeDetail } from '../../crawl/report/outcome-detail.ts';
import { type AskedCrawl, openAskedCrawl } from '../arguments/asked-crawl.ts';
import { terminalText } from './terminal-text.ts';
import { writeLines } from './write-lines.ts';

export type PagesFormat = 'text' | 'json' | 'csv';

export async function printPages(crawl: AskedCrawl, query: PageQuery, format: PagesFormat): Promise<void> {
  using reader = await openAskedCrawl(crawl, 'pages');
  let count = 0;
  const write = { text: textLine, json: jsonLine, csv: csvLine }[format];
  const lines = Iterator.from(reader.pages(query)).map((page) => {
    count++;
    return write(page);
  });
  if (format === 'csv') await writeLines([COLUMNS.join(',')]);
  await writeLines(lines);
  if (count === 0) process.stderr.write('No visited URL matches.\n');
}

const COLUMNS = [
  ...(['url', 'host', 'outcome', 'detail', 'status', 'mediaType', 'bytes', 'depth'] as const),
  ...(['visitedAt', 'nextVisit', 'title'] as const),
];

type Row = Readonly<Partial<Record<(typeof COLUMNS)[number], string | number>>>;

function rowOf(page: ListedPage): Row {
  const { url, host, outcome, status, mediaType, bytes, depth, visitedAt, nextVisit, title } = page;
  return {
    ...{ url, host, outcome: outcome.kind, detail: outcomeDetail(outcome), status, mediaType, bytes, depth },
    ...{ visitedAt: dateOf(visitedAt), nextVisit: dateOf(nextVisit), title },
  } as Row;
}

function dateOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

function textLine({ url, outcome, status, title }: ListedPage): string {
  const detail = outcomeDetail(outcome);
  const name = title === undefined || title.trim() === '' ? '' : `  "${title.trim()}"`;
  const about = detail === undefined ? name : `  (${detail})`;
  return terminalText(`${String(status ?? '-').padStart(3)}  ${outcome.kind.padEnd(10)}  ${url}${about}`);
}

function jsonLine(page: ListedPage): string {
  return JSON.stringify(rowOf(page));
}

function csvLine(page: ListedPage): string {
  const row = rowOf(page);
  return COLUMNS.map((column) => csvCell(row[column])).join(',');
}
