import type { DatabaseSync } from 'node:sqlite';
import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { ForgottenPages } from '../../contracts/forgotten.ts';
import type { ForgetPreview, ForgettingState, ForgottenRows, PagesToForget } from '../../contracts/state/forget.ts';
import type { SettledBytes } from '../../contracts/state/state-reader.ts';
import { setArchiveFile } from '../sqlite/rows/archive-file-rows.ts';
import { StateView } from '../sqlite/state-view.ts';
import { storageError } from '../storage-error.ts';
import { forgetLearnt } from './forget-learnt.ts';
import { forgetRows, othersToForget, pagesToForget } from './forget-rows.ts';

const FORGOTTEN = 'forgotten';

export class SqliteForgetPreview extends StateView implements ForgetPreview {
  pagesToForget(matches: (url: string) => boolean): Generator<string> {
    return pagesToForget(this.db, matches);
  }

  othersToForget(matches: (url: string) => boolean): number {
    return othersToForget(this.db, matches);
  }
}

export class SqliteForgetting extends StateView implements ForgettingState {
  readonly #folder: string;

  constructor(db: DatabaseSync, folder: string) {
    super(db);
    this.#folder = folder;
  }

  write(name: string, value: unknown): void {
    this.db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, JSON.stringify(value));
  }

  forget(pages: PagesToForget, forgotten: ForgottenPages): ForgottenRows | undefined {
    return this.#guard(() => {
      this.db.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
      const rows = forgetRows(this.db, pages);
      if (rows.pages + rows.others === 0 && !pages.hasRecords) {
        this.db.exec('ROLLBACK');
        return undefined;
      }
      forgetLearnt(this.db, pages.matches);
      this.write(FORGOTTEN, forgotten);
      this.db.exec('COMMIT');
      return rows;
    });
  }

  complete(files: ReadonlyMap<string, SettledBytes | undefined>, forgotten: ForgottenPages): void {
    this.#guard(() => {
      this.#emptyFreePages();
      this.db.exec('BEGIN IMMEDIATE');
      for (const [name, settled] of files) setArchiveFile(this.db, name, settled);
      this.write(FORGOTTEN, forgotten);
      this.db.exec('COMMIT');
    });
  }

  /** Deleted rows lie about in free pages of the database and in its log, until both are written again. */
  #emptyFreePages(): void {
    this.db.exec('PRAGMA busy_timeout = 10000; VACUUM');
    const { busy } = this.db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number };
    if (busy === 0) return;
    throw new OrbweaverError(
      'FOLDER_IN_USE',
      `Another process is reading ${this.#folder}: the log of the state cannot be emptied.`,
      {
        remedy: `Wait for it to end, or stop it, and complete the deletion with: orbweaver forget --dir ${shellWord(this.#folder)}`,
      },
    );
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw storageError(error, this.#folder);
    }
  }
}
