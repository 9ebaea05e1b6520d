import type { ChangeLog, ChangeQuery, LoggedChange } from '../../contracts/change-log.ts';
import type { CrawlTask, Outcome, RefusedBy } from '../../contracts/crawl-task.ts';
import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import type { PartitionLease } from '../../contracts/state/partitions.ts';
import type { PlannedPage, PlannedVisit, SettledPage } from '../../contracts/state/settled-page.ts';
import type { SettledBytes } from '../../contracts/state/state-reader.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { NodeFrontier, type NodeFrontierParts } from './node-frontier.ts';
import { NodePages } from './node-pages.ts';
import { NodeSketches } from './node-sketches.ts';

export interface NodeShareParts extends Omit<NodeFrontierParts, 'keepLearnt'> {
  /** The state in the folder of the node: what it has learnt, and how it is run. No page and no URL of the crawl is in it. */
  readonly home: OwnedPartition;
  readonly archiveFiles: ReadonlyMap<string, SettledBytes>;
}

/** All that a node has of a crawl, for one conductor: its partitions as if they were one, and what belongs to the node itself. */
export class NodeShare implements OwnedPartition {
  readonly lease: PartitionLease;
  readonly frontier: NodeFrontier;
  readonly pages: NodePages;
  readonly sketches: NodeSketches;
  readonly changes: ChangeLog;
  readonly #parts: NodeShareParts;

  constructor(parts: NodeShareParts) {
    const { partitions, home } = parts;
    this.#parts = parts;
    this.lease = home.lease;
    this.frontier = new NodeFrontier({
      ...parts,
      keepLearnt: async (learnt) => {
        await home.frontier.settle([], learnt);
      },
    });
    this.pages = new NodePages(partitions);
    this.sketches = new NodeSketches(partitions);
    this.changes = {
      *changes(query: ChangeQuery): Generator<LoggedChange> {
        for (const { partition } of partitions.all) yield* partition.changes.changes(query);
      },
    };
  }

  get arrivals(): number {
    return this.#parts.partitions.arrivals;
  }

  archiveFiles(): Map<string, SettledBytes> {
    return new Map(this.#parts.archiveFiles);
  }

  read<T>(name: string): T | undefined {
    return this.#parts.home.read(name);
  }

  write(name: string, value: unknown): void {
    this.#parts.home.write(name, value);
  }

  learningJournal(): Iterable<Uint8Array> {
    return this.#parts.home.learningJournal();
  }

  writeLearnt(name: string, value: unknown): void {
    this.#parts.home.writeLearnt(name, value);
  }

  checkpointAside(): AsyncDisposable {
    return this.#parts.home.checkpointAside();
  }

  async reconsider(
    admits: (task: CrawlTask, by: RefusedBy) => boolean,
    reasons?: readonly RefusedBy[],
  ): Promise<number> {
    return await this.#sum((partition) => partition.reconsider(admits, reasons));
  }

  async planVisits(
    next: (page: SettledPage) => number | PlannedVisit | undefined,
    options?: { readonly lane?: number; readonly urls?: readonly CanonicalUrl[] },
  ): Promise<number> {
    return await this.#sum((partition) => partition.planVisits(next, options));
  }

  async planRound(startedAt: number, why: string): Promise<void> {
    await this.#parts.partitions.askAll((partition) => partition.planRound(startedAt, why), undefined);
  }

  *plannedPages(after: number): Generator<PlannedPage[]> {
    for (const { partition } of this.#parts.partitions.all) yield* partition.plannedPages(after);
  }

  anyPlannedAfter(at: number): boolean {
    return this.#parts.partitions.all.some(({ partition }) => partition.anyPlannedAfter(at));
  }

  async retry(wanted: (outcome: Outcome) => boolean, urls?: readonly CanonicalUrl[]): Promise<number> {
    return await this.#sum((partition) => partition.retry(wanted, urls));
  }

  [Symbol.dispose](): void {}

  /** One partition after the other: what is gone through may be long. */
  async #sum(call: (partition: OwnedPartition) => Promise<number>): Promise<number> {
    const { partitions } = this.#parts;
    partitions.changed();
    let sum = 0;
    for (const attached of partitions.all)
      if (partitions.isAttached(attached)) sum += await partitions.ask(attached, call, 0);
    return sum;
  }
}
