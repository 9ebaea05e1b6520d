import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import type { CrawlState } from '../../contracts/state/crawl-state.ts';
import type { FrontierOptions } from '../../contracts/state/frontier-options.ts';
import type { NodeState, StoreView } from '../../contracts/state/node-state.ts';
import type { PartitionBy } from '../../frontier/partition-of.ts';
import { lockFolder } from '../folder-lock.ts';
import type { AdaptOptions } from '../sqlite/sqlite-state.ts';
import { openStateForReading, statePath } from '../sqlite/state-database.ts';
import { workingCopyOf } from '../sqlite/working-copy-mark.ts';
import { storageError } from '../storage-error.ts';
import { PostgresConnection, type StepRunner, storeError } from './connection.ts';
import { type CrawlSpread, readSpread } from './crawl-spread.ts';
import { GATHER_MS } from './gather-ms.ts';
import { LeaseRenewal } from './lease-renewal.ts';
import { migrate } from './migrate.ts';
import { refuseUnfinishedMove } from './move/unfinished-move.ts';
import { PostgresNodes } from './postgres-nodes.ts';
import { PostgresNotes } from './postgres-notes.ts';
import { allPartitions } from './postgres-partitions.ts';
import { PostgresState, type PostgresStateParts } from './postgres-state.ts';
import { STEPS } from './statements.ts';

export interface StoreToOpen {
  /** The address of the database. */
  readonly url: string;
  /** Holds the working copy; one process at a time has it. */
  readonly folder: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly options: FrontierOptions;
  readonly adapt?: AdaptOptions;
}

/** Another node may take over after so long without a sign of life. */
const LEASE_MS = 30_000;
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * The state of a crawl that one process does, with a single partition. Its working copy is the state of the folder, so that
 * whatever reads a folder reads it.
 */
export async function openPostgresState({
  url,
  folder,
  clock,
  random,
  options,
  adapt,
}: StoreToOpen): Promise<CrawlState> {
  makeFolder(folder);
  const schema = schemaOf(url);
  await using opened = new AsyncDisposableStack();
  opened.use(lockFolder(folder));
  const store = new PostgresConnection({ url, schema });
  opened.use(store);
  try {
    await migrate(store, schema);
    const state = await PostgresState.open({
      ...{ store, clock, random, options, leaseMs: LEASE_MS, partitions: 1 },
      // The lock of the folder lets in one process at a time: that before has ended.
      node: `${hostname()}:${resolve(folder)}`,
      copyPath: () => statePath(folder),
      ...(adapt === undefined ? {} : { adapt }),
    });
    if (state.partitions.count > 1)
      throw new OrbweaverError('SETTING_INVALID', 'This database holds a crawl of several partitions.', {
        remedy: 'Take part in it with: orbweaver node --store … Or name another database or ?schema= with --store.',
      });
    await refuseUnfinishedMove(state.notes);
    refuseOther(folder, state.id);
    opened.use(state);
    opened.use(new LeaseRenewal(state.partitions, clock, LEASE_MS));
    const parts = opened.move();
    return {
      partitions: state.partitions,
      exchange: state.exchange,
      notes: state.notes,
      open: (lease) => state.open(lease),
      [Symbol.asyncDispose]: () => parts.disposeAsync(),
    };
  } catch (error) {
    throw storeError(error);
  }
}

export interface NodeStoreToOpen extends Omit<StoreToOpen, 'folder'> {
  /** Of the node. */
  readonly name: string;
  readonly leaseMs: number;
  /** Of a crawl that begins; absent: there must be one. */
  readonly partitions?: number;
  readonly partitionBy?: PartitionBy;
  /** Holds the working copies. */
  readonly copies: string;
  readonly openJournal: NonNullable<PostgresStateParts['openJournal']>;
}

/** The state of a crawl as one of its nodes sees it. The node renews its leases itself. */
export async function openPostgresNode(options: NodeStoreToOpen): Promise<NodeState> {
  const {
    url,
    clock,
    random,
    options: frontier,
    adapt,
    name,
    leaseMs,
    partitions,
    partitionBy,
    copies,
    openJournal,
  } = options;
  const schema = schemaOf(url);
  await using opened = new AsyncDisposableStack();
  const store = opened.use(new PostgresConnection({ url, schema }));
  try {
    if (partitions === undefined) await requireTables(store, schema);
    await migrate(store, schema);
    // What is in them is in the database.
    rmSync(copies, { recursive: true, force: true });
    mkdirSync(copies, { recursive: true });
    const state = await PostgresState.open({
      ...{ store, clock, random, options: frontier, leaseMs, node: name, partitions: partitions ?? 1, openJournal },
      gatherMs: GATHER_MS,
      ...(partitionBy === undefined ? {} : { partitionBy }),
      copyPath: (partition) => join(copies, `${partition}.db`),
      ...(adapt === undefined ? {} : { adapt }),
    });
    if (state.partitions.count === 1)
      throw new OrbweaverError(
        'STORE_NOT_A_CRAWL',
        'The crawl in this database has one partition: one process does it.',
        {
          remedy:
            'Begin a crawl of several nodes with: orbweaver crawl URL --store … --partitions 64, in a schema of its own.',
        },
      );
    await refuseUnfinishedMove(state.notes);
    opened.move();
    return state;
  } catch (error) {
    throw storeError(error);
  }
}

