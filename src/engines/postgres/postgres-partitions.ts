import type { Clock } from '../../base/clock.ts';
import type { HeldPartition } from '../../contracts/state/nodes.ts';
import type { PartitionLease, Partitions } from '../../contracts/state/partitions.ts';
import type { HostKey } from '../../contracts/url.ts';
import { type HostSpread, partitionOf } from '../../frontier/partition-of.ts';
import { binaryArray } from './binary-array.ts';
import type { Rows, Step, StepRunner } from './connection.ts';
import { STEPS, SURVEYS } from './statements.ts';

/**
 * What of a lease its owner leaves unused: two clocks do not run equally fast, and requests that have to end with it are looked
 * at ten times a second.
 */
const MARGIN = 0.1;
const LEAST_MARGIN_MS = 250;

/** A lease is prolonged when so much of it has passed: a write for each partition. Until then a look at all of them tells whether they are still held. */
const PROLONGED_AFTER = 0.1;

/** For so long, from the moment on at which it was asked for, its owner relies on a lease. */
function reliedOn(leaseMs: number): number {
  return Math.min(leaseMs * (1 - MARGIN), leaseMs - LEAST_MARGIN_MS);
}

export interface PartitionsParts extends HostSpread {
  readonly store: StepRunner;
  readonly clock: Clock;
  /** By the clock of the store. */
  readonly storeTime: () => Promise<number>;
  /** A node that comes back under its name takes at once what its former process has left. */
  readonly node: string;
  readonly leaseMs: number;
}

/** What the row of the owner said when a partition was taken. */
export interface TakenPartition {
  readonly epoch: number;
  readonly commits: number;
  /** How long ago the lease of the owner before ran out; 0 where it gave the partition back. */
  readonly lapsedMs: number;
  /** Hosts that may be asked just now, and by which node. */
  readonly busy: readonly number[];
  readonly asker: string | undefined;
}

interface OwnPartition extends TakenPartition {
  readonly deadline: number;
}

/** A partition that is open in this process. */
export interface OpenPartition {
  /** Writes what is left, with the hosts that may be under way, and gives the partition back. */
  handOver(): Promise<void>;
}

/** The numbers of all partitions, as PostgreSQL reads them. */
export function allPartitions(count: number): Buffer {
  return binaryArray('integer', [...Array(count).keys()]);
}

export class PostgresPartitions implements Partitions {
  readonly count: number;
  readonly #parts: PartitionsParts;
  readonly #held = new Map<number, OwnPartition>();
  readonly #open = new Map<number, OpenPartition>();
  /** Of all partitions, as PostgreSQL reads them. */
  readonly numbers: Buffer;

  constructor(parts: PartitionsParts) {
    this.#parts = parts;
    this.count = parts.count;
    this.numbers = allPartitions(parts.count);
  }

