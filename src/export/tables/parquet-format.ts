import type { StreamFormat } from '../../contracts/export.ts';
import { chosenTable, TABLE_FORMAT, unreadTexts } from './export-tables.ts';
import { ParquetFile, type ParquetState } from './parquet-file.ts';
import type { CellValue } from './table-column.ts';

/** A row group has at most so many rows, and about so many characters: it is in memory until it is written. */
const GROUP_ROWS = 20_000;
const GROUP_CHARACTERS = 16 << 20;
const TOLD_EVERY = 100;

/** A table with typed columns in row groups, compressed with Snappy. */
export const parquetFormat: StreamFormat = {
  ...{ ...TABLE_FORMAT, target: 'stream', isCompressible: false },
  async write(source, output, { options, from, progress, notice }) {
    const table = chosenTable(options);
    const about = { 'orbweaver.table': table.name, 'orbweaver.crawl': source.about.name };
    const file = new ParquetFile(table.columns, output, about, from?.state as ParquetState | undefined);
    let rows = from?.rows ?? 0;
    let group: (readonly CellValue[])[] = [];
    let characters = 0;
    for await (const { cursor, values } of table.rows(source, from)) {
      group.push(values);
      for (const value of values) characters += lengthOf(value);
      rows++;
      if (rows % TOLD_EVERY === 0) progress(rows);
      if (cursor === undefined || (group.length < GROUP_ROWS && characters < GROUP_CHARACTERS)) continue;
      await file.writeGroup(group);
      group = [];
      characters = 0;
      await output.checkpoint({ cursor, rows, state: file.state });
    }
    await file.writeGroup(group);
    await file.finish();
    const said = unreadTexts(table);
    if (said !== undefined) notice(said);
    progress(rows);
    return { rows };
  },
};

function lengthOf(value: CellValue): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' ? value.reduce((sum, text) => sum + text.length, 0) : 8;
}
