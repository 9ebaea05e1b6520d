import { OrbweaverError } from '../../base/errors.ts';
import type { FrontierOptions } from '../../contracts/state/frontier-options.ts';
import type { HostSpread, PartitionBy } from '../../frontier/partition-of.ts';
import type { StepRunner } from './connection.ts';

/** How a crawl is spread over partitions: fixed for its life. */
export interface CrawlSpread extends HostSpread {
  /** Of the crawl. */
  readonly id: string;
}

export interface SpreadParts {
  readonly store: StepRunner;
  readonly random: () => number;
  /** Of a crawl that begins. */
  readonly partitions: number;
  readonly partitionBy?: PartitionBy;
  readonly options: Pick<FrontierOptions, 'byDomain'>;
}

const plain = (text: string) => [{ name: '', text }] as const;

/** Undefined where nothing has begun. */
export async function readSpread(store: StepRunner): Promise<CrawlSpread | undefined> {
  // All columns: tables of an earlier version lack some.
  const [[row]] = await store.run([plain('SELECT * FROM store WHERE part = 0')]);
  if (row === undefined) return undefined;
  const by = row.spread_by === 'hierarchy' ? 'hierarchy' : 'site';
  return { id: String(row.id), count: Number(row.partitions), byDomain: row.by_domain === true, by };
}

/** Reads how the crawl is spread, and makes its partitions where it begins. */
export async function openSpread({
  store,
  random,
  partitions,
  partitionBy = 'site',
  options: { byDomain },
}: SpreadParts): Promise<CrawlSpread> {
  let spread = await readSpread(store);
  if (spread === undefined) {
    const id = Array.from({ length: 4 }, () => Math.floor(random() * 2 ** 32).toString(36)).join('-');
    await store.transact([
      plain(`INSERT INTO store (part, id, partitions, by_domain, spread_by)
        VALUES (0, '${id}', ${partitions}, ${byDomain}, '${partitionBy}')
        ON CONFLICT (part) DO NOTHING`),
      plain(`INSERT INTO owner (part, epoch, writer, commits, lease_until, busy)
        SELECT part, 0, 0, 0, 0, '{}' FROM generate_series(0, (SELECT partitions - 1 FROM store)) AS part
        ON CONFLICT (part) DO NOTHING`),
    ]);
    spread = (await readSpread(store)) as CrawlSpread;
  }
  if (byDomain && !spread.byDomain && spread.by === 'site' && spread.count > 1)
    throw new OrbweaverError(
      'SETTING_INVALID',
      'This crawl is spread by host: hosts of one domain have several owners.',
      {
        remedy: 'Begin another crawl, with the setting that keeps politeness by domain.',
      },
    );
  return spread;
}