  partitionOf(host: HostKey): number {
    return partitionOf(host, this.#parts);
  }

  /** The lease as this process holds it; undefined where it does not any more. */
  held({ partition, epoch }: Pick<PartitionLease, 'partition' | 'epoch'>): OwnPartition | undefined {
    const held = this.#held.get(partition);
    return held?.epoch === epoch ? held : undefined;
  }

  /** Whether a request may begin under it. */
  mayBegin(lease: PartitionLease): boolean {
    const held = this.#held.get(lease.partition);
    return held?.epoch === lease.epoch && this.#parts.clock.now() < held.deadline;
  }

  isUntouched(lease: PartitionLease): boolean {
    return this.held(lease)?.commits === 0;
  }

  opened(lease: PartitionLease, partition: OpenPartition): void {
    this.#open.set(lease.partition, partition);
  }

  /** It is not held any more. */
  drop(lease: PartitionLease): void {
    if (this.held(lease) === undefined) return;
    this.#held.delete(lease.partition);
    this.#open.delete(lease.partition);
  }

  /** A transaction of a partition was committed. */
  committed(lease: PartitionLease, commits: number): void {
    const held = this.held(lease);
    if (held !== undefined) this.#held.set(lease.partition, { ...held, commits });
  }

  /** All partitions that this process holds. */
  get allHeld(): HeldPartition[] {
    return [...this.#held].map(([partition, { epoch, commits }]) => ({ partition, epoch, commits }));
  }

  async acquire(max: number, among?: readonly number[]): Promise<PartitionLease[]> {
    if (max < 1 || among?.length === 0) return [];
    const { store, clock, node, leaseMs } = this.#parts;
    const asked = clock.now();
    const now = await this.#parts.storeTime();
    const wanted = among === undefined ? this.numbers : binaryArray('integer', among);
    const [owners] = await store.run([[SURVEYS.owners, wanted]]);
    const free = owners.filter(
      (row) =>
        !this.#held.has(Number(row.part)) && (row.node === null || row.node === node || Number(row.lease_until) <= now),
    );
    const takes = free
      .slice(0, max)
      .map((row): Step => [STEPS.take, Number(row.part), node, now + leaseMs, String(row.epoch), now]);
    const taken = await store.run(takes);
    const deadline = asked + reliedOn(leaseMs);
    return taken.flatMap(([row], at) => {
      if (row === undefined) return [];
      const partition = Number(free[at].part);
      const [epoch, commits] = [Number(row.epoch), Number(row.commits)];
      const asker = row.asker === null ? undefined : String(row.asker);
      const { node: owner, lease_until: until } = free[at];
      const lapsedMs = owner === null ? 0 : Math.max(0, now - Number(until));
      this.#held.set(partition, { epoch, commits, lapsedMs, busy: row.busy as number[], asker, deadline });
      return [{ partition, epoch, deadline }];
    });
  }

  async renewAll(): Promise<void> {
    await this.renew(this.#leases());
  }

  async renew(held: readonly PartitionLease[]): Promise<PartitionLease[]> {
    const { clock, leaseMs } = this.#parts;
    const ours = held.filter((lease) => this.held(lease) !== undefined);
    if (ours.length === 0) return [];
    const asked = clock.now();
    const known = ours.map((lease) => this.held(lease)?.commits ?? 0);
    const isDue = ours.some((lease) => this.#isToProlong(lease, asked));
    const found = isDue ? await this.#prolong(ours) : await this.#look(ours);
    const deadline = asked + reliedOn(leaseMs);
    return ours.flatMap((lease, at) => {
      const { partition, epoch } = lease;
      const taken = this.held(lease);
      // A store that knows fewer commits than it has acknowledged has forgotten some: what follows here is of no use there.
      if (taken === undefined || !(Number(found[at]?.commits) >= known[at])) {
        this.drop(lease);
        return [];
      }
      if (isDue) this.#held.set(partition, { ...taken, deadline });
      return [{ partition, epoch, deadline: isDue ? deadline : taken.deadline }];
    });
  }

  /** By the clock of the node, which may have been set back since. */
  #isToProlong(lease: PartitionLease, now: number): boolean {
    const { leaseMs } = this.#parts;
    const passedMs = now + reliedOn(leaseMs) - (this.held(lease)?.deadline ?? 0);
    return passedMs < 0 || passedMs >= leaseMs * PROLONGED_AFTER;
  }

  /** The rows of those that are still this node's, in their order. */
  async #prolong(leases: readonly PartitionLease[]): Promise<(Rows[number] | undefined)[]> {
    const until = (await this.#parts.storeTime()) + this.#parts.leaseMs;
    const renewed = await this.#parts.store.run(
      leases.map(({ partition, epoch }) => [STEPS.renew, partition, epoch, until]),
    );
    return renewed.map(([row]) => row);
  }

  async #look(leases: readonly PartitionLease[]): Promise<(Rows[number] | undefined)[]> {
    const numbers = binaryArray(
      'integer',
      leases.map(({ partition }) => partition),
    );
    const [owners] = await this.#parts.store.run([[SURVEYS.owners, numbers]]);
    const byPartition = new Map(owners.map((row) => [Number(row.part), row]));
    return leases.map(({ partition, epoch }) => {
      const row = byPartition.get(partition);
      return row !== undefined && row.node !== null && Number(row.epoch) === epoch ? row : undefined;
    });
  }

  async release(held: readonly PartitionLease[]): Promise<void> {
    const ours = held.filter((lease) => this.held(lease) !== undefined);
    const open = ours.map(({ partition }) => this.#open.get(partition));
    for (const lease of ours) this.drop(lease);
    const unopened = ours.filter((_, at) => open[at] === undefined);
    await Promise.all([
      ...open.map((partition) => partition?.handOver()),
      this.#parts.store.run(unopened.map(({ partition, epoch }) => [STEPS.release, partition, epoch])),
    ]);
  }

  /** Gives back all that this process holds. */
  async releaseAll(): Promise<void> {
    await this.release(this.#leases());
  }

  #leases(): PartitionLease[] {
    return [...this.#held].map(([partition, { epoch, deadline }]) => ({ partition, epoch, deadline }));
  }
}
