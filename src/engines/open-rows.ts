import { OrbweaverError } from '../base/errors.ts';
import { shellWord } from '../base/shell-word.ts';
import type { RowReader, RowStore } from '../contracts/state/row-store.ts';
import { openRowDatabase, openRowDatabaseForReading } from './rows/row-database.ts';
import { SqliteRowReader } from './rows/sqlite-row-reader.ts';
import { SqliteRowStore } from './rows/sqlite-row-store.ts';

/** What rules read from the pages of a folder; made where there is none. */
export function openRows(folder: string, durability: 'process' | 'power' = 'process'): RowStore {
  return new SqliteRowStore(openRowDatabase(folder, durability));
}

/** The same for readers; undefined where no rule has ever been used in the folder. */
export function openRowReader(folder: string): RowReader | undefined {
  const db = openRowDatabaseForReading(folder);
  return db && new SqliteRowReader(db);
}

/** The same; throws ROWS_MISSING where no rule has ever been used. */
export function requireRows(folder: string): RowReader {
  const reader = openRowReader(folder);
  if (reader !== undefined) return reader;
  throw new OrbweaverError('ROWS_MISSING', `No extraction rule was ever used in ${folder}.`, {
    remedy: `Write rules (docs/extraction-rules.md) and read what is archived: orbweaver rows --again --extract rules.yaml --dir ${shellWord(folder)}`,
  });
}
