import type { NodeReport } from '../../../src/contracts/state/nodes.ts';
import type { PartitionLease } from '../../../src/contracts/state/partitions.ts';
import { ModelStore } from '../model/model-store.ts';
import type { PartitionRows } from '../model/rows.ts';

export interface NodeRow {
  report: NodeReport;
  seenAt: number;
  seenUntil: number;
  isDraining: boolean;
}

/** The store of the model with what several nodes need beside: commits, and who takes part. */
export class CountedStore extends ModelStore {
  readonly commits: number[] = this.partitions.map(() => 0);
  readonly nodes = new Map<string, NodeRow>();
  /** Called at every commit. */
  onCommit: (lease: PartitionLease) => void = () => {};

  override transact<T>(lease: PartitionLease, change: (rows: PartitionRows) => T): { readonly result: T } | undefined {
    const done = super.transact(lease, change);
    if (done === undefined) return undefined;
    this.commits[lease.partition]++;
    this.onCommit(lease);
    return done;
  }
}
