import { OrbweaverError } from '../../../src/base/errors.ts';
import type { Claim } from '../../../src/contracts/crawl-task.ts';
import type { CrawlState } from '../../../src/contracts/state/crawl-state.ts';
import type { ClusterView, NodeReport, Nodes } from '../../../src/contracts/state/nodes.ts';
import type { OwnedPartition } from '../../../src/contracts/state/owned-partition.ts';
import type { PartitionLease } from '../../../src/contracts/state/partitions.ts';
import { ModelState } from '../model/model-state.ts';
import { options, type SuiteOptions } from '../opened-frontier.ts';
import { frontierOptionsOf } from '../opened-state.ts';
import type { CountedStore } from './counted-store.ts';
import type { VirtualProcess } from './virtual-world.ts';

/** Share of a lease that its owner leaves unused, as real nodes do. */
const MARGIN = 0.1;
const RENEWAL_WAIT_MS = 1000;

export interface Wire {
  /** How long a message is on its way. */
  latency(): number;
  /** Whether a question of this process, or the answer to it, gets lost now. */
  loses(): boolean;
}

interface Held {
  readonly epoch: number;
  deadline: number;
  commits: number;
}

/**
 * The model as a node sees it over a wire. What was sent arrives, also when its sender is dead or stopped by then; answers come
 * late or not at all. Calls on a partition follow one another, and are sent again until they arrive, as its writer does.
 */
export class WiredState {
  readonly #store: CountedStore;
  readonly #process: VirtualProcess;
  readonly #wire: Wire;
  readonly #newModel: () => ModelState;
  readonly #model: ModelState;
  readonly #name: string;
  readonly #held = new Map<number, Held>();
  readonly #queues = new Map<number, Promise<unknown>>();

  constructor(store: CountedStore, name: string, process: VirtualProcess, wire: Wire, extra: SuiteOptions) {
    this.#store = store;
    this.#name = name;
    this.#process = process;
    this.#wire = wire;
    const clock = process.clock;
    const all = frontierOptionsOf({ ...options, ...extra });
    this.#newModel = () => new ModelState(store, { name, clock, options: all });
    this.#model = this.#newModel();
  }

  /** What the membership of a node works with. */
  get state(): CrawlState & { readonly nodes: Nodes } {
    const { partitions: own } = this.#model;
    return {
      partitions: {
        count: own.count,
        partitionOf: (host) => own.partitionOf(host),
        acquire: (max, among) => this.#acquire(max, among),
        isUntouched: (lease) => this.#heldBy(lease)?.commits === 0,
        renew: (leases) => this.#renew(leases),
        release: (leases) => this.#release(leases),
      },
      exchange: {
        receive: (leases, max) => this.#ask(() => this.#model.exchange.receive(leases, max)),
        ack: (leases, messages) => this.#ask(() => this.#model.exchange.ack(leases, messages)),
        pending: () => this.#ask(() => this.#model.exchange.pending()),
      },
      notes: {
        read: (scope, name) => this.#ask(() => this.#model.notes.read(scope, name)),
        write: (scope, name, value, version) => this.#ask(() => this.#model.notes.write(scope, name, value, version)),
      },
      nodes: this.#nodes(),
      open: (lease) => this.#open(lease),
      [Symbol.asyncDispose]: async () => {},
    };
  }

  /** Gives back all that is held, as a state that is closed does. */
  async close(): Promise<void> {
    await this.#release([...this.#held].map(([partition, { epoch, deadline }]) => ({ partition, epoch, deadline })));
  }

