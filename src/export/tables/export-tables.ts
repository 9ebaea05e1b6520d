import { OrbweaverError } from '../../base/errors.ts';
import type { ExportFormat, ExportOptions, ExportSource, StreamFrom } from '../../contracts/export.ts';
import { LINK_COLUMNS } from './link-columns.ts';
import { PAGE_COLUMNS, pageRow } from './page-columns.ts';
import { columnsOfSet, ROW_COLUMNS } from './row-columns.ts';
import { type CellValue, soundValue, type TableColumn } from './table-column.ts';
import { DECISION_COLUMNS, URL_COLUMNS, urlRow } from './url-columns.ts';
import { CELL_COLUMNS, cellsOf, VERSION_COLUMNS, type VersionCell } from './version-columns.ts';

/** A row, with the place behind which another run can go on; absent where none can. */
interface PlacedRow<Row> {
  readonly cursor: string | undefined;
  readonly row: Row;
}

export interface ExportTable<Row = never> {
  readonly name: string;
  readonly meaning: string;
  readonly columns: readonly TableColumn<Row>[];
  /** The rows are about URLs, not about copies: filters that ask of a copy make no sense. */
  readonly isOfUrls?: true;
  rows(source: ExportSource, from?: StreamFrom): AsyncIterable<PlacedRow<Row>>;
}

export interface TableValues extends Pick<PlacedRow<never>, 'cursor'> {
  /** In the order of the columns. */
  readonly values: readonly CellValue[];
}

/** A chosen table with chosen columns. */
export interface ChosenTable {
  readonly name: string;
  readonly columns: readonly Omit<TableColumn<never>, 'value'>[];
  rows(source: ExportSource, from?: StreamFrom): AsyncGenerator<TableValues>;
  /** Texts of the rows so far whose copies cannot be read. */
  readonly unread: () => number;
}

/** What to say of texts that are missing; undefined where none is. */
export function unreadTexts({ unread }: Pick<ChosenTable, 'unread'>): string | undefined {
  const count = unread();
  if (count === 0) return undefined;
  return `${count} ${count === 1 ? 'text is' : 'texts are'} missing: the copies could not be read. To see what is wrong: orbweaver check`;
}

export const EXPORT_TABLES = [
  table({
    ...{ name: 'pages', meaning: 'pages whose copy is held', columns: PAGE_COLUMNS },
    rows: (source, from) => placed(source.pages(from), pageRow),
  }),
  table({
    ...{ name: 'urls', meaning: 'all known URLs, visited or not', columns: URL_COLUMNS, isOfUrls: true },
    rows: (source, from) => placed(source.urls(from), urlRow),
  }),
  table({
    ...{ name: 'links', meaning: 'links on the pages', columns: LINK_COLUMNS },
    rows: (source, from) => placed(source.links(from), (link) => link),
  }),
  table({
    ...{
      name: 'decisions',
      meaning: 'what was decided about each URL, by which rule',
      columns: DECISION_COLUMNS,
      isOfUrls: true,
    },
    rows: (source, from) => placed(source.decisions(from), urlRow),
  }),
  table({
    ...{ name: 'versions', meaning: 'every copy of every page, oldest first', columns: VERSION_COLUMNS },
    rows: (source, from) => placed(source.versions(from), (version) => version),
  }),
  table({
    ...{
      name: 'cells',
      meaning: 'the same as single values: row, family, column, timestamp, value',
      columns: CELL_COLUMNS,
    },
    rows: cells,
  }),
  table({
    ...{ name: 'rows', meaning: 'what extraction rules have read from pages', columns: ROW_COLUMNS, isOfUrls: true },
    rows: (source, from) => placed(source.rows(from), (row) => row),
  }),
] as const;

const DEFAULT_TABLE = 'pages';
const WHY_UNFIT = 'this table is not about the copies of pages.';

/** What all formats of tables share. */
export const TABLE_FORMAT = {
  options: ['table', 'columns', 'set'],
  check: (options: ExportOptions): void => void chosenTable(options),
  unfit: ({ table: name }: ExportOptions) => {
    const isOfUrls = EXPORT_TABLES.find((known) => known.name === (name ?? DEFAULT_TABLE))?.isOfUrls === true;
    return isOfUrls ? { languages: WHY_UNFIT, mediaTypes: WHY_UNFIT, query: WHY_UNFIT, usage: WHY_UNFIT } : {};
  },
} as const satisfies Pick<ExportFormat, 'options' | 'check' | 'unfit'>;

