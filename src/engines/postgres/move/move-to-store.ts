import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Clock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import type { StoreView } from '../../../contracts/state/node-state.ts';
import type { PartitionLease } from '../../../contracts/state/partitions.ts';
import type { HostSpread } from '../../../frontier/partition-of.ts';
import { lockFolder } from '../../folder-lock.ts';
import { openState, openStateForReading, statePath } from '../../sqlite/state-database.ts';
import { markWorkingCopy, workingCopyOf } from '../../sqlite/working-copy-mark.ts';
import type { ColumnValue } from '../binary-array.ts';
import { PostgresConnection, type StepRunner, storeError } from '../connection.ts';
import { openSpread, readSpread } from '../crawl-spread.ts';
import { migrate } from '../migrate.ts';
import { schemaOf, viewOf } from '../open-postgres-state.ts';
import { PartitionWriter } from '../partition-writer.ts';
import { PostgresNotes } from '../postgres-notes.ts';
import { countRows } from '../statements.ts';
import { TABLES, type Table } from '../tables.ts';
import type { TableChanges } from '../working-copy.ts';
import { clockShift, type HeldPartitions, holdPartitions } from './hold-partitions.ts';
import { becomeNode, crawlOfNode } from './home-of-node.ts';
import { busyIn, spreadRows } from './spread-rows.ts';
import { makeStaging } from './staging.ts';
import { readMove, type UnfinishedMove, writeMove } from './unfinished-move.ts';

/** How a folder becomes that of the first of several nodes. */
export interface MoveToNodes {
  readonly spread: HostSpread;
  /** Of the node. A move that goes on keeps the one that it began with. */
  readonly name: string;
  /** Who wrote the archive of the folder. */
  readonly writers: readonly string[];
  /** Writes what nodes and readers look for beside the rows, which are all there. May be called again. */
  readonly publish: (store: Pick<StoreView, 'notes' | 'nodes'>, name: string) => Promise<void>;
}

export interface MoveToStore {
  readonly url: string;
  readonly folder: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onProgress: (rows: number) => void;
  /** Into several partitions; absent: one, which one process goes on with. */
  readonly nodes?: MoveToNodes;
}

/** Rows of one transaction. */
const MOST_ROWS = 5000;

/**
 * Copies the state of a folder into a database. As a crawl of one partition the state in the folder is its working copy from then on; of several, the folder is
 * that of a node. Killed, it goes on where it was when it is called again.
 */
export async function moveToStore(move: MoveToStore): Promise<number> {
  const { url, folder, clock, random, nodes } = move;
  const schema = schemaOf(url);
  using _lock = lockFolder(folder);
  await using store = new PostgresConnection({ url, schema });
  try {
    await migrate(store, schema);
    const before = await readSpread(store);
    if (before !== undefined && isMoved(folder, before.id)) {
      await writeMove(new PostgresNotes(store, before.count), null);
      return 0;
    }
    refuseNode(folder);
    // A folder of an earlier version gets its tables; its log goes into its file.
    openState(folder).close();
    const spread = before ?? (await openSpread({ store, random, ...spreadOf(nodes) }));
    const notes = new PostgresNotes(store, spread.count);
    using state = openStateForReading(folder);
    const name = nodes?.name;
    const from = `${hostname()}:${resolve(folder)}`;
    const unfinished: UnfinishedMove = { from, counters: countersOf(state), ...(name === undefined ? {} : { name }) };
    if (before === undefined) await writeMove(notes, unfinished);
    const begun = await refuseOther(notes, unfinished, spread, nodes?.spread);
    await using held = await holdPartitions(store, spread, clock);
    const shiftMs = await clockShift(store, clock);
    const staging = nodes === undefined ? undefined : makeStaging(folder);
    const spreadFile = staging === undefined ? undefined : join(staging, 'rows.db');
    const moved = await moveAll(move, store, held, shiftMs, state, spreadFile, spread);
    if (nodes === undefined || staging === undefined) markCopy(folder, spread.id);
    else {
      const node = begun.name ?? nodes.name;
      await nodes.publish(viewOf(store, spread.count), node);
      becomeNode(folder, staging, { name: node, store: spread.id, writers: nodes.writers });
    }
    await writeMove(notes, null);
    return moved;
  } catch (error) {
    throw storeError(error);
  }
}

