import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import type { StateReader } from '../../../contracts/state/state-reader.ts';
import { PostgresConnection, storeError } from '../connection.ts';
import { migrate } from '../migrate.ts';
import { requireTables, schemaOf } from '../open-postgres-state.ts';
import { allPartitions } from '../postgres-partitions.ts';
import { STEPS, SURVEYS } from '../statements.ts';
import { firstHosts, gatherTables } from './gather-tables.ts';
import { GatheredReader } from './gathered-reader.ts';
import { GatheredState } from './gathered-state.ts';
import { StorePages } from './store-pages.ts';

/** What is to be read of a crawl in a database; what is asked of single URLs is fetched when it is asked for. */
export type Gathered = 'urls' | 'sums' | 'pages' | 'duplicates' | 'changes' | 'site';

const TABLES_OF: Readonly<Record<Gathered, readonly string[]>> = {
  urls: ['meta', 'archive_file'],
  sums: ['meta', 'host', 'archive_file'],
  pages: ['meta', 'host', 'page'],
  duplicates: ['meta', 'host', 'page', 'likeness'],
  changes: ['meta', 'change'],
  site: ['meta', 'page', 'change', 'archive_file'],
};

/** Numbers that are left free between the hosts of two partitions: nodes at work find new ones meanwhile. */
const ROOM_FOR_HOSTS = 1_000_000;

/**
 * Reads a crawl in a database, whoever works on it. What it needs is copied into a file of this process alone, which ends with the
 * reader. Rows are of about one moment: nodes go on meanwhile.
 */
export async function openPostgresReader(url: string, wanted: Gathered, clock: Clock): Promise<StateReader> {
  const schema = schemaOf(url);
  await using opened = new AsyncDisposableStack();
  const folder = opened.adopt(mkdtempSync(join(tmpdir(), 'orbweaver-read-')), (made) =>
    rmSync(made, { recursive: true, force: true }),
  );
  const store = opened.use(new PostgresConnection({ url, schema }));
  try {
    const spread = await requireTables(store, schema);
    await migrate(store, schema);
    const { count } = spread;
    const firstHost = await firstHosts(store, count, ROOM_FOR_HOSTS);
    const [[{ now }]] = await store.run([[STEPS.time]]);
    const shiftMs = Number(now) - clock.now();
    const gathered = new GatheredState({ path: join(folder, 'state.db'), firstHost, shiftMs });
    opened.defer(() => gathered[Symbol.dispose]());
    await gatherTables(store, count, TABLES_OF[wanted], gathered);
    gathered.complete();
    if (wanted === 'sums') {
      const [lengths] = await store.run([[SURVEYS.queueLengths, allPartitions(count)]]);
      for (const { part, host, length } of lengths) gathered.setQueueLength(Number(part), Number(host), Number(length));
    }
    const parts = opened.move();
    return new GatheredReader(
      gathered.db,
      (local) => new StorePages({ store, spread, gathered, local }),
      () => void parts.disposeAsync(),
    );
  } catch (error) {
    throw storeError(error);
  }
}
