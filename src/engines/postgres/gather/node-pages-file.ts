import { existsSync, renameSync, rmSync } from 'node:fs';
import type { Clock } from '../../../base/clock.ts';
import type { Notes } from '../../../contracts/state/notes.ts';
import { pagesPath } from '../../open-reader.ts';
import { writeValue } from '../../sqlite/rows/write-value.ts';
import { PostgresConnection, type StepRunner, storeError } from '../connection.ts';
import { valuesOf } from '../load-partition.ts';
import { migrate } from '../migrate.ts';
import { requireTables, schemaOf } from '../open-postgres-state.ts';
import { allPartitions } from '../postgres-partitions.ts';
import { LOAD_ROWS, pagesWith, STEPS, SURVEYS } from '../statements.ts';
import { TABLES, type Table } from '../tables.ts';
import { GatheredState } from './gathered-state.ts';

export interface NodePagesToWrite {
  readonly url: string;
  /** Of the node. */
  readonly folder: string;
  readonly name: string;
  readonly clock: Clock;
  /** What the index needs to know of the run. */
  readonly home: Pick<Notes, 'read'>;
  /** Pages that were in the file before: another node has them by now, or they were deleted. Before the file is replaced. */
  readonly onGone: (urls: readonly string[]) => Promise<void>;
}

const PAGE = TABLES.find(({ name }) => name === 'page') as Table;
const LEAST_FP = -(2n ** 63n);
const OF_THE_RUN = ['run', 'excluded'];

/** Writes the pages whose newest copies lie in the archive of a node into a file of its folder, where its index reads them. */
export async function writeNodePages(toWrite: NodePagesToWrite): Promise<void> {
  const { url, folder, name, clock, home, onGone } = toWrite;
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
    const ending = `-${name}.warc.gz`;
    for (let partition = 0; partition < count; partition++) await gatherPages(store, partition, `${ending}"`, gathered);
    const [files] = await store.run([[SURVEYS.archiveFiles, allPartitions(count), ending]]);
    gathered.complete();
    const file = gathered.db.prepare('INSERT INTO archive_file VALUES (?, ?, ?)');
    for (const row of files) file.run(String(row.name), Number(row.file_end), Number(row.index_end));
    for (const value of OF_THE_RUN) writeValue(gathered.db, value, home.read(value) ?? null);
    await onGone(existsSync(path) ? gathered.missingOf(path) : []);
  } catch (error) {
    throw storeError(error);
  }
  renameSync(fresh, path);
}

async function gatherPages(store: StepRunner, partition: number, text: string, gathered: GatheredState): Promise<void> {
  for (let after = LEAST_FP; ; ) {
    const [found] = await store.run([[pagesWith(PAGE), partition, text, after]]);
    const rows = valuesOf(PAGE, found);
    gathered.fill(partition, PAGE, rows);
    if (rows.length < LOAD_ROWS) return;
    after = rows[rows.length - 1][0] as bigint;
  }
}
