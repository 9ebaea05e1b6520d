import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { ArchiveLocation } from '../../contracts/archive-location.ts';
import type { CrawlState } from '../../contracts/state/crawl-state.ts';
import type { FrontierOptions } from '../../contracts/state/frontier-options.ts';
import type { KeptPages } from '../../contracts/state/node-state.ts';
import type { PartitionLease } from '../../contracts/state/partitions.ts';
import type { SettledBytes } from '../../contracts/state/state-reader.ts';
import type { PartitionBy } from '../../frontier/partition-of.ts';
import type { Ownership } from '../sqlite/ownership.ts';
import { readValue } from '../sqlite/rows/read-value.ts';
import { SqlitePartition } from '../sqlite/sqlite-partition.ts';
import type { AdaptOptions } from '../sqlite/sqlite-state.ts';
import { AskedHosts } from './asked-hosts.ts';
import { binaryArray } from './binary-array.ts';
import { type StepRunner, storeError, tellingErrors } from './connection.ts';
import { openSpread } from './crawl-spread.ts';
import { loadPartition } from './load-partition.ts';
import type { NodePagesJournal } from './node-pages-journal.ts';
import { OutgoingMessages } from './outgoing-messages.ts';
import { type PartitionChanges, PartitionWriter } from './partition-writer.ts';
import { PostgresExchange } from './postgres-exchange.ts';
import { PostgresNodes } from './postgres-nodes.ts';
import { PostgresNotes } from './postgres-notes.ts';
import { PostgresPartition } from './postgres-partition.ts';
import { PostgresPartitions, type TakenPartition } from './postgres-partitions.ts';
import { STEPS, SURVEYS } from './statements.ts';
import { TABLES } from './tables.ts';
import { WorkingCopies } from './working-copies.ts';
import { WorkingCopy } from './working-copy.ts';

export interface PostgresStateParts {
  readonly store: StepRunner & AsyncDisposable;
  readonly clock: Clock;
  /** By the clock of the store; asked of it where it is not given. */
  readonly storeTime?: () => Promise<number>;
  readonly random: () => number;
  readonly options: FrontierOptions;
  readonly adapt?: AdaptOptions;
  /** The name of this node. Of two processes under one name each takes the partitions of the other. */
  readonly node: string;
  readonly leaseMs: number;
  /** How the crawl is spread where it begins; one that exists keeps what it has. */
  readonly partitions: number;
  readonly partitionBy?: PartitionBy;
  /** How long settlements wait for others, of all partitions, to leave with them; absent: not at all. */
  readonly gatherMs?: number;
  /** Where the working copy of a partition lies; ':memory:' where it need not be looked at. */
  readonly copyPath: (partition: number) => string;
  /** Brings the file of the pages in the archive of this node up to date, and opens it to be kept so. */
  readonly openJournal?: (options: KeptPages) => Promise<NodePagesJournal>;
}

const ROUNDING_MS = 3;

/** The state of a crawl in PostgreSQL, as one node sees it. Its tables exist (`migrate`). */
export class PostgresState implements CrawlState {
  /** Of the crawl, whatever address its database has. */
  readonly id: string;
  readonly partitions: PostgresPartitions;
  readonly exchange: PostgresExchange;
  readonly notes: PostgresNotes;
  readonly nodes: PostgresNodes;
  readonly #parts: PostgresStateParts;
  readonly #storeTime: () => Promise<number>;
  readonly #copies = new WorkingCopies();
  /** The end of the time in which settlements are gathered. */
  #gathering: Promise<void> | undefined;
  #journal: NodePagesJournal | undefined;

  private constructor(
    parts: PostgresStateParts,
    id: string,
    storeTime: () => Promise<number>,
    partitions: PostgresPartitions,
  ) {
    const store = tellingErrors(parts.store);
    this.#parts = parts;
    this.id = id;
    this.#storeTime = storeTime;
    this.partitions = partitions;
    this.exchange = new PostgresExchange(store, partitions);
    this.notes = new PostgresNotes(store, partitions.count);
    this.nodes = new PostgresNodes({ ...parts, storeTime, partitions });
  }

  static async open(parts: PostgresStateParts): Promise<PostgresState> {
    const { clock, node, leaseMs } = parts;
    const store = tellingErrors(parts.store);
    const storeTime = parts.storeTime ?? (async () => Number((await store.run([[STEPS.time]]))[0][0].now));
    try {
      const { id, ...spread } = await openSpread(parts);
      const partitions = new PostgresPartitions({ store, clock, storeTime, node, leaseMs, ...spread });
      return new PostgresState(parts, id, storeTime, partitions);
    } catch (error) {
      throw storeError(error);
    }
  }

