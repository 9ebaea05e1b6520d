import type { ReportValue, TableRow } from '../../../contracts/site-report.ts';
import { csvCell } from '../csv-cell.ts';
import { reportColumn } from './report-columns.ts';

export type ReportFormat = 'csv' | 'jsonl';

const ROWS_AT_A_TIME = 200;

/** Rows as a file: CSV with the names of the columns in the first line, or an object per line. Some lines at a time. */
export async function* reportLines(
  format: ReportFormat,
  columns: readonly string[],
  rows: AsyncIterable<TableRow>,
): AsyncGenerator<string> {
  const line = format === 'csv' ? csvLine : jsonLine;
  let lines = format === 'csv' ? `${columns.join(',')}\r\n` : '';
  let waiting = 0;
  for await (const row of rows) {
    lines += line(row, columns);
    if (++waiting < ROWS_AT_A_TIME) continue;
    yield lines;
    [lines, waiting] = ['', 0];
  }
  if (lines !== '') yield lines;
}

/** A value as programs read it: times in ISO 8601, the rest as it is. */
export function writtenValue(column: string, value: ReportValue | undefined): ReportValue | undefined {
  if (typeof value !== 'number' || reportColumn(column)?.kind !== 'time') return value;
  return Math.abs(value) <= 8.64e15 ? new Date(value).toISOString() : undefined;
}

function csvLine(row: TableRow, columns: readonly string[]): string {
  return `${columns.map((name) => csvCell(writtenValue(name, row[name]))).join(',')}\r\n`;
}

function jsonLine(row: TableRow, columns: readonly string[]): string {
  return `${JSON.stringify(writtenRow(row, columns))}\n`;
}

/** What is missing is left out. */
export function writtenRow(row: TableRow, columns: readonly string[]): Record<string, ReportValue | undefined> {
  return Object.fromEntries(columns.map((name) => [name, writtenValue(name, row[name])]));
}
