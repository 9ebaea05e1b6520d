import type { Clock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { CrawlProgress } from '../../contracts/events.ts';
import type { CrawlState } from '../../contracts/state/crawl-state.ts';
import type { ClusterView, NodeHome, Nodes } from '../../contracts/state/nodes.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { AnswerTimes } from './answer-times.ts';
import { assignByView } from './assign-by-view.ts';
import type { StaticShare } from './assign-partitions.ts';
import { idleState, isCrawlOver } from './crawl-end.ts';
import { hasEnded, readRecord, writeEnd } from './crawl-record.ts';
import { lookInterval } from './look-interval.ts';
import type { NodeFrontier } from './node-frontier.ts';
import type { NodePartitions } from './node-partitions.ts';
import { PartitionLeases } from './partition-leases.ts';

export interface NodeMembershipParts {
  readonly state: CrawlState & { readonly nodes: Nodes };
  /** Of this node. */
  readonly name: string;
  readonly weight: number;
  /** The partitions that it has for life, instead of those that its weight gives it. */
  readonly share?: StaticShare;
  /** Where it is to have those that answer it fastest. */
  readonly answerTimes?: Pick<AnswerTimes, 'restore' | 'report'>;
  readonly home: NodeHome;
  readonly leaseMs: number;
  /** So long a hand-over waits for requests under way; those that take longer end, and their hosts rest with the next owner. */
  readonly handoverMs: number;
  readonly clock: Clock;
  /** Of each node that lives: so much longer is the time between two looks at all of them. */
  readonly lookMsPerNode?: number;
  readonly seedTask: (url: CanonicalUrl) => CrawlTask;
}

/** What the membership needs of the run of its node. */
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
/** Messages are looked for this often, and less often by a node that has something to do: those of a partition that come in together are one transaction. */
const RECEIVE_EVERY_MS = { idle: 250, busy: 1000 } as const;
const MOST_MESSAGES = 500;
/** A database that is away for longer than this, and than a lease, is not waited for: whoever runs the node is to hear of it. */
const MOST_AWAY_MS = 60_000;

/**
 * A node as a member of its cluster: tells the others that it lives, looks at them and asks for its share, brings in messages and seeds, and
 * knows when the crawl as a whole is over. It decides by what the store says; leases and fences make it safe.
 */
export class NodeMembership implements AsyncDisposable {
  readonly partitions: NodePartitions;
  readonly #parts: NodeMembershipParts;
  readonly #beatMs: number;
  readonly #stopped = new AbortController();
  readonly #leases: PartitionLeases;
  #loops: Promise<unknown> = Promise.resolve();
  #frontier: NodeFrontier | undefined;
  #run: NodeRun | undefined;
  #recordVersion = 0;
  /** Of the last look at the others. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  #living = 0;
  #earlier: BroughtBefore = { pages: 0, bytes: 0 };
  #others: BroughtBefore = { pages: 0, bytes: 0 };
  #idleState: string | undefined;
  #idleChanges = -1;
  #isOver = false;
  #isDraining = false;
  #fault: unknown;

  constructor(parts: NodeMembershipParts) {
    this.#parts = parts;
    this.#beatMs = Math.min(LONGEST_BEAT_MS, parts.leaseMs / BEATS_PER_LEASE);
    this.#leases = new PartitionLeases({
      ...{ state: parts.state, handoverMs: parts.handoverMs, clock: parts.clock, stopped: this.#stopped.signal },
      notice: () => this.#run?.notice(),
      onFault: (fault) => {
        this.#fault ??= fault;
      },
    });
    this.partitions = this.#leases.partitions;
  }

  /** Live: changes with every beat of the others. */
  get before(): BroughtBefore {
    const membership = this;
    return {
      get pages() {
        return membership.#earlier.pages + membership.#others.pages;
      },
      get bytes() {
        return membership.#earlier.bytes + membership.#others.bytes;
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
    this.#parts.answerTimes?.restore(own?.answerTimes ?? {});
    const left = view.partitions.filter(({ node }) => node === name).map(({ partition }) => partition);
    await state.partitions.release(await state.partitions.acquire(left.length, left));
  }

  /** Begins to take partitions. */
  async start(frontier: NodeFrontier, run: NodeRun): Promise<void> {
    this.#frontier = frontier;
    this.#run = run;
    await this.#beat(true);
    this.#loops = Promise.all([
      this.#repeat(
        () => this.#beatMs,
        () => this.#beat(false),
      ),
      this.#repeat(
        () => RECEIVE_EVERY_MS[this.#wasIdle ? 'idle' : 'busy'],
        () => this.#receive(),
      ),
    ]);
  }

  /** The crawl as a whole is over, or this node was asked to leave. `isStillIdle` is asked again, and must still say so. */
  async mayEnd(isStillIdle: () => Promise<boolean>): Promise<boolean> {
    const { changes } = this.partitions;
    const state = idleState(this.#recordVersion, this.#parts.state.nodes.held);
    const isIdle = this.#leases.isSettled && (await isStillIdle()) && this.partitions.changes === changes;
    this.#idleState = isIdle ? state : undefined;
    this.#idleChanges = changes;
    return this.#isOver || (this.#isDraining && this.#leases.size === 0);
  }

  /** Hands over all that this node holds, and takes no part any more. */
  async leave(): Promise<void> {
    await this[Symbol.asyncDispose]();
    await this.#leases.releaseAll().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort();
    await this.#loops;
    await this.#leases.settle();
    if (this.#run === undefined) return;
    // What it has brought is told with the last beat; a database that is away takes it as the node's silence.
    const { search: _closed, ...home } = this.#parts.home;
    await this.#parts.state.nodes.beat({ ...(await this.#report()), home }).catch(() => {});
    await this.#parts.state.nodes.leave().catch(() => {});
    this.#run = undefined;
  }

  /** Nothing has come in or gone out since the node had nothing to do. */
  get #wasIdle(): boolean {
    return this.#idleChanges === this.partitions.changes;
  }

  async #repeat(everyMs: () => number, step: () => Promise<void>): Promise<void> {
    const { clock, leaseMs } = this.#parts;
    const { signal } = this.#stopped;
    let reachedAt = clock.now();
    for (;;) {
      await clock.sleep(everyMs(), signal);
      if (signal.aborted) return;
      try {
        await step();
        reachedAt = clock.now();
      } catch (error) {
        // A database that is away for a while may come back: until then nothing begins after the deadlines.
        const isAway = error instanceof OrbweaverError && error.code === 'STORE_UNREACHABLE';
        if (isAway && clock.now() - reachedAt <= Math.max(leaseMs, MOST_AWAY_MS)) continue;
        this.#fault ??= error;
        this.#run?.notice();
        return;
      }
    }
  }

  async #beat(isFirst: boolean): Promise<void> {
    const { state } = this.#parts;
    await this.#leases.renew();
    const view = isFirst || this.#isToLook ? await this.#look(isFirst) : await state.nodes.tell(await this.#report());
    await this.#readRecord();
    if (view !== undefined && isCrawlOver(view, this.#recordVersion))
      await writeEnd(state.notes, { recordVersion: this.#recordVersion, at: this.#parts.clock.now() });
    if (this.#idleState !== undefined && (await hasEnded(state.notes, this.#recordVersion))) this.#isOver = true;
    if (view !== undefined) this.#follow(view);
    if (this.#isOver || this.#isDraining) this.#run?.notice();
  }

  get #isToLook(): boolean {
    const { clock, leaseMs, lookMsPerNode: msPerNode } = this.#parts;
    const passed = clock.now() - this.#lookedAt;
    // A clock that was set back must not make the wait longer. Beats come a little later each time.
    return (
      passed < 0 ||
      passed + this.#beatMs / 2 >= lookInterval({ nodes: this.#living, beatMs: this.#beatMs, leaseMs, msPerNode })
    );
  }

  async #look(isFirst: boolean): Promise<ClusterView> {
    const { state, clock } = this.#parts;
    const at = clock.now();
    const view = await state.nodes.beat(await this.#report(), isFirst);
    this.#lookedAt = at;
    this.#living = view.nodes.filter(({ isAlive }) => isAlive).length;
    return view;
  }

  async #report(): Promise<Parameters<Nodes['beat']>[0]> {
    const { weight, home, answerTimes } = this.#parts;
    const progress = await this.#run?.progress().catch(() => undefined);
    const isIdle = this.#wasIdle && !this.#leases.isMoving;
    return {
      weight,
      pages: this.#earlier.pages + (progress?.pages ?? 0),
      bytes: this.#earlier.bytes + (progress?.bytes ?? 0),
      pagesPerSecond: progress?.pagesPerSecond ?? 0,
      queued: progress?.frontier.queued ?? 0,
      inFlight: progress?.inFlight ?? 0,
      takeovers: this.#leases.takeovers,
      lost: this.#leases.lost,
      home,
      ...(answerTimes === undefined ? {} : { answerTimes: answerTimes.report() }),
      ...(isIdle && this.#idleState !== undefined ? { idleState: this.#idleState } : {}),
    };
  }

  /** Seeds may be added at any time. */
  async #readRecord(): Promise<void> {
    const record = await readRecord(this.#parts.state.notes);
    if (record === undefined || record.version === this.#recordVersion) return;
    const seeds = record.value.seeds.map((url) => this.#parts.seedTask(url));
    await this.#leases.takeSeeds(seeds);
    await this.#frontier?.add(seeds);
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
    this.#leases.follow({
      partitions,
      isMine: (number) => assigned[number] === name,
      isOfOthers: (number) => (assigned[number] !== undefined || this.#isDraining) && assigned[number] !== name,
    });
  }

  async #receive(): Promise<void> {
    const { exchange } = this.#parts.state;
    const leases = this.#leases.ofReceivers;
    if (leases.length === 0) return;
    const messages = await exchange.receive(leases, MOST_MESSAGES);
    await this.#leases.openUntouched(messages.map(({ to }) => to));
    const applied = (await this.#frontier?.acceptEach(messages)) ?? [];
    if (applied.length === 0) return;
    this.#run?.notice();
    await exchange.ack(leases, applied);
  }
}