/** The table and the columns that were asked for; those that cost nothing where none were. */
export function chosenTable({ table: name = DEFAULT_TABLE, columns: names, set }: ExportOptions): ChosenTable {
  const found = EXPORT_TABLES.find((known) => known.name === name);
  if (found === undefined)
    throw new OrbweaverError('USAGE', `There is no table ${JSON.stringify(name)}.`, {
      remedy: `The tables are: ${EXPORT_TABLES.map((known) => known.name).join(', ')}.`,
    });
  if (set === undefined) return found.choose(names);
  if (name !== 'rows')
    throw new OrbweaverError('USAGE', `--set is about rows of extraction rules, not about ${name}.`, {
      remedy: 'Add --table rows.',
    });
  return rowsOfSet(set).choose(names);
}

function rowsOfSet(set: NonNullable<ExportOptions['set']>): AnyTable {
  return table({
    ...{ name: 'rows', meaning: `rows of the set ${set.name}`, columns: columnsOfSet(set), isOfUrls: true },
    rows: (source, from) => placed(source.rows(from, set.name), (row) => row),
  });
}

interface AnyTable extends Pick<ExportTable, 'name' | 'meaning' | 'isOfUrls'> {
  readonly columns: readonly Omit<TableColumn<never>, 'value'>[];
  choose(names: readonly string[] | undefined): ChosenTable;
}

function table<Row>(of: ExportTable<Row>): AnyTable {
  return { ...of, choose: (names) => chosen(of, names) };
}

function chosen<Row>(of: ExportTable<Row>, names: readonly string[] | undefined): ChosenTable {
  const columns = names === undefined ? of.columns.filter(({ onRequest }) => onRequest !== true) : named(of, names);
  let unread = 0;
  return {
    ...{ name: of.name, columns, unread: () => unread },
    async *rows(source, from) {
      for await (const { cursor, row } of of.rows(source, from)) {
        const values: CellValue[] = [];
        for (const { value, type, onRequest } of columns) {
          const cell = value(row);
          const read = onRequest === true ? await cell : (cell as CellValue);
          if (onRequest === true && read === undefined) unread++;
          values.push(soundValue(type, read));
        }
        yield { cursor, values };
      }
    },
  };
}

function named<Row>({ name: table, columns }: ExportTable<Row>, names: readonly string[]): readonly TableColumn<Row>[] {
  if (names.includes('all')) return columns;
  const wanted = [...new Set(names)];
  const unknown = wanted.find((name) => !columns.some((column) => column.name === name));
  if (unknown === undefined && wanted.length > 0)
    return wanted.flatMap((name) => columns.filter((column) => column.name === name));
  throw new OrbweaverError('USAGE', `The table ${table} has no column ${JSON.stringify(unknown ?? '')}.`, {
    remedy: `Its columns are: ${columns.map(({ name }) => name).join(', ')}; "all" for all.`,
  });
}

async function* placed<Item extends { readonly cursor: string }, Row>(
  items: AsyncIterable<Item>,
  rowOf: (item: Item) => Row,
): AsyncGenerator<PlacedRow<Row>> {
  for await (const item of items) yield { cursor: item.cursor, row: rowOf(item) };
}

/** Another run goes on between two copies, not between cells of one. */
async function* cells(source: ExportSource, from?: StreamFrom): AsyncGenerator<PlacedRow<VersionCell>> {
  let left = (source.filter.limit ?? Number.POSITIVE_INFINITY) - (from?.rows ?? 0);
  for await (const version of source.versions({
    cursor: from?.cursor ?? '',
    rows: 0,
    limit: Number.POSITIVE_INFINITY,
  })) {
    const all = [...cellsOf(version)];
    for (const [at, row] of all.entries()) {
      if (left-- <= 0) return;
      yield { cursor: at === all.length - 1 ? version.cursor : undefined, row };
    }
  }
}