  async open(lease: PartitionLease): Promise<PostgresPartition> {
    const { partition, epoch } = lease;
    const taken = this.partitions.held(lease);
    if (taken === undefined) throw lost(partition);
    const { store, clock } = this.#parts;
    const { shiftMs, errorMs } = await this.#clockDistance().catch((error) => {
      this.partitions.drop(lease);
      throw storeError(error);
    });
    const path = this.#parts.copyPath(partition);
    const copy = this.#copies.open(partition, () => new WorkingCopy(path, this.id, shiftMs, errorMs));
    try {
      await loadPartition(store, partition, TABLES, (table, rows) => copy.fill(table, rows));
      copy.markBusy(taken.busy);
      copy.record();
      const messages = new OutgoingMessages(partition, this.partitions, () => clock.now() + shiftMs);
      const sleep = (ms: number): Promise<void> => clock.sleep(ms);
      const takeChanges = (isLast: boolean): PartitionChanges => ({
        // The fence refuses whatever comes of one that is abandoned.
        tables: copy.isAbandoned ? [] : local.frontier.endChanges(() => copy.takeChanges()),
        ...{ messages: messages.take(), busy: asked.toName(isLast) },
      });
      const writer = new PartitionWriter({
        ...{ store, sleep, partition, epoch, commits: taken.commits, takeChanges },
        onCommit: (count, tables) => {
          this.partitions.committed(lease, count);
          this.#journal?.take(tables, shiftMs);
        },
        onNamed: (hosts) => asked.named(hosts),
        gathering: () => this.#gathered(),
        onLost: () => this.partitions.drop(lease),
      });
      const local = this.#openLocal(lease, taken, copy, {
        isOwned: () => !writer.isLost && this.partitions.held(lease) !== undefined,
        neighbours: messages.batches,
      });
      const asked = new AskedHosts(local.frontier.outlook, () => clock.now());
      // Hosts that the owner before was asking rest from now on, for whoever comes next as well.
      if (!(await writer.flush())) throw lost(partition);
      this.partitions.opened(lease, {
        handOver: () => writer.finish([[STEPS.release, partition, epoch]]),
      });
      return new PostgresPartition({
        ...{ local, writer, asked, partitions: this.partitions, now: () => clock.now() },
        close: () => this.#copies.close(copy),
      });
    } catch (error) {
      this.#copies.close(copy);
      this.partitions.drop(lease);
      throw storeError(error);
    }
  }

  /** How much of the archive files of these writers belongs to settled pages, in whatever partition. */
  async archiveFiles(writers: readonly string[]): Promise<Map<string, SettledBytes>> {
    try {
      const [rows] = await this.#parts.store.run([
        [SURVEYS.archiveFiles, this.partitions.numbers, binaryArray('text', writers)],
      ]);
      return new Map(
        rows.map(({ name, file_end: fileEnd, index_end: indexEnd }) => [
          String(name),
          { fileEnd: Number(fileEnd), indexEnd: Number(indexEnd) },
        ]),
      );
    } catch (error) {
      throw storeError(error);
    }
  }

  async keepPages(options: KeptPages): Promise<void> {
    this.#journal = await this.#parts.openJournal?.(options);
  }

  settledUpTo(places: readonly ArchiveLocation[]): void {
    this.#journal?.settled(places);
  }

  /** Gives back what it holds, so that others need not wait for the end of its leases. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.partitions.releaseAll();
    } finally {
      this.#copies[Symbol.dispose]();
      this.#journal?.[Symbol.dispose]();
      await this.#parts.store[Symbol.asyncDispose]();
    }
  }

  /**
   * What the clock of the store is ahead, and by how much that may be too much; it is never too little. What is written is so never
   * early, and rests that are loaded get the error on top: none is cut short by the way to the store, however long that took.
   */
  async #clockDistance(): Promise<{ shiftMs: number; errorMs: number }> {
    const { clock } = this.#parts;
    const asked = clock.now();
    const ahead = (await this.#storeTime()) - asked;
    const shiftMs = Math.ceil(ahead);
    // The clocks of nodes count whole milliseconds.
    return { shiftMs, errorMs: clock.now() - asked + (shiftMs === ahead ? 0 : ROUNDING_MS) };
  }

  #openLocal(
    lease: PartitionLease,
    { asker, lapsedMs }: TakenPartition,
    { db }: WorkingCopy,
    { isOwned, neighbours }: Pick<Ownership, 'isOwned' | 'neighbours'>,
  ): SqlitePartition {
    const { clock, random, options, adapt, node, copyPath, gatherMs } = this.#parts;
    const isAlone = this.partitions.count === 1;
    return new SqlitePartition(lease, {
      ...{ db, clock, random, folder: join(copyPath(lease.partition), '..') },
      options: { ...options, ...adapt?.((name) => readValue(db, name)) },
      ownership: {
        isOwned,
        // A node that comes back under its name has ended before. Another began no request after the end of its lease.
        stillAskingMs: asker === undefined || asker === node ? 0 : Math.max(0, (options.maxRequestMs ?? 0) - lapsedMs),
        ...(isAlone ? {} : { neighbours }),
        // Page threads of a process that is alone look into its copy.
        isGathering: gatherMs !== undefined,
      },
    });
  }

  /** One time for all partitions: what they send leaves in one piece then. */
  #gathered(): Promise<void> {
    const { clock, gatherMs = 0 } = this.#parts;
    if (gatherMs === 0) return Promise.resolve();
    this.#gathering ??= clock.sleep(gatherMs).finally(() => {
      this.#gathering = undefined;
    });
    return this.#gathering;
  }
}

function lost(partition: number): OrbweaverError {
  return new OrbweaverError('PARTITION_LOST', `Partition ${partition} has another owner by now.`);
}
