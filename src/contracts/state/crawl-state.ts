import type { Exchange } from './exchange.ts';
import type { Nodes } from './nodes.ts';
import type { VersionedNotes } from './notes.ts';
import type { OwnedPartition } from './owned-partition.ts';
import type { PartitionLease, Partitions } from './partitions.ts';

/**
 * The durable state of one crawl, shared by all who crawl it. A node acquires partitions, opens each, renews its leases before
 * their deadline, and takes in the messages of the others. The embedded engine is the same with one partition that is always owned.
 */
export interface CrawlState extends AsyncDisposable {
  readonly partitions: Partitions;
  readonly exchange: Exchange;
  readonly notes: VersionedNotes;
  /** Absent where nobody else can take part. */
  readonly nodes?: Nodes;
  /**
   * Loads a partition for its owner. Where the owner before may have left requests under way, every host rests for a full delay, and
   * for as long as a request may last, from the end of its lease on, where that owner may still live. Throws `PARTITION_LOST` where the lease is not held any more.
   */
  open(lease: PartitionLease): Promise<OwnedPartition>;
}
