import type { Clock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { CrawlState } from '../../contracts/state/crawl-state.ts';
import type { PartitionRecord } from '../../contracts/state/nodes.ts';
import type { PartitionLease } from '../../contracts/state/partitions.ts';
import { type AttachedPartition, NodePartitions } from './node-partitions.ts';

export interface PartitionLeasesParts {
  readonly state: Pick<CrawlState, 'partitions' | 'open'>;
  /** A hand-over waits this long for requests under way; those that take longer end, and their hosts rest with the next owner. */
  readonly handoverMs: number;
  readonly clock: Clock;
  /** The node takes no part any more. */
  readonly stopped: AbortSignal;
  /** Partitions have come or gone. */
  readonly notice: () => void;
  /** What must end the run of the node. */
  readonly onFault: (fault: unknown) => void;
}

/** Who is to have which partition. */
export interface PartitionAssignment {
  readonly partitions: readonly PartitionRecord[];
  readonly isMine: (partition: number) => boolean;
  /** False where it is nobody's: it stays then. */
  readonly isOfOthers: (partition: number) => boolean;
}

const LOOK_EVERY_MS = 10;
const CLOSE_AFTER_MS = 10_000;
/** Requests that may not go on have ended after so long, many times over. */
const REQUESTS_END_MS = 2000;
/** Partitions that are opened together: each waits for the database several times, behind all that a crawl under way does meanwhile. */
const OPENED_AT_ONCE = 8;

/** The leases of a node on partitions: renewed, taken, opened, handed over, and dropped where they are lost. */
export class PartitionLeases {
  readonly partitions: NodePartitions;
  readonly #parts: PartitionLeasesParts;
  readonly #leases = new Map<number, PartitionLease>();
  /** Leases on partitions that nothing was ever written to. They are opened when a seed or a message comes for them. */
  readonly #untouched = new Set<number>();
  readonly #moving = new Set<Promise<void>>();
  #seeds: readonly CrawlTask[] = [];
  #takeovers = 0;
  #lost = 0;

  constructor(parts: PartitionLeasesParts) {
    this.#parts = parts;
    this.partitions = new NodePartitions(parts.state.partitions, (lost) => this.#dropped(lost));
  }

  /** Partitions that were taken from an owner whose lease had run out, so far. */
  get takeovers(): number {
    return this.#takeovers;
  }

  /** Partitions that went to another node, so far. */
  get lost(): number {
    return this.#lost;
  }

  /** Partitions held, open or not. */
  get size(): number {
    return this.#leases.size;
  }

  /** Some are being taken or handed over. */
  get isMoving(): boolean {
    return this.#moving.size > 0;
  }

  /** Whatever is held is open, or was never written to. */
  get isSettled(): boolean {
    return !this.isMoving && this.partitions.all.length + this.#untouched.size === this.#leases.size;
  }

  /** Leases on partitions that messages may come for. */
  get ofReceivers(): readonly PartitionLease[] {
    const attached = this.partitions.all.map(({ number, partition }) => this.#leases.get(number) ?? partition.lease);
    return [...attached, ...[...this.#untouched].flatMap((number) => this.#leases.get(number) ?? [])];
  }

  async renew(): Promise<void> {
    const { state } = this.#parts;
    const held = [...this.#leases.values()];
    const renewed = new Map((await state.partitions.renew(held)).map((lease) => [lease.partition, lease]));
    for (const { partition, epoch } of held) {
      const lease = renewed.get(partition);
      const attached = this.partitions.get(partition);
      if (this.#leases.get(partition)?.epoch !== epoch) continue;
      if (lease !== undefined) {
        this.#leases.set(partition, lease);
        if (attached?.partition.lease.epoch === epoch) attached.deadline = lease.deadline;
      } else if (attached !== undefined) this.partitions.lost(attached);
      else this.#forgo(partition);
    }
  }

  /** Takes what is free of this node's share, and hands over what is of others, in the background. */
  follow({ partitions, isMine, isOfOthers }: PartitionAssignment): void {
    const free = partitions.filter(
      ({ partition, node, hasLapsed }) =>
        isMine(partition) &&
        !this.#leases.has(partition) &&
        !this.partitions.isLeftBehind(partition) &&
        (node === undefined || hasLapsed),
    );
    if (free.length > 0 && this.#moving.size === 0) {
      const lapsed = new Set(free.filter(({ hasLapsed }) => hasLapsed).map(({ partition }) => partition));
      this.#inBackground(
        this.#take(
          free.map(({ partition }) => partition),
          lapsed,
        ),
      );
    }
    for (const attached of this.partitions.all)
      if (!attached.isLeaving && isOfOthers(attached.number)) this.#inBackground(this.#handOver(attached));
    const untouched = [...this.#untouched].filter(isOfOthers);
    if (untouched.length > 0) this.#inBackground(this.#handOverUntouched(untouched));
  }

  /** Partitions that they belong to are opened. Those that are opened later get them then. */
  async takeSeeds(seeds: readonly CrawlTask[]): Promise<void> {
    this.#seeds = seeds;
    await this.openUntouched(seeds.map(({ host }) => this.partitions.numberOf(host)));
  }

  /** Something came for these partitions: those that were never written to are opened. */
  async openUntouched(numbers: readonly number[]): Promise<void> {
    await this.#openAll([...new Set(numbers)].filter((number) => this.#untouched.delete(number)));
  }

  /** Waits for what is being taken or handed over. */
  async settle(): Promise<void> {
    await Promise.allSettled([...this.#moving]);
  }

  async releaseAll(): Promise<void> {
    await this.#parts.state.partitions.release([...this.#leases.values()]);
  }

  #inBackground(work: Promise<void>): void {
    const moving: Promise<void> = work
      .catch((error: unknown) => {
        if (!isPassing(error)) this.#parts.onFault(error);
      })
      .finally(() => {
        this.#moving.delete(moving);
        this.#parts.notice();
      });
    this.#moving.add(moving);
  }

  async #take(numbers: readonly number[], lapsed: ReadonlySet<number>): Promise<void> {
    const { state } = this.#parts;
    const leases = await state.partitions.acquire(numbers.length, numbers);
    const touched: number[] = [];
    for (const lease of leases) {
      const { partition: number } = lease;
      this.#leases.set(number, lease);
      if (lapsed.has(number)) this.#takeovers++;
      if (this.#seedsOf(number).length === 0 && state.partitions.isUntouched?.(lease) === true)
        this.#untouched.add(number);
      else touched.push(number);
    }
    await this.#openAll(touched);
  }

  /** What fails with one of them is told when the others are done. */
  async #openAll(numbers: readonly number[]): Promise<void> {
    const waiting = numbers.values();
    const openers = Array.from({ length: OPENED_AT_ONCE }, async () => {
      for (const number of waiting) await this.#open(number);
    });
    for (const end of await Promise.allSettled(openers)) if (end.status === 'rejected') throw end.reason;
  }

  async #open(number: number): Promise<void> {
    const { state } = this.#parts;
    const lease = this.#leases.get(number);
    if (lease === undefined || this.#parts.stopped.aborted) return;
    try {
      const partition = await state.open(lease);
      for (let added: readonly CrawlTask[] = []; added !== this.#seeds; ) {
        added = this.#seeds;
        const seeds = this.#seedsOf(number);
        if (seeds.length > 0) await partition.frontier.add(seeds);
        // Where the record has changed meanwhile, nobody else adds those that are new.
      }
      this.partitions.attach(partition);
      const attached = this.partitions.get(number);
      if (attached !== undefined) attached.deadline = this.#leases.get(number)?.deadline ?? lease.deadline;
    } catch (error) {
      this.#leases.delete(number);
      // What the store still counts as this node's would keep the crawl from its end.
      await state.partitions.release([lease]).catch(() => {});
      if (!isPassing(error)) throw error;
    }
    this.#parts.notice();
  }

  #seedsOf(number: number): CrawlTask[] {
    return this.#seeds.filter(({ host }) => this.partitions.numberOf(host) === number);
  }

  async #handOverUntouched(numbers: readonly number[]): Promise<void> {
    const leases = numbers.flatMap((number) => this.#leases.get(number) ?? []);
    for (const number of numbers) this.#forgo(number);
    await this.#parts.state.partitions.release(leases);
  }

  #forgo(number: number): void {
    this.#untouched.delete(number);
    this.#leases.delete(number);
  }

  /** Nothing more is claimed; when what is under way is settled, the next node has the partition. */
  async #handOver(attached: AttachedPartition): Promise<void> {
    const { clock, state, handoverMs } = this.#parts;
    attached.isLeaving = true;
    const idle = async (withinMs: number): Promise<void> => {
      const until = clock.now() + withinMs;
      while (attached.underWay > 0 && clock.now() < until && this.partitions.isAttached(attached))
        await clock.sleep(LOOK_EVERY_MS);
    };
    await idle(handoverMs);
    attached.hasEnded = true;
    await idle(REQUESTS_END_MS);
    if (!this.partitions.isAttached(attached)) return;
    this.partitions.detach(attached);
    this.#leases.delete(attached.number);
    await state.partitions.release([attached.partition.lease]);
    void this.#close(attached);
  }

  /** Drops a partition that another node has by now, without a word to the store. */
  #dropped(attached: AttachedPartition): void {
    this.#lost++;
    this.#leases.delete(attached.number);
    void this.#close(attached);
    this.#parts.notice();
  }

  /** Reads that have begun may still be under way. */
  async #close({ partition }: AttachedPartition): Promise<void> {
    await this.#parts.clock.sleep(CLOSE_AFTER_MS, this.#parts.stopped);
    partition[Symbol.dispose]();
  }
}

/** The partition went to another node meanwhile, or the database is away: the next beat sees to it. */
function isPassing(error: unknown): boolean {
  return error instanceof OrbweaverError && (error.code === 'PARTITION_LOST' || error.code === 'STORE_UNREACHABLE');
}
