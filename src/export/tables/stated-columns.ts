import type { TableRow } from '../../contracts/site-report.ts';
import { reportColumn } from '../../crawl/report/site/report-columns.ts';
import type { ColumnType, TableColumn } from './table-column.ts';

export type StatedColumn = keyof typeof TYPES;

/** Columns of the site report that follow from one URL alone, with their types. */
const TYPES = {
  url: 'text',
  host: 'text',
  status: 'int',
  outcome: 'text',
  detail: 'text',
  title: 'text',
  description: 'text',
  depth: 'int',
  outLinks: 'int',
  bytes: 'long',
  words: 'int',
  mediaType: 'text',
  language: 'text',
  fetchMs: 'int',
  published: 'time',
  modified: 'time',
  lastModified: 'time',
  foundAt: 'time',
  visitedAt: 'time',
  nextVisit: 'time',
  foundBy: 'text',
  canonical: 'text',
  directives: 'text',
  redirectsTo: 'text',
  duplicateOf: 'text',
} as const satisfies Readonly<Record<string, ColumnType>>;

/** A column of the site report as one of an export: the same name, the same value. */
export function stated<Row>(name: StatedColumn, of: (row: Row) => TableRow): TableColumn<Row> {
  return { name, type: TYPES[name], meaning: reportColumn(name)?.meaning ?? '', value: (row) => of(row)[name] };
}
