import type { Clock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { CrawlProgress } from '../../contracts/events.ts';
import type { CrawlState } from '../../contracts/state/crawl-state.ts';
import type { ClusterView, NodeHome, Nodes } from '../../contracts/state/nodes.ts';
import type { PartitionLease } from '../../contracts/state/partitions.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { assignByView, type StaticShare } from './assign-partitions.ts';
import { idleState, isCrawlOver } from './crawl-end.ts';
import { hasEnded, readRecord, writeEnd } from './crawl-record.ts';
import type { NodeFrontier } from './node-frontier.ts';
import { type AttachedPartition, NodePartitions } from './node-partitions.ts';

export interface PartitionKeeperParts {
  readonly state: CrawlState & { readonly nodes: Nodes };
  /** Of this node. */
  readonly name: string;
  readonly weight: number;
  /** The partitions that it has for life, instead of those that its weight gives it. */
  readonly share?: StaticShare;
  readonly home: NodeHome;
  readonly leaseMs: number;
  /** So long a hand-over waits for requests under way; those that take longer end, and their hosts rest with the next owner. */
  readonly handoverMs: number;
  readonly clock: Clock;
  readonly seedTask: (url: CanonicalUrl) => CrawlTask;
}

/** What the keeper needs of the run of its node. */
export interface NodeRun {
  progress(): Promise<CrawlProgress>;
  /** Something came in. */
  notice(): void;
}

/** What all nodes together have brought, but for this run. */
export interface BroughtBefore {
  readonly pages: number;
  readonly bytes: number;
}

/** A node is seen at least this often, and three times in a lease. */
const LONGEST_BEAT_MS = 1000;
const BEATS_PER_LEASE = 3;
/** Messages are looked for this often. */
const RECEIVE_EVERY_MS = 250;
const MOST_MESSAGES = 500;
const LOOK_EVERY_MS = 10;
const CLOSE_AFTER_MS = 10_000;
/** Requests that may not go on have ended after so long, many times over. */
const REQUESTS_END_MS = 2000;

/**
 * Keeps the partitions of a node: renews its leases, takes its share of what is free, hands over what is to go elsewhere, brings
 * in messages, and knows when the crawl as a whole is over. It decides by what the store says; leases and fences make it safe.
 */
export class PartitionKeeper implements AsyncDisposable {
  readonly partitions: NodePartitions;
  readonly #parts: PartitionKeeperParts;
  readonly #beatMs: number;
  readonly #stopped = new AbortController();
  readonly #leases = new Map<number, PartitionLease>();
  /** Leases on partitions that nothing was ever written to. They are opened when a seed or a message comes for them. */
  readonly #untouched = new Set<number>();
  readonly #moving = new Set<Promise<void>>();
  #loops: Promise<unknown> = Promise.resolve();
  #frontier: NodeFrontier | undefined;
  #run: NodeRun | undefined;
  #seedTasks: readonly CrawlTask[] = [];
  #recordVersion = 0;
  #earlier: BroughtBefore = { pages: 0, bytes: 0 };
  #others: BroughtBefore = { pages: 0, bytes: 0 };
  #takeovers = 0;
  #lost = 0;
  #idleState: string | undefined;
  #idleChanges = -1;
  #isOver = false;
  #isDraining = false;
  #fault: unknown;

  constructor(parts: PartitionKeeperParts) {
    this.#parts = parts;
    this.#beatMs = Math.min(LONGEST_BEAT_MS, parts.leaseMs / BEATS_PER_LEASE);
    this.partitions = new NodePartitions(parts.state.partitions, (lost) => this.#dropped(lost));
  }

  /** Live: changes with every beat of the others. */
  get before(): BroughtBefore {
    const keeper = this;
    return {
      get pages() {
        return keeper.#earlier.pages + keeper.#others.pages;
      },
      get bytes() {
        return keeper.#earlier.bytes + keeper.#others.bytes;
      },
    };
  }

  /** Throws what must end the run of this node. */
  readonly check = (): void => {
    if (this.#fault !== undefined) throw this.#fault;
  };

  /** Whether a request to a host may begin, or go on, now. */
  isAllowed(host: CrawlTask['host']): boolean {
    const attached = this.partitions.ofHost(host);
    return attached !== undefined && !attached.hasEnded && this.#parts.clock.now() < attached.deadline;
  }

  /** Gives back what a former process of this node has left, so that nothing of it is written any more. */
  async fenceFormer(): Promise<void> {
    const { state, name } = this.#parts;
    const view = await state.nodes.view();
    const own = view.nodes.find((node) => node.name === name);
    if (own !== undefined) this.#earlier = { pages: own.pages, bytes: own.bytes };
    const left = view.partitions.filter(({ node }) => node === name).map(({ partition }) => partition);
    await state.partitions.release(await state.partitions.acquire(left.length, left));
  }

  /** Begins to take partitions. */
  async start(frontier: NodeFrontier, run: NodeRun): Promise<void> {
    this.#frontier = frontier;
    this.#run = run;
    await this.#beat(true);
    this.#loops = Promise.all([
      this.#repeat(this.#beatMs, () => this.#beat(false)),
      this.#repeat(RECEIVE_EVERY_MS, () => this.#receive()),
    ]);
  }

  /** The crawl as a whole is over, or this node was asked to leave. `isStillIdle` is asked again, and must still say so. */
  async mayEnd(isStillIdle: () => Promise<boolean>): Promise<boolean> {
    const { changes, all } = this.partitions;
    const state = idleState(this.#recordVersion, this.#parts.state.nodes.held);
    const isSettled = this.#moving.size === 0 && all.length + this.#untouched.size === this.#leases.size;
    const isIdle = isSettled && (await isStillIdle()) && this.partitions.changes === changes;
    this.#idleState = isIdle ? state : undefined;
    this.#idleChanges = changes;
    return this.#isOver || (this.#isDraining && this.#leases.size === 0);
  }

  /** Hands over all that this node holds, and takes no part any more. */
  async leave(): Promise<void> {
    await this[Symbol.asyncDispose]();
    await this.#parts.state.partitions.release([...this.#leases.values()]).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort();
    await this.#loops;
    await Promise.allSettled([...this.#moving]);
    if (this.#run === undefined) return;
    // What it has brought is told with the last beat; a database that is away takes it as the node's silence.
    const { search: _closed, ...home } = this.#parts.home;
    await this.#parts.state.nodes.beat({ ...(await this.#report()), home }).catch(() => {});
    await this.#parts.state.nodes.leave().catch(() => {});
    this.#run = undefined;
  }

  async #repeat(everyMs: number, step: () => Promise<void>): Promise<void> {
    const { clock } = this.#parts;
    const { signal } = this.#stopped;
    for (;;) {
      await clock.sleep(everyMs, signal);
      if (signal.aborted) return;
      try {
        await step();
      } catch (error) {
        // A database that is away for a while may come back: until then nothing begins after the deadlines.
        if (error instanceof OrbweaverError && error.code === 'STORE_UNREACHABLE') continue;
        this.#fault ??= error;
        this.#run?.notice();
        return;
      }
    }
  }

  async #beat(isFirst: boolean): Promise<void> {
    const { state } = this.#parts;
    await this.#renew();
    const view = await state.nodes.beat(await this.#report(), isFirst);
    await this.#readRecord();
    if (isCrawlOver(view, this.#recordVersion))
      await writeEnd(state.notes, { recordVersion: this.#recordVersion, at: this.#parts.clock.now() });
    if (this.#idleState !== undefined && (await hasEnded(state.notes, this.#recordVersion))) this.#isOver = true;
    this.#follow(view);
    if (this.#isOver || this.#isDraining) this.#run?.notice();
  }

  async #renew(): Promise<void> {
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

  async #report(): Promise<Parameters<Nodes['beat']>[0]> {
    const { weight, home } = this.#parts;
    const progress = await this.#run?.progress().catch(() => undefined);
    const isIdle = this.#idleChanges === this.partitions.changes && this.#moving.size === 0;
    return {
      weight,
      pages: this.#earlier.pages + (progress?.pages ?? 0),
      bytes: this.#earlier.bytes + (progress?.bytes ?? 0),
      pagesPerSecond: progress?.pagesPerSecond ?? 0,
      queued: progress?.frontier.queued ?? 0,
      inFlight: progress?.inFlight ?? 0,
      takeovers: this.#takeovers,
      lost: this.#lost,
      home,
      ...(isIdle && this.#idleState !== undefined ? { idleState: this.#idleState } : {}),
    };
  }

  /** Seeds may be added at any time. */
  async #readRecord(): Promise<void> {
    const record = await readRecord(this.#parts.state.notes);
    if (record === undefined || record.version === this.#recordVersion) return;
    this.#seedTasks = record.value.seeds.map((url) => this.#parts.seedTask(url));
    await this.#openUntouched(this.#seedTasks.map(({ host }) => this.partitions.numberOf(host)));
    await this.#frontier?.add(this.#seedTasks);
    // Last: where a seed could not be added, they are read again.
    this.#recordVersion = record.version;
    this.#run?.notice();
  }

  /** Takes what is free of this node's share, and hands over what is not of it. */
  #follow(view: ClusterView): void {
    const { nodes, partitions } = view;
    const { name } = this.#parts;
    const others = nodes.filter((node) => node.name !== name);
    const sumOf = (key: keyof BroughtBefore): number => others.reduce((sum, node) => sum + node[key], 0);
    this.#others = { pages: sumOf('pages'), bytes: sumOf('bytes') };
    this.#isDraining = nodes.some((node) => node.name === name && node.isDraining);
    if (this.#stopped.signal.aborted || this.#isOver) return;
    const assigned = assignByView(view, this.#parts);
    const isMine = (number: number): boolean => assigned[number] === name;
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
      if (
        !attached.isLeaving &&
        (assigned[attached.number] !== undefined || this.#isDraining) &&
        !isMine(attached.number)
      )
        this.#inBackground(this.#handOver(attached));
    const untouched = [...this.#untouched].filter(
      (number) => (assigned[number] !== undefined || this.#isDraining) && !isMine(number),
    );
    if (untouched.length > 0) this.#inBackground(this.#handOverUntouched(untouched));
  }

  #inBackground(work: Promise<void>): void {
    const moving: Promise<void> = work
      .catch((error: unknown) => {
        if (!isPassing(error)) this.#fault ??= error;
      })
      .finally(() => {
        this.#moving.delete(moving);
        this.#run?.notice();
      });
    this.#moving.add(moving);
  }

  async #take(numbers: readonly number[], lapsed: ReadonlySet<number>): Promise<void> {
    const { state } = this.#parts;
    const leases = await state.partitions.acquire(numbers.length, numbers);
    for (const lease of leases) this.#leases.set(lease.partition, lease);
    for (const lease of leases) {
      const { partition: number } = lease;
      if (lapsed.has(number)) this.#takeovers++;
      if (this.#seedsOf(number).length === 0 && state.partitions.isUntouched?.(lease) === true)
        this.#untouched.add(number);
      else await this.#open(number);
    }
  }

  async #open(number: number): Promise<void> {
    const { state } = this.#parts;
    const lease = this.#leases.get(number);
    if (lease === undefined || this.#stopped.signal.aborted) return;
    try {
      const partition = await state.open(lease);
      for (let added: readonly CrawlTask[] = []; added !== this.#seedTasks; ) {
        added = this.#seedTasks;
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
    this.#run?.notice();
  }

  #seedsOf(number: number): CrawlTask[] {
    return this.#seedTasks.filter(({ host }) => this.partitions.numberOf(host) === number);
  }

  /** Something came for them. */
  async #openUntouched(numbers: readonly number[]): Promise<void> {
    for (const number of new Set(numbers)) if (this.#untouched.delete(number)) await this.#open(number);
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
    this.#run?.notice();
  }

  /** Reads that have begun may still be under way. */
  async #close({ partition }: AttachedPartition): Promise<void> {
    await this.#parts.clock.sleep(CLOSE_AFTER_MS, this.#stopped.signal);
    partition[Symbol.dispose]();
  }

  async #receive(): Promise<void> {
    const { exchange } = this.#parts.state;
    const attached = this.partitions.all.map(({ number, partition }) => this.#leases.get(number) ?? partition.lease);
    const leases = [...attached, ...[...this.#untouched].flatMap((number) => this.#leases.get(number) ?? [])];
    if (leases.length === 0) return;
    const messages = await exchange.receive(leases, MOST_MESSAGES);
    await this.#openUntouched(messages.map(({ to }) => to));
    const applied = (await this.#frontier?.acceptEach(messages)) ?? [];
    if (applied.length === 0) return;
    this.#run?.notice();
    await exchange.ack(leases, applied);
  }
}

/** The partition went to another node meanwhile, or the database is away: the next beat sees to it. */
function isPassing(error: unknown): boolean {
  return error instanceof OrbweaverError && (error.code === 'PARTITION_LOST' || error.code === 'STORE_UNREACHABLE');
}
