/**
 * Orbweaver as a library.
 *
 *     await using crawl = await createCrawl({ folder: 'my-crawl', seeds: ['https://example.org/'], maxPages: 100 });
 *     const summary = await crawl.run();
 *
 * Settings are those of docs/settings.md, in camel case; durations are milliseconds, sizes bytes.
 */
import { createRequire } from 'node:module';
import { resolveSettings } from './base/settings/resolve-settings.ts';
import type { Settings } from './base/settings/schema.ts';
import type { SearchService } from './contracts/search-service.ts';
import type { Seed } from './contracts/seed.ts';
import { openCrawl } from './crawl/assemble.ts';
import type { Crawl } from './crawl/crawl.ts';
import { loadPlugins, resolvePlugins } from './plugins/load-plugins.ts';
import { followCrawl } from './search/indexing/follow-crawl.ts';
import { openSearcher } from './search/open-searcher.ts';

export { ERROR_CODES, type ErrorCode, OrbweaverError } from './base/errors.ts';
export type { Settings } from './base/settings/schema.ts';
export type * from './contracts/archive.ts';
export type * from './contracts/change-log.ts';
export type * from './contracts/content/page.ts';
export type * from './contracts/content/robots.ts';
export type * from './contracts/content/topic.ts';
export type * from './contracts/crawl-order.ts';
export type * from './contracts/crawl-task.ts';
export type * from './contracts/duplicate-index.ts';
export type * from './contracts/events.ts';
export type * from './contracts/fetcher.ts';
export type * from './contracts/frontier.ts';
export type * from './contracts/page-store.ts';
export type * from './contracts/place.ts';
export type * from './contracts/plugin.ts';
export type * from './contracts/revisit.ts';
export type * from './contracts/search-service.ts';
export type * from './contracts/seed.ts';
export type * from './contracts/state/page-listing.ts';
export type * from './contracts/state/url-store.ts';
export type * from './contracts/url.ts';
export type * from './contracts/url-filter.ts';
export type { Crawl, CrawlSummary } from './crawl/crawl.ts';
export { CrawlReader } from './crawl/report/crawl-reader.ts';
export type { CrawlStatus } from './crawl/report/crawl-status.ts';
export type { UrlReport } from './crawl/report/url-report.ts';
export { openUrlStore, openUrlStoreWriter } from './engines/open-url-store.ts';

export interface UpdateIndexOptions {
  /** Describe the pictures, films and sounds of pages, too, for `type:image` in queries; later calls go on with them. */
  readonly images?: boolean;
}

/** Takes all that was crawled since into the search index of the folder; `orbweaver crawl` does so while it crawls. */
export async function updateIndex(
  folder: string,
  options: UpdateIndexOptions = {},
): Promise<{ readonly indexed: number }> {
  const { documents } = await followCrawl(folder, { mode: 'catch-up', media: options.images === true });
  return { indexed: documents };
}

/** Search over the index of a crawl folder, beside a crawl that writes to it. */
export async function openSearch({
  folder,
  plugins = [],
}: OpenSearchOptions): Promise<SearchService & AsyncDisposable> {
  return openSearcher(folder, { plugins: await loadPlugins(resolvePlugins(plugins), { folder, userAgent: '' }) });
}

export interface OpenSearchOptions {
  readonly folder: string;
  /** Modules whose signals count in the ranking. */
  readonly plugins?: readonly string[];
}

export const version: string = (createRequire(import.meta.url)('../package.json') as { version: string }).version;

export interface CreateCrawlSettings extends Partial<Settings> {
  /** The crawl folder; made where there is none, resumed where there is one. */
  readonly folder: string;
  readonly seeds?: readonly (string | Seed)[];
  /** One more visit of every known page, where the crawl in the folder is over. */
  readonly again?: boolean;
}

/** Opens a crawl. Neither environment nor settings file is read: what is not given is the default. */
export async function createCrawl({
  folder,
  seeds = [],
  again = false,
  ...overrides
}: CreateCrawlSettings): Promise<Crawl> {
  const { settings } = resolveSettings({ overrides });
  const crawl = await openCrawl({ folder, settings, version, again });
  try {
    await crawl.addSeeds(seeds);
    return crawl;
  } catch (error) {
    await crawl[Symbol.asyncDispose]();
    throw error;
  }
}
