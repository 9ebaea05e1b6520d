import type { HostKey } from '../url.ts';

/** The right to write to one partition: its holder owns all hosts of it, and need not agree with anybody. */
export interface PartitionLease {
  readonly partition: number;
  /** Raised with every change of owner. What an owner of an earlier epoch writes is refused: it is fenced. */
  readonly epoch: number;
  /**
   * By the clock of the owner, reckoned from before the lease was asked for: no request begins after it. The engine judges the
   * end of a lease by its own clock, so two clocks that disagree cost time and never a second owner. Infinity where nobody
   * else can take the partition.
   */
  readonly deadline: number;
}

/**
 * Who owns which part of a crawl. Hosts are spread over a number of partitions that is fixed for the life of the crawl, and a
 * transaction touches one partition alone, so that a store can be spread over machines by it. The embedded engine has one.
 */
export interface Partitions {
  readonly count: number;
  /** The partition of a host: by the coarsest group that politeness is kept by, so that a group has one owner. */
  partitionOf(host: HostKey): number;
  /**
   * Takes at most `max` partitions that nobody owns, or whose owner has let its lease run out: that one is fenced first. `among`:
   * of these alone.
   */
  acquire(max: number, among?: readonly number[]): Promise<PartitionLease[]>;
  /** Nothing was ever written to it: it need not be opened before there is something to write. */
  isUntouched?(lease: PartitionLease): boolean;
  /** The leases that are still held, with later deadlines. One that is missing is lost: its owner stops at once. */
  renew(held: readonly PartitionLease[]): Promise<PartitionLease[]>;
  /** Gives partitions back before their time. Hosts that may be under way still rest with the next owner. */
  release(held: readonly PartitionLease[]): Promise<void>;
}
