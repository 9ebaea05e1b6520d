/**
 * Values of a partition, each under a name: the record of the last run, what was learnt. Their owner alone reads and writes them, so
 * an engine may answer from memory. Writes are durable in their order, with the next transaction at the latest.
 */
export interface Notes {
  read<T>(name: string): T | undefined;
  write(name: string, value: unknown): void;
}

export interface Versioned<T> {
  readonly value: T;
  /** Raised by one with every write, from 1. */
  readonly version: number;
}

/** Values that belong to the crawl as a whole and that any owner may write: who writes must have seen what it replaces. */
export interface VersionedNotes {
  read<T>(scope: string, name: string): Promise<Versioned<T> | undefined>;
  /** `version`: of the value that is replaced, 0 where there must be none. False where it is another: nothing was changed. */
  write(scope: string, name: string, value: unknown, version: number): Promise<boolean>;
}
