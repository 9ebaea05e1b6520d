/** A crawl with everything on and its index beside it, as `orbweaver crawl` runs it; to be run in a process of its own. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { resolveSettings } from '../../src/base/settings/resolve-settings.ts';
import type { Settings } from '../../src/base/settings/schema.ts';
import { openCrawl } from '../../src/crawl/assemble.ts';
import { type CrawlSummary, version } from '../../src/index.ts';
import { openHandOver } from '../../src/search/indexing/handed/hand-over-ports.ts';
import { indexFolder } from '../../src/search/indexing/index-folder.ts';
import { startFollowing } from '../../src/search/indexing/start-following.ts';
import { ThreadTimes } from './thread-times.ts';

export interface DefaultCrawlOptions {
  readonly folder: string;
  readonly seeds: readonly string[];
  readonly settings: Partial<Settings>;
}

export interface DefaultCrawl {
  readonly summary: CrawlSummary;
  readonly documents: number;
  readonly analysed: number;
  /** From the last page to the index that is complete. */
  readonly secondsToComplete: number;
  /** Bytes written to segments, for each byte that is left. */
  readonly writeAmplification: number;
  /** CPU seconds by kind of thread. */
  readonly threads: readonly (readonly [kind: string, seconds: number])[];
}

export async function measure({ folder, seeds, settings: overrides }: DefaultCrawlOptions): Promise<DefaultCrawl> {
  using times = new ThreadTimes();
  const { settings } = resolveSettings({ overrides });
  const handOver = openHandOver(settings);
  const handing = handOver === undefined ? {} : { handOver };
  await using crawl = await openCrawl({ folder, settings, version, ...handing });
  await crawl.addSeeds(seeds);
  const following = startFollowing(folder, handing);
  const summary = await crawl.run();
  const crawledAt = performance.now();
  await following.stop('finish');
  if (following.fault !== undefined) throw following.fault;
  if (following.report === undefined) throw new Error('The index was not filled.');
  const { total, analysed, bytesWritten } = following.report;
  return {
    ...{ summary, documents: total, analysed },
    secondsToComplete: (performance.now() - crawledAt) / 1000,
    writeAmplification: bytesWritten / bytesOf(indexFolder(folder)),
    threads: times.byKind(),
  };
}

function bytesOf(index: string): number {
  const segments = readdirSync(index).filter((file) => file.startsWith('segment-'));
  return segments.reduce((sum, file) => sum + statSync(join(index, file)).size, 0);
}
