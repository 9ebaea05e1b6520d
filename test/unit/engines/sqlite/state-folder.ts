import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Clock } from '../../../../src/base/clock.ts';
import type { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import type { PageFacts } from '../../../../src/contracts/content/page-facts.ts';
import type { Claim, CrawlTask, Settlement } from '../../../../src/contracts/crawl-task.ts';
import type { FrontierOptions } from '../../../../src/contracts/state/frontier-options.ts';
import type { CanonicalUrl, HostKey } from '../../../../src/contracts/url.ts';
import { lockFolder } from '../../../../src/engines/folder-lock.ts';
import { SqlitePartition } from '../../../../src/engines/sqlite/sqlite-partition.ts';
import { openState } from '../../../../src/engines/sqlite/state-database.ts';
import { noBudgets } from '../../../../src/frontier/budgets.ts';
import { defaultPoliteness } from '../../../../src/frontier/politeness.ts';

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-state-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The state of a folder for its owner, closed with it. */
export function openedPartition(folder: string, clock: Clock, options: FrontierOptions): SqlitePartition {
  const db = openState(folder);
  const lock = lockFolder(folder);
  const close = (): void => {
    db.close();
    lock[Symbol.dispose]();
  };
  const lease = { partition: 0, epoch: 1, deadline: Number.POSITIVE_INFINITY };
  return new SqlitePartition(lease, { db, folder, clock, random: Math.random, options, close });
}

export function openedState(folder: string, clock: Clock, options: Partial<FrontierOptions> = {}): SqlitePartition {
  return openedPartition(folder, clock, {
    ...{ leaseMs: 600_000, lanes: 8, laneChoice: 'strict', order: 'fifo', addressFirst: false, byAddress: false },
    ...{ byDomain: false, maxRefusals: 1000, budgets: noBudgets },
    politeness: { ...defaultPoliteness, minimumDelayMs: 0, delayFactor: 0 },
    ...options,
  });
}

export function page(url: string, extra: Partial<CrawlTask> = {}): CrawlTask {
  return {
    ...{ url: url as CanonicalUrl, host: new URL(url).host as HostKey, depth: 0, redirects: 0, lane: 0 },
    ...{ discovery: { how: 'seed' }, purpose: 'page', ...extra },
  };
}

export function factsOf(digest: string, extra: Partial<PageFacts> = {}): PageFacts {
  return {
    ...{ status: 200, mediaType: 'text/html', bytes: 10, digest, directives: [], noindex: false, linkCount: 0 },
    ...{ fetchMs: 1, requestedAt: 1, ...extra },
  };
}

/** Adds URLs and settles them all, each as `ending` says. */
export async function visitAll(
  { frontier }: SqlitePartition,
  clock: VirtualClock,
  urls: readonly string[],
  ending: (claim: Claim) => Partial<Settlement>,
): Promise<void> {
  await frontier.add(urls.map((url) => page(url)));
  for (;;) {
    const claims = await frontier.claim(50);
    if (claims.length === 0) return;
    const use = { fetchMs: 1, bytes: 10, endedAt: clock.now() };
    await frontier.settle(claims.map((claim) => ({ claim, outcome: { kind: 'stored' }, use, ...ending(claim) })));
    clock.advance(1);
  }
}
