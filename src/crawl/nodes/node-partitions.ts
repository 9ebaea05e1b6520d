import { OrbweaverError } from '../../base/errors.ts';
import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import type { Partitions } from '../../contracts/state/partitions.ts';
import type { HostKey } from '../../contracts/url.ts';
import { DigestHomes } from './digest-homes.ts';

/** A partition that this node works on. */
export interface AttachedPartition {
  readonly number: number;
  readonly partition: OwnedPartition;
  /** No request to its hosts begins or goes on after this, by the clock of the node; moves with every renewal. */
  deadline: number;
  /** Claims that are not settled yet. */
  underWay: number;
  /** It is handed over: nothing more is claimed. */
  isLeaving: boolean;
  /** No request to its hosts begins or goes on any more. */
  hasEnded: boolean;
}

/** Hosts whose partition is remembered. */
const REMEMBERED_HOSTS = 100_000;

/** The partitions that a node works on at the moment. Whatever finds one lost says so here, and nobody works on it any more. */
export class NodePartitions {
  readonly #attached = new Map<number, AttachedPartition>();
  readonly #partitions: Pick<Partitions, 'partitionOf' | 'count'>;
  readonly #numbers = new Map<HostKey, number>();
  readonly #digests = new DigestHomes();
  /** Partitions that have gone, with claims under way that nobody settles any more. */
  readonly #leftBehind = new Set<AttachedPartition>();
  readonly #onLost: (lost: AttachedPartition) => void;
  #changes = 0;
  #arrivals = 0;
  #losses = 0;

  constructor(partitions: Pick<Partitions, 'partitionOf' | 'count'>, onLost: (lost: AttachedPartition) => void) {
    this.#partitions = partitions;
    this.#onLost = onLost;
  }

  /** Rises whenever something comes in or goes out: who sees it unchanged has seen one state. */
  get changes(): number {
    return this.#changes;
  }

  changed(): void {
    this.#changes++;
  }

  /** How often a partition was lost. */
  get losses(): number {
    return this.#losses;
  }

  /** How often a partition has come in. */
  get arrivals(): number {
    return this.#arrivals;
  }

  get all(): readonly AttachedPartition[] {
    return [...this.#attached.values()];
  }

  numberOf(host: HostKey): number {
    const known = this.#numbers.get(host);
    if (known !== undefined) return known;
    const number = this.#partitions.partitionOf(host);
    if (this.#numbers.size >= REMEMBERED_HOSTS) this.#numbers.clear();
    this.#numbers.set(host, number);
    return number;
  }

  get(number: number): AttachedPartition | undefined {
    return this.#attached.get(number);
  }

  ofHost(host: HostKey): AttachedPartition | undefined {
    return this.#attached.get(this.numberOf(host));
  }

  /** Those of which a page may have the digest. */
  mayHave(digest: string): readonly AttachedPartition[] {
    const home = this.#digests.of(digest);
    if (home === 'several') return this.all;
    const attached = home === undefined ? undefined : this.#attached.get(home);
    return attached === undefined ? [] : [attached];
  }

  /** A page of the partition is about to have the digest. */
  brings(digest: string, attached: AttachedPartition): void {
    this.#digests.add(digest, attached.number);
  }

  isAttached(attached: AttachedPartition): boolean {
    return this.#attached.get(attached.number) === attached;
  }

  attach(partition: OwnedPartition): void {
    const { partition: number, deadline } = partition.lease;
    this.#changes++;
    this.#arrivals++;
    for (const digest of partition.pages.digests()) this.#digests.add(digest, number);
    this.#attached.set(number, { number, partition, deadline, underWay: 0, isLeaving: false, hasEnded: false });
  }

  detach(attached: AttachedPartition): void {
    if (!this.isAttached(attached)) return;
    this.#changes++;
    this.#attached.delete(attached.number);
    this.#leftBehind.add(attached);
  }

  /**
   * Whether requests to its hosts may still come of what was claimed before the partition went. As long as they may, it is not taken
   * again: its next claims would ask the same hosts beside them.
   */
  isLeftBehind(number: number): boolean {
    for (const gone of this.#leftBehind) if (gone.underWay === 0) this.#leftBehind.delete(gone);
    return [...this.#leftBehind].some((gone) => gone.number === number);
  }

  /** Another node has it by now. */
  lost(attached: AttachedPartition): void {
    if (!this.isAttached(attached)) return;
    this.detach(attached);
    this.#losses++;
    this.#onLost(attached);
  }

  /** What a call on a partition answers; `otherwise` where the partition turns out to be lost. */
  async ask<T>(attached: AttachedPartition, call: (partition: OwnedPartition) => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await call(attached.partition);
    } catch (error) {
      if (!(error instanceof OrbweaverError) || error.code !== 'PARTITION_LOST') throw error;
      this.lost(attached);
      return otherwise;
    }
  }

  /** Asks all at once: what they write crosses the wire together. */
  async askAll<T>(call: (partition: OwnedPartition) => Promise<T>, otherwise: T): Promise<T[]> {
    return await Promise.all(this.all.map((attached) => this.ask(attached, call, otherwise)));
  }
}
