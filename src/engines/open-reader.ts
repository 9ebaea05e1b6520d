import type { StateReader } from '../contracts/state/state-reader.ts';
import { SqliteStateReader } from './sqlite/sqlite-state-reader.ts';
import { openStateForReading } from './sqlite/state-database.ts';

/** Opens the state of a crawl folder for reading, also beside a running crawl. The folder must hold a crawl. */
export function openStateReader(folder: string): StateReader {
  return new SqliteStateReader(openStateForReading(folder));
}
