import type { VirtualClock } from '../../src/base/virtual-clock.ts';
import type { ChangeLog } from '../../src/contracts/change-log.ts';
import type { Claim, CrawlTask, HostUse, Settlement } from '../../src/contracts/crawl-task.ts';
import type { Frontier } from '../../src/contracts/frontier.ts';
import type { PageStore } from '../../src/contracts/page-store.ts';
import type { HostBudgets, PolitenessPolicy } from '../../src/contracts/state/frontier-options.ts';
import type { CanonicalUrl, HostKey } from '../../src/contracts/url.ts';

/** What the suite asks an engine to be opened with. Everything else is the engine's default. */
export interface SuiteOptions {
  readonly politeness?: Partial<PolitenessPolicy>;
  readonly budgets?: Partial<HostBudgets>;
  readonly leaseMs?: number;
  readonly maxRequestMs?: number;
  readonly longestFetchMs?: number;
  readonly hostConcurrency?: (host: HostKey) => number;
  readonly order?: 'fifo' | 'lifo';
  readonly movable?: boolean;
  readonly revisits?: boolean;
  readonly maxPages?: number;
  readonly paceNewHosts?: boolean;
  readonly addressFirst?: boolean;
  readonly byAddress?: boolean;
  readonly byDomain?: boolean;
}

export interface OpenedFrontier {
  readonly frontier: Frontier;
  readonly pages: PageStore;
  readonly changes: ChangeLog;
  /** Ends without a goodbye, as kill -9 does, and opens the same state again. */
  crash(options?: SuiteOptions): Promise<OpenedFrontier>;
  close(): Promise<void>;
}

export interface FrontierEngine {
  readonly name: string;
  /** Keeps what is visited again, and contents that are compared. */
  readonly keepsPages: boolean;
  /** False: never gives a claim ahead of time. */
  readonly claimsAhead?: boolean;
  open(clock: VirtualClock, options: SuiteOptions): Promise<OpenedFrontier>;
}

export const DELAY = 1000;

export function task(url: string, extra: Partial<CrawlTask> = {}): CrawlTask {
  return {
    url: url as CanonicalUrl,
    host: new URL(url).host as HostKey,
    depth: 0,
    redirects: 0,
    lane: 0,
    discovery: { how: 'seed' },
    purpose: 'page',
    ...extra,
  };
}

export function settled(claim: Claim, clock: VirtualClock, extra: Partial<Settlement> = {}): Settlement {
  const use: HostUse = { fetchMs: 10, bytes: 100, endedAt: clock.now() };
  return { claim, outcome: { kind: 'stored' }, use, ...extra };
}

/** Claims and settles until nothing is left, in virtual time. Returns the URLs in the order they were claimed. */
export async function drain(opened: OpenedFrontier, clock: VirtualClock, batch = 4): Promise<string[]> {
  const order: string[] = [];
  for (;;) {
    const claims = await opened.frontier.claim(batch);
    order.push(...claims.map((claim) => claim.task.url));
    await opened.frontier.settle(claims.map((claim) => settled(claim, clock)));
    if (claims.length > 0) continue;
    const next = await opened.frontier.nextDue();
    if (next === undefined) return order;
    clock.advanceTo(next);
  }
}

export const options: SuiteOptions = { politeness: { minimumDelayMs: DELAY, delayFactor: 0 } };

export type WithFrontier = (
  extra: SuiteOptions,
  body: (opened: OpenedFrontier, clock: VirtualClock) => Promise<void>,
) => Promise<void>;
