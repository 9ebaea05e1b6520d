import type { DatabaseSync } from 'node:sqlite';
import type { PageCopy, StateInspection } from '../../contracts/state/repair.ts';
import type { SettledBytes } from '../../contracts/state/state-reader.ts';
import { readArchiveFiles } from '../sqlite/rows/archive-file-rows.ts';
import { readValue } from '../sqlite/rows/read-value.ts';
import { pageCopies } from './page-copies.ts';

export class SqliteStateInspection implements StateInspection {
  readonly #db: DatabaseSync;

  /** Closes the database in the end. */
  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  read<T>(name: string): T | undefined {
    return readValue(this.#db, name);
  }

  archiveFiles(): Map<string, SettledBytes> {
    return readArchiveFiles(this.#db);
  }

  copies(): Generator<PageCopy> {
    return pageCopies(this.#db);
  }

  pageCount(): number {
    return (this.#db.prepare('SELECT count(*) AS pages FROM page').get() as { pages: number }).pages;
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}
