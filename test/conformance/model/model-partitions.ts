import { fingerprint } from '../../../src/base/fingerprint.ts';
import type { PartitionLease, Partitions } from '../../../src/contracts/state/partitions.ts';
import type { HostKey } from '../../../src/contracts/url.ts';
import { registrableDomain } from '../../../src/url/public-suffix.ts';
import type { ModelNode } from './model-state.ts';
import type { ModelStore } from './model-store.ts';

/** Share of a lease that its owner leaves unused, for two clocks do not run equally fast. */
const MARGIN = 0.1;

export class ModelPartitions implements Partitions {
  readonly #store: ModelStore;
  readonly #node: ModelNode;
  /** Of the leases that this node has, by partition and epoch. */
  readonly #deadlines = new Map<string, number>();

  constructor(store: ModelStore, node: ModelNode) {
    this.#store = store;
    this.#node = node;
  }

  get count(): number {
    return this.#store.partitions.length;
  }

  partitionOf(host: HostKey): number {
    const group = this.#node.options.byDomain ? (registrableDomain(host.replace(/:\d+$/, '')) ?? host) : host;
    return Number(fingerprint(group) % BigInt(this.count));
  }

  deadlineOf({ partition, epoch }: PartitionLease): number {
    return this.#deadlines.get(`${partition} ${epoch}`) ?? Number.NEGATIVE_INFINITY;
  }

  async acquire(max: number, among?: readonly number[]): Promise<PartitionLease[]> {
    const store = this.#store;
    const { name } = this.#node;
    const leases: PartitionLease[] = [];
    for (const [partition, stored] of store.partitions.entries()) {
      if (leases.length >= max) break;
      if (among?.includes(partition) === false) continue;
      const { owner } = stored;
      if (owner !== undefined && owner.until > store.clock.now() && owner.node !== name) continue;
      if (owner?.node === name && this.deadlineOf({ partition, epoch: stored.epoch, deadline: 0 }) > 0) continue;
      stored.former = owner?.node ?? stored.former;
      stored.lapsedMs = owner === undefined ? 0 : Math.max(0, store.clock.now() - owner.until);
      stored.epoch++;
      leases.push(this.#own(partition, stored.epoch));
    }
    return leases;
  }

  async renew(held: readonly PartitionLease[]): Promise<PartitionLease[]> {
    return held
      .filter((lease) => this.#store.isOwner(lease))
      .map(({ partition, epoch }) => this.#own(partition, epoch));
  }

  async release(held: readonly PartitionLease[]): Promise<void> {
    for (const lease of held) {
      this.#deadlines.delete(`${lease.partition} ${lease.epoch}`);
      if (!this.#store.isOwner(lease)) continue;
      const stored = this.#store.partitions[lease.partition];
      stored.former = stored.owner?.node;
      stored.owner = undefined;
    }
  }

  #own(partition: number, epoch: number): PartitionLease {
    const { leaseMs, clock, partitions } = this.#store;
    const deadline = this.#node.clock.now() + leaseMs * (1 - MARGIN);
    partitions[partition].owner = { node: this.#node.name, until: clock.now() + leaseMs };
    this.#deadlines.set(`${partition} ${epoch}`, deadline);
    return { partition, epoch, deadline };
  }
}
