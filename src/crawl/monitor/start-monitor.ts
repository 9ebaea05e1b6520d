import type { Clock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { CrawlEvents, CrawlLoad, CrawlProgress } from '../../contracts/events.ts';
import type { PageStore } from '../../contracts/page-store.ts';
import type { HostBudgets } from '../../contracts/state/frontier-options.ts';
import type { MonitorStore } from '../../contracts/state/monitor.ts';
import type { HostKey } from '../../contracts/url.ts';
import { openMonitor } from '../../engines/open-monitor.ts';
import { SteadyEstimate } from '../plan/steady-estimate.ts';
import { TimeLeft } from '../plan/time-left.ts';
import type { EventHub } from '../report/event-hub.ts';
import { frontierOptionsOf } from '../settings-to-parts.ts';
import { CrawlMonitor } from './crawl-monitor.ts';
import { PolitenessAudit } from './politeness-audit.ts';

export interface MonitoredCrawl {
  readonly folder: string;
  readonly settings: Settings;
  readonly state: { readonly pages: Pick<PageStore, 'totals'> };
  readonly events: EventHub<CrawlEvents>;
  readonly clock: Clock;
}

/** Notes how a run goes until it is disposed of. A crawl runs without it where its file cannot be opened. */
export function startMonitor(
  { folder, settings, state, events, clock }: MonitoredCrawl,
  progress: () => Promise<CrawlProgress>,
  load?: { readonly load: CrawlLoad | undefined },
): AsyncDisposable {
  let store: MonitorStore;
  const { politeness, budgets, hostConcurrency } = frontierOptionsOf(settings, clock.now());
  const { minimumDelayMs, delayFactor, maxAdaptiveDelayMs } = politeness;
  try {
    store = openMonitor(folder);
    store.begin({ politeness: { minimumDelayMs, delayFactor, maxAdaptiveDelayMs }, budgets: limited(budgets) });
  } catch (error) {
    const message = `The dashboard will show no charts of this run: monitor.db cannot be opened (${String(error)}). The crawl goes on.`;
    events.emit('warning', { code: 'MONITOR_FAILED', message });
    return { [Symbol.asyncDispose]: async () => {} };
  }
  const steady = new SteadyEstimate();
  const left = openTimeLeft(folder, settings);
  const monitor = new CrawlMonitor({
    ...{ store, events, clock, progress },
    ...(load === undefined ? {} : { load: () => load.load }),
    audit: new PolitenessAudit(minimumDelayMs, (host) => hostConcurrency?.(host as HostKey) ?? 1, store.politeness()),
    totals: () => state.pages.totals(),
    leftMs: async (now) => steady.of(now, await left?.of(now)),
  });
  return {
    [Symbol.asyncDispose]: async () => {
      await monitor[Symbol.asyncDispose]();
      left?.[Symbol.dispose]();
    },
  };
}

/** A crawl that goes on has no end, and what is left to a node is decided by the others as well. */
function openTimeLeft(folder: string, settings: Settings): TimeLeft | undefined {
  if (settings.continuous || settings.partitions > 1) return undefined;
  try {
    return new TimeLeft(folder, settings);
  } catch {
    // The state lies elsewhere.
    return undefined;
  }
}

/** Infinity cannot be written down. */
function limited(budgets: HostBudgets): Partial<HostBudgets> {
  return Object.fromEntries(Object.entries(budgets).filter(([, most]) => Number.isFinite(most)));
}