  #heldBy({ partition, epoch }: Pick<PartitionLease, 'partition' | 'epoch'>): Held | undefined {
    const held = this.#held.get(partition);
    return held?.epoch === epoch ? held : undefined;
  }

  #drop(lease: PartitionLease): void {
    if (this.#heldBy(lease) !== undefined) this.#held.delete(lease.partition);
  }

  /** A question that may get lost, before it is answered or afterwards. */
  async #ask<T>(apply: () => T | Promise<T>): Promise<T> {
    const { world } = this.#process;
    await world.wait(this.#wire.latency());
    if (this.#wire.loses()) return await this.#unreachable();
    const answer = await apply();
    if (this.#wire.loses()) return await this.#unreachable();
    await this.#process.wait(this.#wire.latency());
    return answer;
  }

  async #unreachable(): Promise<never> {
    await this.#process.wait(this.#wire.latency());
    throw new OrbweaverError('STORE_UNREACHABLE', 'The wire is cut.');
  }

  /** A transaction of a partition: after the one before, and sure to arrive. */
  async #write<T>(lease: PartitionLease, apply: () => Promise<T>): Promise<T> {
    const { world } = this.#process;
    const before = this.#queues.get(lease.partition) ?? Promise.resolve();
    const done = before
      .catch(() => {})
      .then(async () => {
        do await world.wait(this.#wire.latency());
        while (this.#wire.loses());
        const outcome = await apply().then(
          (value) => () => value,
          (error: unknown) => () => {
            throw error;
          },
        );
        const [isOwner, commits] = [this.#store.isOwner(lease), this.#store.commits[lease.partition]];
        await this.#process.wait(this.#wire.latency());
        const held = this.#heldBy(lease);
        if (!isOwner) this.#drop(lease);
        else if (held !== undefined) held.commits = commits;
        return outcome();
      });
    this.#queues.set(
      lease.partition,
      done.catch(() => {}),
    );
    return await done;
  }

  async #acquire(max: number, among?: readonly number[]): Promise<PartitionLease[]> {
    const asked = this.#process.clock.now();
    const free = (among ?? this.#store.partitions.keys().toArray()).filter((number) => !this.#held.has(number));
    const { leases, commits } = await this.#ask(async () => {
      // A process that did not hear the answer does not know what it has.
      const taken = await this.#newModel().partitions.acquire(max, free);
      await this.#model.partitions.renew(taken);
      return { leases: taken, commits: taken.map(({ partition }) => this.#store.commits[partition]) };
    });
    const deadline = asked + this.#store.leaseMs * (1 - MARGIN);
    return leases.map(({ partition, epoch }, at) => {
      this.#held.set(partition, { epoch, deadline, commits: commits[at] });
      return { partition, epoch, deadline };
    });
  }

  async #renew(leases: readonly PartitionLease[]): Promise<PartitionLease[]> {
    const ours = leases.filter((lease) => this.#heldBy(lease) !== undefined);
    if (ours.length === 0) return [];
    const asked = this.#process.clock.now();
    const kept = await this.#ask(() => this.#model.partitions.renew(ours));
    const deadline = asked + this.#store.leaseMs * (1 - MARGIN);
    return ours.flatMap((lease) => {
      const { partition, epoch } = lease;
      const held = this.#heldBy(lease);
      if (held === undefined || !kept.some((one) => one.partition === partition && one.epoch === epoch)) {
        this.#drop(lease);
        return [];
      }
      held.deadline = deadline;
      return [{ partition, epoch, deadline }];
    });
  }

  async #release(leases: readonly PartitionLease[]): Promise<void> {
    const ours = leases.filter((lease) => this.#heldBy(lease) !== undefined);
    for (const lease of ours) this.#drop(lease);
    await Promise.all(ours.map((lease) => this.#write(lease, () => this.#model.partitions.release([lease]))));
  }

  async #open(lease: PartitionLease): Promise<OwnedPartition> {
    if (this.#heldBy(lease) === undefined) throw lost(lease);
    const { frontier } = await this.#write(lease, () => this.#model.open(lease)).catch((error: unknown) => {
      this.#drop(lease);
      throw error;
    });
    const mayBegin = (): boolean => {
      const held = this.#heldBy(lease);
      return held !== undefined && this.#process.clock.now() < held.deadline;
    };
    const write = <T>(apply: () => Promise<T>): Promise<T> => this.#write(lease, apply);
    const wired: Partial<OwnedPartition['frontier']> = {
      hosts: 0,
      unknown: (pages) => frontier.unknown(pages),
      counts: () => frontier.counts(),
      nextLinkBatch: () => frontier.nextLinkBatch(),
      add: (tasks) => write(() => frontier.add(tasks)),
      settle: (settlements) => write(() => frontier.settle(settlements)),
      accept: (messages) => write(() => frontier.accept(messages)),
      release: (claims) => write(() => frontier.release(claims)),
      claim: async (max): Promise<Claim[]> => {
        const claims = mayBegin() ? await write(() => frontier.claim(max)) : [];
        if (claims.length === 0 || mayBegin()) return claims;
        await write(() => frontier.release(claims));
        return [];
      },
      nextDue: async () => {
        if (this.#heldBy(lease) === undefined) throw lost(lease);
        const due = await frontier.nextDue();
        return due === undefined || mayBegin() ? due : Math.max(due, this.#process.clock.now() + RENEWAL_WAIT_MS);
      },
    };
    const pages = { digests: () => [] };
    return { lease, frontier: wired, pages, [Symbol.dispose]: () => {} } as unknown as OwnedPartition;
  }

  #nodes(): Nodes {
    const [store, name] = [this.#store, this.#name];
    const view = (): Promise<ClusterView> => this.#view();
    const held = this.#held;
    const told = (report: NodeReport, isFirst: boolean): void => {
      const now = store.clock.now();
      const isDraining = store.nodes.get(name)?.isDraining === true && !isFirst;
      store.nodes.set(name, { report, seenAt: now, seenUntil: now + store.leaseMs, isDraining });
    };
    return {
      get held() {
        return [...held].map(([partition, { epoch, commits }]) => ({ partition, epoch, commits }));
      },
      beat: (report: NodeReport, isFirst = false) =>
        this.#ask(() => {
          told(report, isFirst);
          return view();
        }),
      tell: (report: NodeReport) => this.#ask(() => told(report, false)),
      leave: () =>
        this.#ask(() => {
          const row = store.nodes.get(name);
          if (row !== undefined) row.seenUntil = 0;
        }),
      view: () => this.#ask(view),
      drain: async () => false,
    };
  }

  /** Read in steps, between which others write. */
  async #view(): Promise<ClusterView> {
    const { clock, nodes, partitions, commits } = this.#store;
    const { world } = this.#process;
    const stateOf = (): string => JSON.stringify(partitions.map(({ epoch }, at) => [epoch, commits[at]]));
    const now = clock.now();
    const before = stateOf();
    await world.wait(world.between(0, 2));
    const records = [...nodes].map(([name, { report, seenAt, seenUntil, isDraining }]) => ({
      ...report,
      ...{ name, isDraining, isAlive: seenUntil > now, lagMs: Math.max(0, now - seenAt) },
    }));
    await world.wait(world.between(0, 2));
    const pending = await this.#model.exchange.pending();
    await world.wait(world.between(0, 2));
    return {
      nodes: records,
      pending,
      partitions: partitions.map(({ epoch, owner }, partition) => ({
        ...{ partition, epoch, commits: commits[partition] },
        ...(owner === undefined ? {} : { node: owner.node }),
        hasLapsed: owner !== undefined && owner.until <= now,
      })),
      isStill: before === stateOf(),
    };
  }
}

function lost({ partition }: PartitionLease): OrbweaverError {
  return new OrbweaverError('PARTITION_LOST', `Partition ${partition} has another owner by now.`);
}