function spreadOf(nodes: MoveToNodes | undefined): Omit<Parameters<typeof openSpread>[0], 'store' | 'random'> {
  const { count, by, byDomain } = nodes?.spread ?? { count: 1, by: 'site', byDomain: false };
  return { partitions: count, partitionBy: by, options: { byDomain } };
}

/** Rows to move: of a state that goes into one partition as it is, or of one that was spread. */
interface RowsToMove {
  readonly db: DatabaseSync;
  /** Those of the partition. */
  readonly where: string;
  readonly busy: readonly number[];
}

async function moveAll(
  { folder, clock, onProgress, nodes }: MoveToStore,
  store: PostgresConnection,
  held: HeldPartitions,
  shiftMs: number,
  state: DatabaseSync,
  spreadFile: string | undefined,
  spread: HostSpread,
): Promise<number> {
  const asked = state.prepare('SELECT DISTINCT host FROM lease').all() as { host: number }[];
  const busyHosts = asked.map(({ host }) => host);
  let moved = 0;
  const moveFrom = async (rows: RowsToMove, lease: PartitionLease): Promise<void> => {
    for await (const some of movedRows(rows, { store, clock, held, lease, shiftMs })) {
      moved += some;
      onProgress(moved);
    }
  };
  if (nodes === undefined || spreadFile === undefined) {
    await moveFrom({ db: state, where: 'TRUE', busy: busyHosts }, held.leases[0]);
    return moved;
  }
  using db = spreadRows(statePath(folder), spreadFile, spread);
  for (const lease of held.leases) {
    const { partition } = lease;
    const busy = busyIn(db, partition, busyHosts);
    await moveFrom({ db, where: `part = ${partition}`, busy }, lease);
  }
  return moved;
}

interface Target {
  readonly store: PostgresConnection;
  readonly clock: Clock;
  readonly held: HeldPartitions;
  readonly lease: PartitionLease;
  readonly shiftMs: number;
}

/** Moves what is not there yet, table after table. Answers how many rows each transaction had. */
async function* movedRows(rows: RowsToMove, { store, clock, held, lease, shiftMs }: Target): AsyncGenerator<number> {
  const { partition, epoch } = lease;
  const { db, where, busy } = rows;
  const counts = new Map(TABLES.map((table) => [table, countIn(db, table, where)]));
  if ([...counts.values()].every((count) => count === 0)) return;
  let pending: readonly TableChanges[] = [];
  const writer = new PartitionWriter({
    ...{ store, sleep: (ms) => clock.sleep(ms), partition, epoch },
    commits: held.partitions.held(lease)?.commits ?? 0,
    takeChanges: () => ({ tables: pending, messages: [], busy }),
    onLost: () => {},
  });
  const there = await countsThere(store, partition);
  for (const table of TABLES)
    for (const some of rowsToMove(rows, table, there.get(table) ?? 0, shiftMs)) {
      pending = [{ table, inserted: some, updated: [], removed: [] }];
      if (!(await writer.flush())) throw new OrbweaverError('PARTITION_LOST', 'Somebody else took the crawl.');
      yield some.length;
    }
  pending = [];
  await writer.flush();
  await requireAll(store, partition, counts);
}

async function countsThere(store: StepRunner, partition: number): Promise<Map<Table, number>> {
  const counted = await store.run(TABLES.map((table) => [countRows(table), partition]));
  return new Map(TABLES.map((table, at) => [table, Number(counted[at][0].rows)]));
}

