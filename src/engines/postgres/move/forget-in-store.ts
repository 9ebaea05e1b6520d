import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import type { ForgottenRows, PagesToForget } from '../../../contracts/state/forget.ts';
import type { PartitionLease } from '../../../contracts/state/partitions.ts';
import type { SettledBytes } from '../../../contracts/state/state-reader.ts';
import { forgetRows } from '../../forget/forget-rows.ts';
import { setArchiveFile } from '../../sqlite/rows/archive-file-rows.ts';
import { PostgresConnection, type StepRunner, storeError } from '../connection.ts';
import { loadPartition } from '../load-partition.ts';
import { migrate } from '../migrate.ts';
import { requireTables, schemaOf } from '../open-postgres-state.ts';
import { PartitionWriter } from '../partition-writer.ts';
import { TABLES } from '../tables.ts';
import { WorkingCopy } from '../working-copy.ts';
import { clockShift, type HeldPartitions, holdPartitions } from './hold-partitions.ts';

/** A crawl in a database from which pages are deleted. Nobody works on it until it is disposed of. */
export interface StoreForgetting extends AsyncDisposable {
  /** Partition after partition, a transaction each. Doing it twice changes nothing more. */
  forget(pages: PagesToForget): Promise<ForgottenRows>;
  /** What is left of archive files; undefined: nothing. */
  setArchiveFiles(files: ReadonlyMap<string, SettledBytes | undefined>): Promise<void>;
}

export async function openStoreForgetting(url: string, clock: Clock): Promise<StoreForgetting> {
  const schema = schemaOf(url);
  await using opened = new AsyncDisposableStack();
  const store = opened.use(new PostgresConnection({ url, schema }));
  try {
    const spread = await requireTables(store, schema);
    await migrate(store, schema);
    const held = opened.use(await holdPartitions(store, spread, clock));
    const changeAll = async <T>(change: (db: DatabaseSync) => T): Promise<T[]> => {
      const answers: T[] = [];
      for (const lease of held.leases) answers.push(await changePartition(store, held, lease, clock, change));
      return answers;
    };
    const parts = opened.move();
    return {
      async forget(pages) {
        const all = await changeAll((db) => forgetRows(db, pages));
        const sumOf = (key: keyof ForgottenRows): number => all.reduce((sum, rows) => sum + rows[key], 0);
        return { pages: sumOf('pages'), others: sumOf('others'), requeued: sumOf('requeued') };
      },
      async setArchiveFiles(files) {
        await changeAll((db) => {
          for (const [name, settled] of files) setArchiveFile(db, name, settled);
        });
      },
      [Symbol.asyncDispose]: () => parts.disposeAsync(),
    };
  } catch (error) {
    throw storeError(error);
  }
}

/** On a copy of its rows, whose changes follow to the database in one transaction. */
async function changePartition<T>(
  store: StepRunner,
  { partitions }: HeldPartitions,
  lease: PartitionLease,
  clock: Clock,
  change: (db: DatabaseSync) => T,
): Promise<T> {
  const { partition, epoch } = lease;
  const taken = partitions.held(lease);
  using copy = new WorkingCopy(':memory:', '', await clockShift(store, clock));
  await loadPartition(store, partition, TABLES, (table, rows) => copy.fill(table, rows));
  copy.record();
  copy.db.exec('BEGIN');
  const answer = change(copy.db);
  copy.db.exec('COMMIT');
  const writer = new PartitionWriter({
    ...{ store, sleep: (ms) => clock.sleep(ms), partition, epoch, commits: taken?.commits ?? 0 },
    takeChanges: () => ({ tables: copy.takeChanges(), messages: [], busy: taken?.busy ?? [] }),
    onCommit: (commits) => partitions.committed(lease, commits),
    onLost: () => partitions.drop(lease),
  });
  if (taken === undefined || !(await writer.flush()))
    throw new OrbweaverError('PARTITION_LOST', 'Somebody else took the crawl.', {
      remedy: 'Stop its nodes and run the same command again.',
    });
  return answer;
}
