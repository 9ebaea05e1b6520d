import type { DatabaseSync } from 'node:sqlite';
import type { SettledBytes } from '../../contracts/state/state-reader.ts';
import { readArchiveFiles } from './rows/archive-file-rows.ts';
import { readValue } from './rows/read-value.ts';

/** What everybody who opens a state can read of it. Closes the database in the end. */
export class StateView {
  protected readonly db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.db = db;
  }

  /** A value that belongs to the crawl as a whole. */
  read<T>(name: string): T | undefined {
    return readValue(this.db, name);
  }

  /** How much of each archive file belongs to settled pages. */
  archiveFiles(): Map<string, SettledBytes> {
    return readArchiveFiles(this.db);
  }

  [Symbol.dispose](): void {
    this.db.close();
  }
}