/** In the order of their keys, without those that are there already: transactions keep the order. */
function* rowsToMove(
  { db, where }: RowsToMove,
  table: Table,
  there: number,
  shiftMs: number,
): Generator<ColumnValue[][]> {
  const keys = table.key.map(({ name }) => name).join(', ');
  const columns = table.columns.map(({ name }) => name).join(', ');
  const select = (after: string, from = ''): StatementSync => {
    const statement = db.prepare(
      `SELECT ${columns} FROM ${table.name} WHERE ${where} ${after} ORDER BY ${keys} LIMIT ${MOST_ROWS} ${from}`,
    );
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    return statement;
  };
  const after = select(`AND (${keys}) > (${table.key.map(() => '?').join(', ')})`);
  let rows = select('', `OFFSET ${there}`).all();
  while (rows.length > 0) {
    const values = rows as unknown as ColumnValue[][];
    yield values.map((row) => row.map((value, at) => shifted(table, at, value, shiftMs)));
    rows = after.all(...table.keyAt.map((at) => values[values.length - 1][at]));
  }
}

function shifted({ columns }: Table, at: number, value: ColumnValue, ms: number): ColumnValue {
  return columns[at].isTime && typeof value === 'number' && value !== 0 ? value + ms : value;
}

/** What was moved is all that is there. */
async function requireAll(store: StepRunner, partition: number, counts: ReadonlyMap<Table, number>): Promise<void> {
  const there = await countsThere(store, partition);
  for (const [table, rows] of counts)
    if (there.get(table) !== rows)
      throw new OrbweaverError('STORE_FAILED', `The table ${table.name} has ${there.get(table)} rows of ${rows}.`, {
        remedy: 'Drop the schema that ?schema= of --to names (orbweaver by default), and move the crawl again.',
      });
}

function countIn(db: DatabaseSync, { name }: Table, where: string): number {
  return (db.prepare(`SELECT count(*) AS rows FROM ${name} WHERE ${where}`).get() as { rows: number }).rows;
}

function isMoved(folder: string, id: string): boolean {
  using db = openStateForReading(folder);
  return workingCopyOf(db) === id || crawlOfNode(db) === id;
}

/** Its rows are in a database already. */
function refuseNode(folder: string): void {
  using db = openStateForReading(folder);
  if (crawlOfNode(db) === undefined) return;
  throw new OrbweaverError('SETTING_INVALID', `${folder} is the folder of a node of a crawl in another database.`, {
    remedy: 'Move that crawl into a folder first: orbweaver migrate --from postgres://… --to DIR',
  });
}

function countersOf(db: DatabaseSync): string {
  const row = db.prepare("SELECT value FROM meta WHERE name = 'counters'").get() as { value: string } | undefined;
  return row?.value ?? '';
}

/** Answers how the move was begun. */
async function refuseOther(
  notes: PostgresNotes,
  { from, counters }: UnfinishedMove,
  there: HostSpread,
  wanted: HostSpread = { count: 1, by: there.by, byDomain: there.byDomain },
): Promise<UnfinishedMove> {
  const begun = (await readMove(notes))?.value ?? undefined;
  const isSpreadSo = there.count === wanted.count && there.by === wanted.by && there.byDomain === wanted.byDomain;
  if (begun?.from === from && begun.counters === counters && isSpreadSo) return begun;
  const how = `${there.count} ${there.count === 1 ? 'partition' : 'partitions'}, by ${there.by}${there.byDomain ? ' and domain' : ''}`;
  throw new OrbweaverError(
    'SETTING_INVALID',
    begun?.from !== from
      ? 'This database holds a crawl already.'
      : begun.counters !== counters
        ? 'The crawl was continued in its folder since it began to be moved.'
        : `The crawl began to be moved in another way: ${how}.`,
    { remedy: 'Name another database or ?schema= with --to, or drop the schema if it is not needed.' },
  );
}

function markCopy(folder: string, id: string): void {
  using db = openState(folder);
  markWorkingCopy(db, id);
}
