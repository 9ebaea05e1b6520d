import { OrbweaverError } from '../../base/errors.ts';
import type { StoreView } from '../../contracts/state/node-state.ts';
import { openStoreView } from '../../engines/open-store.ts';
import { type CrawlRecord, readRecord } from './crawl-record.ts';

/** Opens a crawl of several nodes for those who look at it. Takes part in nothing. */
export async function openCluster(store: string): Promise<StoreView> {
  return await openStoreView(store);
}

/** How the crawl in a database is done. */
export async function readCrawlRecord(store: string): Promise<CrawlRecord> {
  await using cluster = await openCluster(store);
  const record = await readRecord(cluster.notes);
  if (record !== undefined) return record.value;
  throw new OrbweaverError(
    'STORE_NOT_A_CRAWL',
    'The crawl in this database has no seeds yet, or is done by one process.',
    {
      remedy:
        'Begin a crawl of several nodes with: orbweaver crawl URL --store … --partitions 64, in a schema of its own.',
    },
  );
}
