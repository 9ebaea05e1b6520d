import type { DatabaseSync } from 'node:sqlite';
import type { PartitionLease, Partitions } from '../../contracts/state/partitions.ts';
import { storageError } from '../storage-error.ts';
import { readValue } from './rows/read-value.ts';
import { writeValue } from './rows/write-value.ts';

const EPOCH = 'epoch';

/** The one partition of a folder. The lock of the folder keeps other processes out, so its lease never runs out. */
export class SqlitePartitions implements Partitions {
  readonly count = 1;
  readonly #db: DatabaseSync;
  readonly #folder: string;
  #held: PartitionLease | undefined;

  constructor(db: DatabaseSync, folder: string) {
    this.#db = db;
    this.#folder = folder;
  }

  partitionOf(): number {
    return 0;
  }

  holds({ partition, epoch }: PartitionLease): boolean {
    return partition === 0 && epoch === this.#held?.epoch;
  }

  async acquire(max: number, among?: readonly number[]): Promise<PartitionLease[]> {
    if (max < 1 || among?.includes(0) === false || this.#held !== undefined) return [];
    try {
      const epoch = (readValue<number>(this.#db, EPOCH) ?? 0) + 1;
      writeValue(this.#db, EPOCH, epoch);
      this.#held = { partition: 0, epoch, deadline: Number.POSITIVE_INFINITY };
      return [this.#held];
    } catch (error) {
      throw storageError(error, this.#folder);
    }
  }

  async renew(held: readonly PartitionLease[]): Promise<PartitionLease[]> {
    return held.filter((lease) => this.holds(lease));
  }

  async release(held: readonly PartitionLease[]): Promise<void> {
    if (held.some((lease) => this.holds(lease))) this.#held = undefined;
  }
}
