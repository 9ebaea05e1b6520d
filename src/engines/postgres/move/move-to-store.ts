import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Clock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import { lockFolder } from '../../folder-lock.ts';
import { openState, openStateForReading } from '../../sqlite/state-database.ts';
import { markWorkingCopy, workingCopyOf } from '../../sqlite/working-copy-mark.ts';
import type { ColumnValue } from '../array-literal.ts';
import { PostgresConnection, type StepRunner, storeError } from '../connection.ts';
import { openSpread, readSpread } from '../crawl-spread.ts';
import { migrate } from '../migrate.ts';
import { schemaOf } from '../open-postgres-state.ts';
import { PartitionWriter } from '../partition-writer.ts';
import { PostgresNotes } from '../postgres-notes.ts';
import { countRows } from '../statements.ts';
import { TABLES, type Table } from '../tables.ts';
import type { TableChanges } from '../working-copy.ts';
import { clockShift, holdPartitions } from './hold-partitions.ts';
import { readMove, type UnfinishedMove, writeMove } from './unfinished-move.ts';

export interface MoveToStore {
  readonly url: string;
  readonly folder: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onProgress: (rows: number) => void;
}

/** Rows of one transaction. */
const MOST_ROWS = 5000;

/**
 * Copies the state of a folder into a database, as a crawl of one partition. The state in the folder is its working copy from then on. Killed, it
 * goes on where it was when it is called again.
 */
export async function moveToStore({ url, folder, clock, random, onProgress }: MoveToStore): Promise<number> {
  const schema = schemaOf(url);
  using _lock = lockFolder(folder);
  await using store = new PostgresConnection({ url, schema });
  try {
    await migrate(store, schema);
    const before = await readSpread(store);
    const notes = new PostgresNotes(store, 1);
    if (before !== undefined && isCopyOf(folder, before.id)) {
      await writeMove(notes, null);
      return 0;
    }
    // A folder of an earlier version gets its tables.
    openState(folder).close();
    using db = openStateForReading(folder);
    const spread = before ?? (await openSpread({ store, random, partitions: 1, options: { byDomain: false } }));
    const unfinished: UnfinishedMove = { from: `${hostname()}:${resolve(folder)}`, counters: countersOf(db) };
    if (before === undefined) await writeMove(notes, unfinished);
    else await refuseOther(notes, unfinished);
    await using held = await holdPartitions(store, spread, clock);
    const [lease] = held.leases;
    let pending: readonly TableChanges[] = [];
    const busy = (db.prepare('SELECT DISTINCT host FROM lease').all() as { host: number }[]).map(({ host }) => host);
    const writer = new PartitionWriter({
      ...{ store, sleep: (ms) => clock.sleep(ms), partition: 0, epoch: lease.epoch },
      commits: held.partitions.held(lease)?.commits ?? 0,
      takeChanges: () => ({ tables: pending, messages: [], busy }),
      onLost: () => {},
    });
    const shiftMs = await clockShift(store, clock);
    let moved = 0;
    for (const table of TABLES)
      for await (const rows of rowsToMove(store, db, table, shiftMs)) {
        pending = [{ table, inserted: rows, updated: [], removed: [] }];
        if (!(await writer.flush())) throw new OrbweaverError('PARTITION_LOST', 'Somebody else took the crawl.');
        moved += rows.length;
        onProgress(moved);
      }
    pending = [];
    await writer.flush();
    await requireAll(store, db);
    markCopy(folder, spread.id);
    await writeMove(notes, null);
    return moved;
  } catch (error) {
    throw storeError(error);
  }
}

/** In the order of their keys, without those that are there already: transactions keep the order. */
async function* rowsToMove(
  store: StepRunner,
  db: DatabaseSync,
  table: Table,
  shiftMs: number,
): AsyncGenerator<ColumnValue[][]> {
  const [[{ rows: moved }]] = await store.run([[countRows(table), 0]]);
  const keys = table.key.map(({ name }) => name).join(', ');
  const select = (where: string, from = ''): StatementSync => {
    const statement = db.prepare(`SELECT * FROM ${table.name} ${where} ORDER BY ${keys} LIMIT ${MOST_ROWS} ${from}`);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    return statement;
  };
  const after = select(`WHERE (${keys}) > (${table.key.map(() => '?').join(', ')})`);
  let rows = select('', `OFFSET ${Number(moved)}`).all();
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
async function requireAll(store: StepRunner, db: DatabaseSync): Promise<void> {
  const counted = await store.run(TABLES.map((table) => [countRows(table), 0]));
  for (const [at, { name }] of TABLES.entries()) {
    const { rows } = db.prepare(`SELECT count(*) AS rows FROM ${name}`).get() as { rows: number };
    if (Number(counted[at][0].rows) !== rows)
      throw new OrbweaverError('STORE_FAILED', `The table ${name} has ${counted[at][0].rows} rows of ${rows}.`, {
        remedy: 'Drop the schema that ?schema= of --to names (orbweaver by default), and move the crawl again.',
      });
  }
}

function isCopyOf(folder: string, id: string): boolean {
  using db = openStateForReading(folder);
  return workingCopyOf(db) === id;
}

function countersOf(db: DatabaseSync): string {
  const row = db.prepare("SELECT value FROM meta WHERE name = 'counters'").get() as { value: string } | undefined;
  return row?.value ?? '';
}

async function refuseOther(notes: PostgresNotes, { from, counters }: UnfinishedMove): Promise<void> {
  const begun = (await readMove(notes))?.value;
  if (begun?.from === from && begun.counters === counters) return;
  throw new OrbweaverError(
    'SETTING_INVALID',
    begun?.from === from
      ? 'The crawl was continued in its folder since it began to be moved.'
      : 'This database holds a crawl already.',
    { remedy: 'Name another database or ?schema= with --to, or drop the schema if it is not needed.' },
  );
}

function markCopy(folder: string, id: string): void {
  using db = openState(folder);
  markWorkingCopy(db, id);
}
