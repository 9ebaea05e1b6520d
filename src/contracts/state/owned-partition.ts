import type { ChangeLog } from '../change-log.ts';
import type { CrawlTask, RefusedBy } from '../crawl-task.ts';
import type { Frontier } from '../frontier.ts';
import type { Outcome } from '../outcome.ts';
import type { CanonicalUrl } from '../url.ts';
import type { Notes } from './notes.ts';
import type { PartitionLease } from './partitions.ts';
import type { PlannedPage, PlannedVisit, SettledPage } from './settled-page.ts';
import type { SketchKeeper } from './sketch-keeper.ts';
import type { PageReader, SettledBytes } from './state-reader.ts';

/**
 * What the owner of a partition has: its frontier, and all that is kept in the same partition and written in the same transactions.
 * Open for writing by this process alone; an engine that can lose a partition fences every write by the epoch of the lease.
 */
export interface OwnedPartition extends Notes, Disposable {
  readonly lease: PartitionLease;
  /** Rises whenever there comes in what another process has refused by what it had learnt itself; absent where none can. */
  readonly arrivals?: number;
  /** `hosts`: known so far. */
  readonly frontier: Frontier & { readonly hosts: number };
  readonly pages: PageReader;
  readonly sketches: SketchKeeper;
  readonly changes: ChangeLog;
  /** How much of each archive file belongs to settled pages. */
  archiveFiles(): Map<string, SettledBytes>;
  /** What settlements have taught since `writeLearnt`, in their order. */
  learningJournal(): Iterable<Uint8Array>;
  /** As `write`; the journal of learning up to now is part of the value, and goes. */
  writeLearnt(name: string, value: unknown): void;
  /** Moves checkpoints of the files out of this thread, for crawls whose rate makes it felt. */
  checkpointAside(): AsyncDisposable;
  /** Judges refused links again, all or those refused for some reasons; answers how many came in. */
  reconsider(admits: (task: CrawlTask, by: RefusedBy) => boolean, reasons?: readonly RefusedBy[]): Promise<number>;
  /**
   * Plans a next visit for settled pages that wait for none: a crawl that visited every URL once goes on visiting them again.
   * `next` answers when (undefined: not at all); pages that it left out it is asked about the next time too. `urls`: of these alone.
   */
  planVisits(
    next: (page: SettledPage) => number | PlannedVisit | undefined,
    options?: { readonly lane?: number; readonly urls?: readonly CanonicalUrl[] },
  ): Promise<number>;
  /** Plans a visit at once for every page that was visited before a time. Done again, it plans what is missing. */
  planRound(startedAt: number, why: string): Promise<void>;
  /** Pages whose next visit is planned for after a time, in slices: plans may change meanwhile. */
  plannedPages(after: number): Generator<PlannedPage[]>;
  anyPlannedAfter(at: number): boolean;
  /** Settled URLs that brought no page are asked for once more, where `wanted` says so; `urls`: of these alone. */
  retry(wanted: (outcome: Outcome) => boolean, urls?: readonly CanonicalUrl[]): Promise<number>;
}
