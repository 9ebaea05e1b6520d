import type { ReportAbout } from '../../crawl/report/site/build-report.ts';
import { reportColumn } from '../../crawl/report/site/report-columns.ts';
import { type ReportFormat, reportLines, writtenRow } from '../../crawl/report/site/report-lines.ts';
import { LINK_COLUMNS, type ReportQuery, type SiteReport } from '../../crawl/report/site/site-report.ts';
import { terminalText } from './terminal-text.ts';
import { writePieces } from './write-lines.ts';

export interface ShownReport {
  readonly format: 'table' | 'csv' | 'jsonl' | 'json';
  readonly query: ReportQuery;
  /** A row for each link to the URLs of the view. */
  readonly perLink: boolean;
  /** Most rows. */
  readonly limit: number;
}

type Row = Readonly<Record<string, string | number | undefined>>;

/** Beyond it a text of a table is cut: the other formats have all of it. */
const WIDEST = 60;
const WIDEST_URL = 100;
/** Rows by which the widths of a table are found. */
const MEASURED = 200;

/** Prints rows of a report. Answers how many. */
export async function showReport(report: SiteReport, shown: ShownReport): Promise<number> {
  const { format, query, perLink, limit } = shown;
  const columns = perLink ? [...LINK_COLUMNS, ...query.columns] : query.columns;
  let count = 0;
  const rows = (async function* () {
    for await (const row of perLink ? report.linkRows(query) : report.rows(query)) {
      if (count >= limit) return;
      count++;
      yield row;
    }
  })();
  const lines = {
    table: () => tableLines(columns, rows),
    json: () => jsonDocument(report.about, query, columns, rows),
    csv: () => reportLines('csv' satisfies ReportFormat, columns, rows),
    jsonl: () => reportLines('jsonl' satisfies ReportFormat, columns, rows),
  };
  await writePieces(lines[format]());
  return count;
}

/** One object, written as it is read. */
async function* jsonDocument(
  { madeAt, hasLinks }: ReportAbout,
  { view, sort }: ReportQuery,
  columns: readonly string[],
  rows: AsyncIterable<Row>,
): AsyncGenerator<string> {
  const head = { view: view.name, madeAt: new Date(madeAt).toISOString(), hasLinks, sort, columns };
  yield `${JSON.stringify(head).slice(0, -1)},"rows":[`;
  let separator = '\n';
  for await (const row of rows) {
    yield `${separator}${JSON.stringify(writtenRow(row, columns))}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** Columns of one width; numbers to the right. */
async function* tableLines(columns: readonly string[], rows: AsyncIterable<Row>): AsyncGenerator<string> {
  const first: string[][] = [];
  let widths: number[] | undefined;
  const line = (cells: readonly string[]): string =>
    `${cells
      .map((cell, at) => (isNumber(columns[at]) ? cell.padStart(widths?.[at] ?? 0) : cell.padEnd(widths?.[at] ?? 0)))
      .join('  ')
      .trimEnd()}\n`;
  const begin = (): string => {
    const heads = columns.map((name) => reportColumn(name)?.label ?? name);
    widths = heads.map((head, at) => Math.max(head.length, ...first.map((cells) => cells[at].length)));
    return [heads, ...first].map(line).join('');
  };
  for await (const row of rows) {
    const cells = columns.map((name) => cellOf(name, row[name]));
    if (widths !== undefined) yield line(cells);
    else if (first.push(cells) === MEASURED) yield begin();
  }
  if (widths === undefined && first.length > 0) yield begin();
}

function isNumber(name: string): boolean {
  return reportColumn(name)?.kind === 'number';
}

function cellOf(name: string, value: string | number | undefined): string {
  const { [name]: written } = writtenRow({ [name]: value }, [name]);
  const isTime = reportColumn(name)?.kind === 'time';
  const text = terminalText(
    isTime
      ? String(written ?? '')
          .slice(0, 16)
          .replace('T', ' ')
      : String(written ?? ''),
  );
  const most = name === 'url' || name === 'linkedFrom' ? WIDEST_URL : WIDEST;
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
