import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../base/clock.ts';
import type { CrawlTask, Outcome, RefusedBy } from '../../contracts/crawl-task.ts';
import type { FrontierOptions } from '../../contracts/state/frontier-options.ts';
import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import type { PartitionLease } from '../../contracts/state/partitions.ts';
import type { PlannedPage, PlannedVisit, SettledPage } from '../../contracts/state/settled-page.ts';
import type { SettledBytes } from '../../contracts/state/state-reader.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { storageError } from '../storage-error.ts';
import { BackgroundCheckpoints } from './background-checkpoints.ts';
import type { Ownership } from './ownership.ts';
import { readArchiveFiles } from './rows/archive-file-rows.ts';
import { readValue } from './rows/read-value.ts';
import { SketchRows } from './rows/sketch-rows.ts';
import { writeValue } from './rows/write-value.ts';
import { SqliteChangeLog } from './sqlite-change-log.ts';
import { SqliteFrontier } from './sqlite-frontier.ts';
import { SqlitePageStore } from './sqlite-page-store.ts';
import { statePath } from './state-database.ts';
import { anyPlannedAfter, plannedPages, visitsOfRound, visitsToPlan, visitsToRetry } from './visit-plan.ts';

const RECONSIDER_BATCH = 1000;

export interface SqlitePartitionParts {
  readonly db: DatabaseSync;
  readonly folder: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly options: FrontierOptions;
  readonly ownership?: Ownership;
  /** Closes what is open for this partition alone. */
  readonly close?: () => void;
}

/** The whole state of a crawl folder, for its owner. */
export class SqlitePartition implements OwnedPartition {
  readonly lease: PartitionLease;
  readonly frontier: SqliteFrontier;
  readonly pages: SqlitePageStore;
  readonly sketches: SketchRows;
  readonly changes: SqliteChangeLog;
  readonly #db: DatabaseSync;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #close: () => void;

  constructor(lease: PartitionLease, { db, folder, clock, random, options, ownership, close }: SqlitePartitionParts) {
    this.lease = lease;
    this.#folder = folder;
    this.#clock = clock;
    this.#db = db;
    this.#close = close ?? (() => {});
    this.frontier = new SqliteFrontier(db, folder, clock, random, options, ownership);
    this.pages = new SqlitePageStore(db);
    this.sketches = new SketchRows(db);
    this.changes = new SqliteChangeLog(db);
  }

  /** How much of each archive file belongs to settled pages. */
  archiveFiles(): Map<string, SettledBytes> {
    return readArchiveFiles(this.#db);
  }

  /** A value that belongs to the crawl as a whole. */
  read<T>(name: string): T | undefined {
    return readValue(this.#db, name);
  }

  write(name: string, value: unknown): void {
    try {
      writeValue(this.#db, name, value);
    } catch (error) {
      throw storageError(error, this.#folder);
    }
  }

  /** What settlements have taught since `writeLearnt`, in their order. */
  *learningJournal(): Generator<Uint8Array> {
    for (const row of this.#db.prepare('SELECT events FROM learning ORDER BY number').iterate())
      yield (row as { events: Uint8Array }).events;
  }

  /** As `write`; the journal of learning up to now is part of the value, and goes. */
  writeLearnt(name: string, value: unknown): void {
    this.frontier.endChanges(() => {});
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      this.write(name, value);
      this.#db.exec('DELETE FROM learning; COMMIT');
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw storageError(error, this.#folder);
    }
  }

  /** Moves checkpoints out of this thread, for crawls whose rate makes them felt. */
  checkpointAside(): AsyncDisposable {
    return new BackgroundCheckpoints(this.#db, statePath(this.#folder));
  }

  /** Judges refused links again, all or those refused for some reasons; returns how many came in. */
  async reconsider(
    admits: (task: CrawlTask, by: RefusedBy) => boolean,
    reasons?: readonly RefusedBy[],
  ): Promise<number> {
    const only = reasons === undefined ? '' : `AND by IN (${reasons.map((by) => `'${by}'`).join(', ')})`;
    const select = this.#db.prepare(`SELECT fp, by, task FROM refusal WHERE fp > ? ${only} ORDER BY fp LIMIT ?`);
    select.setReadBigInts(true);
    let after = -(2n ** 63n);
    let admitted = 0;
    for (;;) {
      const rows = select.all(after, RECONSIDER_BATCH) as unknown as { fp: bigint; by: RefusedBy; task: string }[];
      if (rows.length === 0) return admitted;
      after = rows[rows.length - 1].fp;
      const welcome = rows
        .map((row) => ({ by: row.by, task: JSON.parse(row.task) as CrawlTask }))
        .filter(({ task, by }) => admits(task, by));
      admitted += await this.frontier.readmit(welcome.map(({ task }) => task));
      // A crawl goes on meanwhile.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  /**
   * Plans a next visit for settled pages that wait for none: a crawl that visited every URL once goes on visiting them again.
   * `next` answers when (undefined: not at all); pages that it left out it is asked about the next time too.
   */
  async planVisits(
    next: (page: SettledPage) => number | PlannedVisit | undefined,
    options: { readonly lane?: number; readonly urls?: readonly CanonicalUrl[] } = {},
  ): Promise<number> {
    let planned = 0;
    for (const visits of visitsToPlan(this.#db, next, options.lane ?? 0, options.urls)) {
      planned += this.frontier.planVisits(visits);
      // A crawl goes on meanwhile.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return planned;
  }

  /** Plans a visit at once for every page that was visited before a time. Done again, it plans what is missing. */
  async planRound(startedAt: number, why: string): Promise<void> {
    for (const visits of visitsOfRound(this.#db, startedAt, why)) {
      this.frontier.planVisits(visits);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  /** Pages whose next visit is planned for after a time, in slices. */
  plannedPages(after: number): Generator<PlannedPage[]> {
    return plannedPages(this.#db, after);
  }

  anyPlannedAfter(at: number): boolean {
    return anyPlannedAfter(this.#db, at);
  }

  /** Settled URLs that brought no page are asked for once more, where `wanted` says so; `urls`: of these alone. */
  async retry(wanted: (outcome: Outcome) => boolean, urls?: readonly CanonicalUrl[]): Promise<number> {
    let retried = 0;
    for (const visits of visitsToRetry(this.#db, wanted, this.#clock.now(), urls))
      retried += this.frontier.planVisits(visits);
    return retried;
  }

  [Symbol.dispose](): void {
    this.#close();
  }
}
