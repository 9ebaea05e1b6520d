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
