import { OrbweaverError } from '../../base/errors.ts';
import type { ChangeLog } from '../../contracts/change-log.ts';
import type { CrawlTask, Outcome, RefusedBy } from '../../contracts/crawl-task.ts';
import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import type { PartitionLease } from '../../contracts/state/partitions.ts';
import type { PlannedPage, PlannedVisit, SettledPage } from '../../contracts/state/settled-page.ts';
import type { SketchKeeper } from '../../contracts/state/sketch-keeper.ts';
import type { PageReader, SettledBytes } from '../../contracts/state/state-reader.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import type { SqlitePartition } from '../sqlite/sqlite-partition.ts';
import type { AskedHosts } from './asked-hosts.ts';
import type { PartitionWriter } from './partition-writer.ts';
import { PostgresFrontier } from './postgres-frontier.ts';
import type { PostgresPartitions } from './postgres-partitions.ts';

export interface PartitionParts {
  /** Over the working copy. */
  readonly local: SqlitePartition;
  readonly writer: PartitionWriter;
  readonly asked: Pick<AskedHosts, 'areNamed'>;
  readonly partitions: PostgresPartitions;
  readonly now: () => number;
  /** Closes the working copy. */
  readonly close: () => void;
}

/** A partition for its owner. It reads what is in the working copy; what changes is durable when the call resolves. */
export class PostgresPartition implements OwnedPartition {
  readonly lease: PartitionLease;
  readonly frontier: PostgresFrontier;
  readonly pages: PageReader;
  readonly sketches: SketchKeeper;
  readonly changes: ChangeLog;
  readonly #local: SqlitePartition;
  readonly #writer: PartitionWriter;
  readonly #partitions: PostgresPartitions;
  readonly #close: () => void;

  constructor({ local, writer, asked, partitions, now, close }: PartitionParts) {
    const { lease } = local;
    this.lease = lease;
    this.#local = local;
    this.#writer = writer;
    this.#partitions = partitions;
    this.#close = close;
    this.pages = local.pages;
    this.sketches = local.sketches;
    this.changes = local.changes;
    this.frontier = new PostgresFrontier({
      local: local.frontier,
      flush: (haste) => writer.flush(haste),
      hurry: () => writer.hurry(),
      areNamed: () => asked.areNamed,
      mayBegin: () => partitions.mayBegin(lease),
      requireOwned: () => this.#requireOwned(),
      now,
    });
  }

  archiveFiles(): Map<string, SettledBytes> {
    return this.#local.archiveFiles();
  }

  read<T>(name: string): T | undefined {
    return this.#local.read(name);
  }

  write(name: string, value: unknown): void {
    this.#requireOwned();
    this.#local.write(name, value);
  }

  learningJournal(): Iterable<Uint8Array> {
    return this.#local.learningJournal();
  }

  writeLearnt(name: string, value: unknown): void {
    this.#requireOwned();
    this.#local.writeLearnt(name, value);
  }

  checkpointAside(): AsyncDisposable {
    return this.#local.checkpointAside();
  }

  /** Mostly nothing comes in, and nothing is to be written. */
  async reconsider(
    admits: (task: CrawlTask, by: RefusedBy) => boolean,
    reasons?: readonly RefusedBy[],
  ): Promise<number> {
    const admitted = await this.#local.reconsider(admits, reasons);
    return admitted === 0 ? 0 : await this.#durably(Promise.resolve(admitted));
  }

  planVisits(
    next: (page: SettledPage) => number | PlannedVisit | undefined,
    options?: { readonly lane?: number; readonly urls?: readonly CanonicalUrl[] },
  ): Promise<number> {
    return this.#durably(this.#local.planVisits(next, options));
  }

  planRound(startedAt: number, why: string): Promise<void> {
    return this.#durably(this.#local.planRound(startedAt, why));
  }

  plannedPages(after: number): Generator<PlannedPage[]> {
    return this.#local.plannedPages(after);
  }

  anyPlannedAfter(at: number): boolean {
    return this.#local.anyPlannedAfter(at);
  }

  retry(wanted: (outcome: Outcome) => boolean, urls?: readonly CanonicalUrl[]): Promise<number> {
    return this.#durably(this.#local.retry(wanted, urls));
  }

  /** The partition stays owned, and its working copy open, until the state is closed or has given it back. */
  [Symbol.dispose](): void {
    if (this.#partitions.held(this.lease) === undefined) this.#close();
  }

  #flush(): Promise<boolean> {
    return this.#writer.flush();
  }

  async #durably<T>(change: Promise<T>): Promise<T> {
    const result = await change;
    if (!(await this.#flush())) this.#requireOwned();
    return result;
  }

  #requireOwned(): void {
    if (!this.#writer.isLost && this.#partitions.held(this.lease) !== undefined) return;
    throw new OrbweaverError('PARTITION_LOST', `Partition ${this.lease.partition} has another owner by now.`);
  }
}
