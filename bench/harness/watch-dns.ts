/**
 * Preloaded into a crawl (node --import) to sum up what its threads waited for DNS, from each cache's own counters.
 * Every thread has caches of its own and ends them with itself, so that each tells its numbers as they grow.
 */
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';
import { DnsCache, type DnsCounters } from '../../src/fetch/connect/dns-cache.ts';

export interface DnsWaits extends DnsCounters {
  /** Caches that were asked at all. */
  readonly caches: number;
}

const TELL_MS = 100;

const channel = new BroadcastChannel('orbweaver-bench-dns');
channel.unref();
const own = new Set<DnsCache>();
const told = new Map<number, readonly DnsCounters[]>();

const resolve = DnsCache.prototype.resolve;
DnsCache.prototype.resolve = function watched(this: DnsCache, hostname: string) {
  own.add(this);
  return resolve.call(this, hostname);
};

function counters(): DnsCounters[] {
  return Array.from(own, (cache) => ({ ...cache.counters }));
}

if (isMainThread) {
  channel.onmessage = (event) => {
    const { thread, caches } = (event as { data: { thread: number; caches: DnsCounters[] } }).data;
    told.set(thread, caches);
  };
  Object.assign(globalThis, {
    async dnsWaits(): Promise<DnsWaits> {
      // Messages that are under way arrive within a turn or two.
      await new Promise((done) => setTimeout(done, 2 * TELL_MS));
      const all = [...counters(), ...[...told.values()].flat()];
      const sum = (key: keyof DnsCounters): number => all.reduce((total, one) => total + one[key], 0);
      return {
        caches: all.length,
        hits: sum('hits'),
        misses: sum('misses'),
        coalesced: sum('coalesced'),
        notFound: sum('notFound'),
        failed: sum('failed'),
        ahead: sum('ahead'),
        waitMs: sum('waitMs'),
      };
    },
  });
} else {
  setInterval(() => channel.postMessage({ thread: threadId, caches: counters() }), TELL_MS).unref();
}
