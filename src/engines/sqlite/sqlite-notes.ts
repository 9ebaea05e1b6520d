import type { DatabaseSync } from 'node:sqlite';
import type { Versioned, VersionedNotes } from '../../contracts/state/notes.ts';
import { storageError } from '../storage-error.ts';
import { readValue } from './rows/read-value.ts';
import { writeValue } from './rows/write-value.ts';

/** Versioned values, beside the others of the folder. One process writes, and nothing comes between a read and its write. */
export class SqliteNotes implements VersionedNotes {
  readonly #db: DatabaseSync;
  readonly #folder: string;

  constructor(db: DatabaseSync, folder: string) {
    this.#db = db;
    this.#folder = folder;
  }

  async read<T>(scope: string, name: string): Promise<Versioned<T> | undefined> {
    return readValue(this.#db, keyOf(scope, name));
  }

  async write(scope: string, name: string, value: unknown, version: number): Promise<boolean> {
    try {
      const key = keyOf(scope, name);
      const before = readValue<Versioned<unknown>>(this.#db, key)?.version ?? 0;
      if (before !== version) return false;
      writeValue(this.#db, key, { value, version: version + 1 } satisfies Versioned<unknown>);
      return true;
    } catch (error) {
      throw storageError(error, this.#folder);
    }
  }
}

/** No name of the crawl's own values looks so; of two parts none can be taken for another pair. */
function keyOf(scope: string, name: string): string {
  return `note ${JSON.stringify([scope, name])}`;
}
