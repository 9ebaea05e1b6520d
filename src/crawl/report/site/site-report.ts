import { OrbweaverError } from '../../../base/errors.ts';
import type { TableFilter, TableReader, TableRow } from '../../../contracts/site-report.ts';
import type { InLink, LinkReader } from '../../../contracts/state/link-store.ts';
import { openTable } from '../../../engines/open-table.ts';
import type { ReportAbout } from './build-report.ts';
import { LAST_REDIRECT, REPORT_COLUMNS, reportColumn, TABLE_COLUMNS } from './report-columns.ts';
import { REPORT_VIEWS, type ReportView, reportView } from './report-views.ts';

/** What is asked of a report, by the names of its columns. */
export interface ReportQuery {
  readonly view: ReportView;
  readonly filters: readonly TableFilter[];
  readonly sort: { readonly column: string; readonly descending?: boolean };
  readonly columns: readonly string[];
}

export interface ReportPage {
  readonly rows: readonly { readonly key: string; readonly values: TableRow }[];
  /** Rows of the view that meet the filters, and those of them before the first that is shown. */
  readonly total: number;
  readonly skipped: number;
}

/** A link to a URL, on another page. */
export interface ReportLink {
  readonly from: string;
  readonly text: string;
  readonly nofollow: boolean;
}

/** Of a row for each link, before those of the URL that it leads to. */
export const LINK_COLUMNS = ['linkedFrom', 'linkText', 'nofollow'] as const;

const READ_AT_A_TIME = 500;

/** The report of a crawl as it was made last. What is open stays as it is while another is made. */
export class SiteReport implements Disposable {
  readonly #table: TableReader;
  readonly #links: LinkReader | undefined;
  readonly #rowsOf: ReadonlyMap<string, number>;

  /** Undefined where none was made, or one of another form. `links`: closed with it. */
  static open(path: string, links?: () => LinkReader | undefined): SiteReport | undefined {
    const table = openTable(path);
    if (table === undefined) return undefined;
    const isCurrent =
      JSON.stringify(table.columns) === JSON.stringify(TABLE_COLUMNS) &&
      REPORT_VIEWS.every(({ name }) => name in table.flags);
    if (isCurrent) return new SiteReport(table, links?.());
    table[Symbol.dispose]();
    return undefined;
  }

  private constructor(table: TableReader, links: LinkReader | undefined) {
    this.#table = table;
    this.#links = links;
    this.#rowsOf = new Map(Object.entries(table.flags));
  }

  get about(): ReportAbout {
    return this.#table.about as ReportAbout;
  }

  /** URLs of a view, before any filter. */
  count(view: ReportView): number {
    return this.#rowsOf.get(view.name) ?? 0;
  }

  async page(
    query: ReportQuery,
    at: { readonly after?: string; readonly before?: string; readonly limit: number },
  ): Promise<ReportPage> {
    const { rows, total, skipped } = await this.#table.find({ ...tableQuery(query), ...at });
    const values = this.#read(
      rows.map(({ row }) => row),
      query.columns,
    );
    return { rows: rows.map(({ key }, number) => ({ key, values: values[number] })), total, skipped };
  }

  /** All rows of a query, some at a time; memory does not depend on how many there are. */
  async *rows(query: ReportQuery): AsyncGenerator<TableRow> {
    let waiting: number[] = [];
    for await (const row of this.#table.scan(tableQuery(query))) {
      waiting.push(row);
      if (waiting.length < READ_AT_A_TIME) continue;
      yield* this.#read(waiting, query.columns);
      waiting = [];
    }
    yield* this.#read(waiting, query.columns);
  }

  /** The same with a row for each link to these URLs, after the page that holds it and the text. */
  async *linkRows(query: ReportQuery): AsyncGenerator<TableRow> {
    const columns = query.columns.includes('url') ? query.columns : ['url', ...query.columns];
    for await (const row of this.rows({ ...query, columns })) {
      const values = Object.fromEntries(query.columns.map((name) => [name, row[name]]));
      for await (const { from, text, nofollow } of this.linksTo(String(row.url)))
        yield { linkedFrom: from, linkText: text, nofollow: nofollow ? 'nofollow' : undefined, ...values };
    }
  }

  /** Pages that link to a URL, oldest first; none where links were not gathered. */
  async *linksTo(url: string, limit = Number.POSITIVE_INFINITY): AsyncGenerator<ReportLink> {
    if (this.#links === undefined) return;
    let told = 0;
    for await (const { from, text, nofollow } of this.#links.inLinks(url) as AsyncIterable<InLink>) {
      // A page that names itself holds no link to be mended elsewhere.
      if (from === url) continue;
      if (told++ >= limit) return;
      yield { from, text, nofollow };
    }
  }

  [Symbol.dispose](): void {
    this.#links?.[Symbol.dispose]();
    this.#table[Symbol.dispose]();
  }

  #read(rows: readonly number[], columns: readonly string[]): TableRow[] {
    const hasFinal = columns.includes('finalUrl');
    const stored = columns.filter((name) => name !== 'finalUrl');
    const read = this.#table.read(rows, hasFinal ? [...stored, LAST_REDIRECT] : stored);
    return hasFinal ? read.map((values) => this.#withFinal(values, columns)) : read;
  }

  #withFinal({ [LAST_REDIRECT]: last, ...values }: TableRow, columns: readonly string[]): TableRow {
    const finalUrl = typeof last === 'number' ? this.#table.read([last], ['redirectsTo'])[0].redirectsTo : undefined;
    return Object.fromEntries(columns.map((name) => [name, name === 'finalUrl' ? finalUrl : values[name]]));
  }
}

function tableQuery({ view, filters, sort }: ReportQuery) {
  return { flag: view.name, filters, sort };
}

/** The view of a name; the columns and the sort of the view where none are chosen. Throws `USAGE` for what there is not. */
export function readQuery(asked: {
  readonly view: string;
  readonly filters: readonly TableFilter[];
  /** A column; with a minus before it, from the greatest down. */
  readonly sort?: string;
  readonly columns?: readonly string[];
}): ReportQuery {
  const view = reportView(asked.view);
  if (view === undefined)
    throw new OrbweaverError('USAGE', `There is no view ${JSON.stringify(asked.view)}.`, {
      remedy: `The views are: ${REPORT_VIEWS.map(({ name }) => name).join(', ')}.`,
    });
  const columns = asked.columns === undefined || asked.columns.length === 0 ? view.columns : asked.columns;
  for (const name of columns) if (reportColumn(name) === undefined) throw noColumn(name);
  return { view, filters: asked.filters, sort: sortOf(asked.sort, view), columns: [...new Set(columns)] };
}

function sortOf(text: string | undefined, view: ReportView): ReportQuery['sort'] {
  if (text === undefined || text === '') return view.sort;
  const descending = text.startsWith('-');
  const name = descending ? text.slice(1) : text;
  const column = reportColumn(name);
  if (column === undefined) throw noColumn(name);
  if (column.derived === true)
    throw new OrbweaverError('USAGE', `The report cannot be sorted by ${name}: it is made from other rows.`, {
      remedy: 'Sort by redirects, redirectEnd or finalStatus.',
    });
  return { column: name, descending };
}

function noColumn(name: string): OrbweaverError {
  return new OrbweaverError('USAGE', `There is no column ${JSON.stringify(name)}.`, {
    remedy: `The columns are: ${REPORT_COLUMNS.map((column) => column.name).join(', ')}.`,
  });
}
