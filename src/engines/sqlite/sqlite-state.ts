import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { CrawlState } from '../../contracts/state/crawl-state.ts';
import type { Exchange } from '../../contracts/state/exchange.ts';
import type { FrontierOptions } from '../../contracts/state/frontier-options.ts';
import type { PartitionLease } from '../../contracts/state/partitions.ts';
import { lockFolder } from '../folder-lock.ts';
import { storageError } from '../storage-error.ts';
import { SOLE_OWNER } from './ownership.ts';
import { readValue } from './rows/read-value.ts';
import { SqliteNotes } from './sqlite-notes.ts';
import { SqlitePartition } from './sqlite-partition.ts';
import { SqlitePartitions } from './sqlite-partitions.ts';
import { type OpenStateOptions, openState } from './state-database.ts';

/** Is asked with what the folder holds: an earlier run may have left much to be moved, or an unfinished round. */
export type AdaptOptions = (read: <T>(name: string) => T | undefined) => Pick<FrontierOptions, 'movable' | 'revisits'>;

/** With one partition there is nobody to write to. */
const NO_EXCHANGE: Exchange = {
  receive: async () => [],
  ack: async () => {},
  pending: async () => 0,
};

/** The state of a crawl folder: one partition, which belongs to the process that holds the lock of the folder. */
export class SqliteState implements CrawlState {
  readonly partitions: SqlitePartitions;
  readonly exchange = NO_EXCHANGE;
  readonly notes: SqliteNotes;
  readonly #db: DatabaseSync;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #options: FrontierOptions;
  readonly #adapt: AdaptOptions | undefined;
  readonly #lock: Disposable;

  constructor(
    folder: string,
    clock: Clock,
    random: () => number,
    options: FrontierOptions & OpenStateOptions,
    adapt?: AdaptOptions,
  ) {
    this.#folder = folder;
    this.#clock = clock;
    this.#random = random;
    this.#options = options;
    this.#adapt = adapt;
    this.#db = openState(folder, options);
    try {
      this.#lock = lockFolder(folder);
    } catch (error) {
      this.#db.close();
      throw error;
    }
    this.partitions = new SqlitePartitions(this.#db, folder);
    this.notes = new SqliteNotes(this.#db, folder);
  }

  async open(lease: PartitionLease): Promise<SqlitePartition> {
    if (!this.partitions.holds(lease))
      throw new OrbweaverError('PARTITION_LOST', `Partition ${lease.partition} has another owner by now.`);
    try {
      return new SqlitePartition(lease, {
        ...{ db: this.#db, folder: this.#folder, clock: this.#clock, random: this.#random },
        options: { ...this.#options, ...this.#adapt?.((name) => readValue(this.#db, name)) },
        ownership: { ...SOLE_OWNER, isOwned: () => this.partitions.holds(lease) },
      });
    } catch (error) {
      throw storageError(error, this.#folder);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#db.close();
    this.#lock[Symbol.dispose]();
  }
}
