import { OrbweaverError } from '../../base/errors.ts';
import { fingerprint } from '../../base/fingerprint.ts';
import type { FrontierOptions } from '../../contracts/state/frontier-options.ts';
import type { HostKey } from '../../contracts/url.ts';
import { registrableDomain } from '../../url/public-suffix.ts';
import type { StepRunner } from './connection.ts';

/** How a crawl is spread over partitions: fixed for its life. */
export interface CrawlSpread {
  /** Of the crawl. */
  readonly id: string;
  readonly count: number;
  readonly byDomain: boolean;
}

/** The partition of a host, for life. */
export function partitionOf(host: HostKey, { count, byDomain }: Pick<CrawlSpread, 'count' | 'byDomain'>): number {
  if (count === 1) return 0;
  const group = byDomain ? (registrableDomain(host.replace(/:\d+$/, '')) ?? host) : host;
  return Number(fingerprint(group) % BigInt(count));
}

export interface SpreadParts {
  readonly store: StepRunner;
  readonly random: () => number;
  /** Of a crawl that begins. */
  readonly partitions: number;
  readonly options: Pick<FrontierOptions, 'byDomain'>;
}

const plain = (text: string) => [{ name: '', text }] as const;

/** Undefined where nothing has begun. */
export async function readSpread(store: StepRunner): Promise<CrawlSpread | undefined> {
  const [[row]] = await store.run([plain('SELECT id, partitions, by_domain FROM store WHERE part = 0')]);
  if (row === undefined) return undefined;
  return { id: String(row.id), count: Number(row.partitions), byDomain: row.by_domain === true };
}

/** Reads how the crawl is spread, and makes its partitions where it begins. */
export async function openSpread({
  store,
  random,
  partitions,
  options: { byDomain },
}: SpreadParts): Promise<CrawlSpread> {
  let spread = await readSpread(store);
  if (spread === undefined) {
    const id = Array.from({ length: 4 }, () => Math.floor(random() * 2 ** 32).toString(36)).join('-');
    await store.transact([
      plain(`INSERT INTO store (part, id, partitions, by_domain) VALUES (0, '${id}', ${partitions}, ${byDomain})
        ON CONFLICT (part) DO NOTHING`),
      plain(`INSERT INTO owner (part, epoch, writer, commits, lease_until, busy)
        SELECT part, 0, 0, 0, 0, '{}' FROM generate_series(0, (SELECT partitions - 1 FROM store)) AS part
        ON CONFLICT (part) DO NOTHING`),
    ]);
    spread = (await readSpread(store)) as CrawlSpread;
  }
  if (byDomain && !spread.byDomain && spread.count > 1)
    throw new OrbweaverError(
      'SETTING_INVALID',
      'This crawl is spread by host: hosts of one domain have several owners.',
      {
        remedy: 'Begin another crawl, with the setting that keeps politeness by domain.',
      },
    );
  return spread;
}
