import type { Outcome } from '../../contracts/outcome.ts';
import type { ListedPage, PageQuery } from '../../contracts/page-listing.ts';
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
    ...{ url, host, outcome: outcome.kind, detail: detailOf(outcome), status, mediaType, bytes, depth },
    ...{ visitedAt: dateOf(visitedAt), nextVisit: dateOf(nextVisit), title },
  } as Row;
}

function dateOf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

/** What an outcome is about: the other URL, the rule, the code. */
function detailOf(outcome: Outcome): string | undefined {
  switch (outcome.kind) {
    case 'duplicate':
      return outcome.of;
    case 'redirected':
      return outcome.to;
    case 'refused':
      return `${outcome.by}: ${outcome.rule}`;
    case 'failed':
      return outcome.code;
    case 'gone':
      return outcome.soft;
    default:
      return undefined;
  }
}

function textLine({ url, outcome, status, title }: ListedPage): string {
  const detail = detailOf(outcome);
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

/** RFC 4180. A spreadsheet would run what begins like a formula, and titles are words of strangers: an apostrophe makes it text. */
function csvCell(value: string | number | undefined): string {
  if (value === undefined || typeof value === 'number') return String(value ?? '');
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
