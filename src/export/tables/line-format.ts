import type { ExportMark, StreamFormat } from '../../contracts/export.ts';
import { csvCell } from '../../crawl/report/csv-cell.ts';
import { jsonLine } from '../json-line.ts';
import { type ChosenTable, chosenTable, TABLE_FORMAT, unreadTexts } from './export-tables.ts';
import type { CellValue, ColumnType } from './table-column.ts';

type LineWriter = (columns: ChosenTable['columns'], values: readonly CellValue[]) => string;

/** CSV (RFC 4180) with the names of the columns in the first line; times in ISO 8601, lists with semicolons. */
export const csvFormat: StreamFormat = lineFormat(
  csvLine,
  (columns) => `${columns.map(({ name }) => csvCell(name)).join(',')}\r\n`,
);

/** An object on each line; what is missing is left out. */
export const jsonlFormat: StreamFormat = lineFormat(objectLine, () => '');

/** Tells of the progress this often. */
const TOLD_EVERY = 100;

function lineFormat(line: LineWriter, head: (columns: ChosenTable['columns']) => string): StreamFormat {
  return {
    ...{ ...TABLE_FORMAT, target: 'stream', isCompressible: true },
    async write(source, output, { options, from, progress, notice }) {
      const table = chosenTable(options);
      let mark: ExportMark = from ?? { cursor: '', rows: 0 };
      let { rows } = mark;
      if (from === undefined) await output.write(head(table.columns));
      for await (const { cursor, values } of table.rows(source, from)) {
        await output.write(line(table.columns, values));
        rows++;
        if (rows % TOLD_EVERY === 0) progress(rows);
        if (cursor === undefined) continue;
        mark = { cursor, rows };
        if (output.isDue) await output.checkpoint(mark);
      }
      const said = unreadTexts(table);
      if (said !== undefined) notice(said);
      progress(rows);
      return { rows };
    },
  };
}

function csvLine(columns: ChosenTable['columns'], values: readonly CellValue[]): string {
  return `${values.map((value, at) => csvCell(written(columns[at].type, value))).join(',')}\r\n`;
}

function written(type: ColumnType, value: CellValue): string | number | undefined {
  if (value === undefined) return undefined;
  if (type === 'time') return new Date(value as number).toISOString();
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? value.join('; ') : value;
}

function objectLine(columns: ChosenTable['columns'], values: readonly CellValue[]): string {
  const entries = columns.map(({ name, type }, at): readonly [string, unknown] => {
    const value = values[at];
    return [name, type === 'time' ? written(type, value) : value];
  });
  return jsonLine(Object.fromEntries(entries));
}