/** A crawl that exists, for who looks at it. Nothing is written but the tables that a later version needs. */
export async function openPostgresView(url: string): Promise<StoreView> {
  const schema = schemaOf(url);
  await using opened = new AsyncDisposableStack();
  const store = opened.use(new PostgresConnection({ url, schema }));
  try {
    const { count } = await requireTables(store, schema);
    await migrate(store, schema);
    const parts = opened.move();
    return { ...viewOf(store, count), [Symbol.asyncDispose]: () => parts.disposeAsync() };
  } catch (error) {
    throw storeError(error);
  }
}

/** What the whole crawl is told of, for who takes no part in it. */
export function viewOf(store: StepRunner, count: number): Pick<StoreView, 'notes' | 'nodes'> {
  const storeTime = async (): Promise<number> => Number((await store.run([[STEPS.time]]))[0][0].now);
  const partitions = { numbers: allPartitions(count), allHeld: [] };
  return {
    notes: new PostgresNotes(store, count),
    nodes: new PostgresNodes({ store, storeTime, partitions, node: '', leaseMs: 0 }),
  };
}

/** What is no table: the schema was never made. */
const UNDEFINED = ['42P01', '3F000'];

/** Who only wants to look or to join makes no crawl. Answers how it is spread. */
export async function requireTables(store: StepRunner, schema: string): Promise<CrawlSpread> {
  try {
    const spread = await readSpread(store);
    if (spread === undefined) throw Object.assign(new Error('no row'), { code: UNDEFINED[0] });
    return spread;
  } catch (cause) {
    if (!UNDEFINED.includes(String((cause as { code?: unknown }).code))) throw cause;
    throw new OrbweaverError('STORE_NOT_A_CRAWL', `There is no crawl in the schema ${schema} of this database.`, {
      remedy:
        'Begin one with: orbweaver crawl URL --store … --partitions 64. Or name its schema with ?schema= of --store.',
      cause,
    });
  }
}

/** `?schema=` of the address: several crawls can share a database. */
export function schemaOf(url: string): string {
  const address = URL.parse(url);
  // It may hold a password, so it is not shown.
  if (address === null || !/^postgres(?:ql)?:$/.test(address.protocol))
    throw new OrbweaverError('SETTING_INVALID', 'This is not the address of a PostgreSQL database.', {
      remedy: 'Write it as postgres://user@host/database.',
    });
  const schema = address.searchParams.get('schema') ?? 'orbweaver';
  if (SCHEMA.test(schema)) return schema;
  throw new OrbweaverError('SETTING_INVALID', `${schema} is no name of a schema.`, {
    remedy: 'Use lower-case letters, digits and underscores in ?schema= of --store.',
  });
}

/** What is in the folder would be replaced by what is in the database. */
function refuseOther(folder: string, id: string): void {
  if (!existsSync(statePath(folder))) return;
  const copied = copiedStore(folder);
  if (copied === id) return;
  throw new OrbweaverError(
    'SETTING_INVALID',
    copied === undefined
      ? `The crawl in ${folder} keeps its state in the folder, not in a database.`
      : `The crawl in ${folder} keeps its state in another database.`,
    {
      remedy: 'Choose another folder with --dir, or leave --store as it was when the crawl began. Nothing was changed.',
    },
  );
}

/** A damaged state does not say whose it is: it may be the only one. A repair would make it one. */
function copiedStore(folder: string): string | undefined {
  try {
    using db = openStateForReading(folder);
    return workingCopyOf(db);
  } catch (error) {
    const cause = storageError(error, folder);
    if (cause.code !== 'FOLDER_CORRUPT') throw cause;
    throw new OrbweaverError('FOLDER_CORRUPT', cause.message, {
      remedy: `If the crawl in ${folder} keeps its state in this database, delete state.db, state.db-wal and state.db-shm there: they are made again.`,
      cause,
    });
  }
}
