import type { Clock } from '../../../src/base/clock.ts';
import type { Versioned } from '../../../src/contracts/state/notes.ts';
import type { PartitionLease } from '../../../src/contracts/state/partitions.ts';
import { emptyPartition, type PartitionRows } from './rows.ts';

interface Owner {
  readonly node: string;
  /** By the clock of the store. */
  readonly until: number;
}

interface StoredPartition {
  rows: PartitionRows;
  epoch: number;
  owner: Owner | undefined;
  /** Who had it before, where that one did not give it back: its requests may still be under way. */
  former: string | undefined;
  /** How long ago the lease of the owner before ran out when it was taken; 0 where it was given back. */
  lapsedMs: number;
}

/** The process of a node ends here, at a step of the store. */
export class Crash extends Error {}

/** What a database would be: partitions with owners, a clock of its own, transactions that are all or nothing. */
export class ModelStore {
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly partitions: StoredPartition[];
  readonly notes = new Map<string, Versioned<unknown>>();
  /** Called at every step: before a transaction is committed and after. Throws where the caller is to die there. */
  atStep: (step: 'before commit' | 'after commit') => void = () => {};

  constructor(clock: Clock, count: number, leaseMs: number) {
    this.clock = clock;
    this.leaseMs = leaseMs;
    this.partitions = Array.from({ length: count }, () => ({
      rows: emptyPartition(),
      epoch: 0,
      owner: undefined,
      former: undefined,
      lapsedMs: 0,
    }));
  }

  /** Whether the lease is the one by which the partition is owned. It is, too, when it has run out and nobody came. */
  isOwner({ partition, epoch }: PartitionLease): boolean {
    const stored = this.partitions[partition];
    return stored.owner !== undefined && stored.epoch === epoch;
  }

  read(lease: PartitionLease): PartitionRows {
    return this.partitions[lease.partition].rows;
  }

  /** Changes one partition, wholly or not at all; undefined where the lease is not that of its owner. */
  transact<T>(lease: PartitionLease, change: (rows: PartitionRows) => T): { readonly result: T } | undefined {
    if (!this.isOwner(lease)) return undefined;
    const stored = this.partitions[lease.partition];
    const rows = structuredClone(stored.rows);
    const result = change(rows);
    this.atStep('before commit');
    stored.rows = rows;
    this.atStep('after commit');
    return { result };
  }
}
