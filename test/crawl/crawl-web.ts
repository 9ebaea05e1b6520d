import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../src/base/clock.ts';
import { resolveSettings } from '../../src/base/settings/resolve-settings.ts';
import { openCrawl } from '../../src/crawl/assemble.ts';
import type { Crawl } from '../../src/crawl/crawl.ts';
import { type CrawlSummary, type CreateCrawlSettings, createCrawl } from '../../src/index.ts';
import type { WebServer } from '../../src/simulate/server/web-server.ts';

/** A folder that is gone when the test is over. */
export function temporaryFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'orbweaver-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs a crawl of a simulated web to its end, quick but polite. */
export async function crawlWeb(
  web: WebServer,
  folder: string,
  settings: Partial<CreateCrawlSettings> = {},
): Promise<CrawlSummary> {
  await using crawl = await createCrawl({
    folder,
    seeds: web.origins,
    scope: 'any',
    delay: 20,
    delayFactor: 0,
    backoffStart: 50,
    concurrency: 32,
    workers: 0,
    // The truth of a simulated web is what its links lead to.
    sitemaps: 'off',
    allowPrivate: true,
    hosts: web.hostsMap(),
    ...settings,
  });
  return await crawl.run();
}

/** As `createCrawl`, in another time. */
export async function createClockedCrawl(
  clock: Clock,
  { folder, seeds = [], again = false, ...overrides }: CreateCrawlSettings,
): Promise<Crawl> {
  const { settings } = resolveSettings({ overrides });
  const crawl = await openCrawl({ folder, settings, version: '0', clock, again });
  await crawl.addSeeds(seeds);
  return crawl;
}

/** URLs of the pages that a crawl holds. */
export function storedPages(folder: string): string[] {
  const db = new DatabaseSync(join(folder, 'state.db'), { readOnly: true });
  try {
    const rows = db.prepare("SELECT url FROM page WHERE kind IN ('stored', 'duplicate') ORDER BY url").all();
    return (rows as { url: string }[]).map((row) => row.url);
  } finally {
    db.close();
  }
}
