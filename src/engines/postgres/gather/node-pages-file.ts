import { existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../base/clock.ts';
import type { KeptPages } from '../../../contracts/state/node-state.ts';
import { pagesPath } from '../../open-reader.ts';
import { binaryArray } from '../binary-array.ts';
import { PostgresConnection, type StepRunner, storeError } from '../connection.ts';
import { valuesOf } from '../load-partition.ts';
import { migrate } from '../migrate.ts';
import { requireTables, schemaOf } from '../open-postgres-state.ts';
import { OwnCopies } from '../own-copies.ts';
import { allPartitions } from '../postgres-partitions.ts';
import { LOAD_ROWS, pagesWith, STEPS, SURVEYS } from '../statements.ts';
import { TABLES, type Table } from '../tables.ts';
import { GatheredState } from './gathered-state.ts';

export interface NodePagesToWrite extends KeptPages {
  readonly url: string;
  /** Of the node. */
  readonly folder: string;
  /** Of its archive. */
  readonly writers: readonly string[];
  readonly clock: Clock;
}

const PAGE = TABLES.find(({ name }) => name === 'page') as Table;
const FACTS_AT = PAGE.columns.findIndex(({ name }) => name === 'facts');
const LEAST_FP = -(2n ** 63n);

/**
 * Writes the pages whose newest copies lie in the archive of a node into a file of its folder, where its index reads them. Whoever has
 * the file open sees what has changed.
 */
export async function writeNodePages(toWrite: NodePagesToWrite): Promise<void> {
  const { url, folder, writers, clock, onGone, onSetBack } = toWrite;
  const schema = schemaOf(url);
  await using store = new PostgresConnection({ url, schema });
  const path = pagesPath(folder);
  const fresh = `${path}.new`;
  rmSync(fresh, { force: true });
  try {
    const { count } = await requireTables(store, schema);
    await migrate(store, schema);
    const [[{ now }]] = await store.run([[STEPS.time]]);
    const shiftMs = Number(now) - clock.now();
    using gathered = new GatheredState({ path: fresh, firstHost: new Map(), shiftMs });
    for (let partition = 0; partition < count; partition++)
      for (const writer of writers) await gatherPages(store, partition, writer, gathered);
    const [files] = await store.run([[SURVEYS.archiveFiles, allPartitions(count), binaryArray('text', writers)]]);
    gathered.complete();
    const file = gathered.db.prepare('INSERT INTO archive_file VALUES (?, ?, ?)');
    for (const row of files) file.run(String(row.name), Number(row.file_end), Number(row.index_end));
    if (existsSync(path)) {
      await onGone(gathered.missingOf(path));
      if (gathered.isBehind(path)) await onSetBack();
    }
  } catch (error) {
    throw storeError(error);
  }
  if (!existsSync(path)) renameSync(fresh, path);
  else {
    takeOver(fresh, path);
    rmSync(fresh);
  }
}

/** Makes the pages of one file those of another, in one transaction. Nothing of what has left it stays on disk. */
function takeOver(fresh: string, path: string): void {
  using db = new DatabaseSync(path);
  db.exec(
    'PRAGMA busy_timeout = 30000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON',
  );
  db.prepare('ATTACH ? AS fresh').run(fresh);
  db.exec(`BEGIN IMMEDIATE;
    DELETE FROM page WHERE fp NOT IN (SELECT fp FROM fresh.page);
    INSERT OR REPLACE INTO page SELECT * FROM fresh.page EXCEPT SELECT * FROM main.page;
    DELETE FROM archive_file;
    INSERT INTO archive_file SELECT * FROM fresh.archive_file;
    COMMIT;
    DETACH fresh;
    PRAGMA wal_checkpoint(TRUNCATE)`);
}

async function gatherPages(
  store: StepRunner,
  partition: number,
  writer: string,
  gathered: GatheredState,
): Promise<void> {
  const own = new OwnCopies([writer]);
  for (let after = LEAST_FP; ; ) {
    const [found] = await store.run([[pagesWith(PAGE), partition, `-${writer}.warc.gz"`, after]]);
    const rows = valuesOf(PAGE, found);
    gathered.fill(
      partition,
      PAGE,
      rows.filter((row) => own.has(row[FACTS_AT])),
    );
    if (rows.length < LOAD_ROWS) return;
    after = rows[rows.length - 1][0] as bigint;
  }
}
