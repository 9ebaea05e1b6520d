import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { OrbweaverError } from '../../base/errors.ts';
import { storageError } from '../storage-error.ts';

export interface TransactionsParts {
  readonly db: DatabaseSync;
  readonly folder: string;
  /** Writes what every change leaves to be written: hosts and counters. */
  readonly finish: () => void;
  /** Whether anything may be written. */
  readonly isOwned: () => boolean;
  /** Changes go together until `end`: of a copy that nobody else reads, and that can be made again. */
  readonly isGathering: boolean;
}

/** Changes of the state, each all or nothing. After one that fails memory may be ahead: all further work is refused. */
export class Transactions {
  readonly #parts: TransactionsParts;
  readonly #beginning: StatementSync;
  readonly #commitment: StatementSync;
  #fault: OrbweaverError | undefined;
  #isOpen = false;

  constructor(parts: TransactionsParts) {
    this.#parts = parts;
    this.#beginning = parts.db.prepare('BEGIN IMMEDIATE');
    this.#commitment = parts.db.prepare('COMMIT');
  }

  /** The state has another owner by now. */
  get isFenced(): boolean {
    return !this.#parts.isOwned();
  }

  run<T>(change: () => T): T {
    if (this.#fault !== undefined) throw this.#fault;
    const { folder, isGathering } = this.#parts;
    if (this.isFenced) throw new OrbweaverError('PARTITION_LOST', `The state in ${folder} was given to another owner.`);
    return this.#orRefuse(() => {
      this.#begin();
      const result = change();
      if (isGathering) return result;
      this.#parts.finish();
      this.#commit();
      return result;
    });
  }

  /** Ends what was gathered, and answers what `take` makes of its rows. */
  end<T>(take: () => T): T {
    if (this.#fault !== undefined) throw this.#fault;
    return this.#orRefuse(() => {
      if (!this.#isOpen) return take();
      this.#parts.finish();
      const taken = take();
      this.#commit();
      return taken;
    });
  }

  #begin(): void {
    if (this.#isOpen) return;
    this.#beginning.run();
    this.#isOpen = true;
  }

  #commit(): void {
    this.#commitment.run();
    this.#isOpen = false;
  }

  #orRefuse<T>(work: () => T): T {
    const { db, folder } = this.#parts;
    try {
      return work();
    } catch (cause) {
      this.#fault = storageError(cause, folder);
      try {
        if (db.isTransaction) db.exec('ROLLBACK');
      } catch {
        // The first error tells what is wrong; a rollback that fails too adds nothing.
      }
      throw this.#fault;
    }
  }
}
