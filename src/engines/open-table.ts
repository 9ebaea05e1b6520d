import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ColumnSpec, TableReader, TableWriter } from '../contracts/site-report.ts';
import { FileTableReader } from './table/file-table-reader.ts';
import { FileTableWriter } from './table/file-table-writer.ts';
import { openTableFile } from './table/table-file.ts';

/** Makes a table, which takes the place of the one in this file at its end. Refused (`FOLDER_IN_USE`) while another is being made there. */
export function createTable(path: string, columns: readonly ColumnSpec[], flags: readonly string[]): TableWriter {
  return new FileTableWriter(path, columns, flags);
}

/** Undefined where there is none, one of another form, or one that is damaged. */
export function openTable(path: string): TableReader | undefined {
  const opened = openTableFile(path);
  return opened === undefined ? undefined : new FileTableReader(opened);
}

/** Removes the folder of a table: it is derived, and holds words of pages. */
export function removeTable(path: string): void {
  if (existsSync(dirname(path))) rmSync(dirname(path), { recursive: true, force: true });
}
