import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StateReader } from '../contracts/state/state-reader.ts';
import { SqliteStateReader } from './sqlite/sqlite-state-reader.ts';
import { openStateFile, openStateForReading } from './sqlite/state-database.ts';

/** Opens the state of a crawl folder for reading, also beside a running crawl. The folder must hold a crawl. */
export function openStateReader(folder: string): StateReader {
  return new SqliteStateReader(openStateForReading(folder));
}

/** The pages that a node of a crawl has stored, as its database had them when the index of the node was last brought up to date. */
export function pagesPath(folder: string): string {
  return join(folder, 'pages.db');
}

/** The same as `openStateReader` for those who read the pages in the archive of the folder: a node has them apart from its state. */
export function openPagesReader(folder: string): StateReader {
  const path = pagesPath(folder);
  return existsSync(path) ? new SqliteStateReader(openStateFile(path, folder)) : openStateReader(folder);
}
