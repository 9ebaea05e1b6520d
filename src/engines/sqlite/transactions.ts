import type { DatabaseSync } from 'node:sqlite';
import { OrbweaverError } from '../../base/errors.ts';
import { storageError } from '../storage-error.ts';

/** Changes of the state, each all or nothing. After one that fails memory may be ahead: all further work is refused. */
export class Transactions {
  readonly #db: DatabaseSync;
  readonly #folder: string;
  readonly #finish: () => void;
  readonly #isOwned: () => boolean;
  #fault: OrbweaverError | undefined;

  /** `finish` writes what every change leaves to be written: hosts and counters. `isOwned`: whether anything may be written. */
  constructor(db: DatabaseSync, folder: string, finish: () => void, isOwned: () => boolean) {
    this.#db = db;
    this.#folder = folder;
    this.#finish = finish;
    this.#isOwned = isOwned;
  }

  /** The state has another owner by now. */
  get isFenced(): boolean {
    return !this.#isOwned();
  }

  run<T>(change: () => T): T {
    if (this.#fault !== undefined) throw this.#fault;
    if (this.isFenced)
      throw new OrbweaverError('PARTITION_LOST', `The state in ${this.#folder} was given to another owner.`);
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      const result = change();
      this.#finish();
      this.#db.exec('COMMIT');
      return result;
    } catch (cause) {
      this.#fault = storageError(cause, this.#folder);
      try {
        if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      } catch {
        // The first error tells what is wrong; a rollback that fails too adds nothing.
      }
      throw this.#fault;
    }
  }
}
