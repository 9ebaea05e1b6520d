import type { HostRecord } from '../../../src/contracts/page-store.ts';
import type { CrawlSample } from '../../../src/contracts/state/monitor.ts';
import type { HostKey } from '../../../src/contracts/url.ts';
import type { CrawlLook } from '../../../src/web/dashboard/crawl-watch.ts';

export function hostRecord(name: string, more: Partial<HostRecord> = {}): HostRecord {
  return {
    ...{ host: name as HostKey, dueAt: 0, holdUntil: 0, pushbacks: 0, lastFetchMs: 20, queued: 5, pages: 3 },
    ...{ bytes: 4000, fetchMs: 60, ...more },
  };
}

/** Of a run that began at a time, some seconds later. */
export function busySample(startedAt: number, second: number): CrawlSample {
  return {
    ...{
      at: startedAt + second * 1000,
      run: startedAt,
      pages: second * 20,
      requests: second * 25,
      bytes: second * 50_000,
    },
    ...{ failed: second % 7, refused: second, duplicates: 2, queued: 500 - second * 8, hosts: 3, inFlight: second % 9 },
    ...{ memory: 90e6 + second * 1e6, leftMs: 90_000 - second * 1000 },
  };
}

/** A crawl of which there is something to say in every part of the dashboard. */
export function busyLook(at: number): CrawlLook {
  return {
    ...{ at, startedAt: at - 60_000, queued: 12, later: 1, planned: 0, parked: 1, hosts: 3 },
    totals: {
      ...{ pages: 1200, distinctDocuments: 1100, nearDuplicates: 7, spam: 0, requests: 1500, bytes: 3_200_000 },
      ...{ outcomes: { stored: 1200, gone: 4 }, refused: { robots: 30, trap: 5 }, failed: { 'http-500': 3 } },
    },
    standing: {
      ...{ ready: 1, resting: 1, held: 1, parked: 1, idle: 0 },
      frontQueues: [
        { lane: 0, hosts: 1, urls: 5 },
        { lane: 2, hosts: 2, urls: 7 },
      ],
    },
    monitor: {
      samples: Array.from({ length: 60 }, (_, second) => busySample(at - 60_000, second)),
      statuses: { 200: 1200, 404: 4, 503: 2 },
      troubles: [{ at: at - 900, url: 'http://gone.example/<b>x', host: 'gone.example', what: 'failed: reset <i>' }],
      politeness: { count: 40, early: 0, classes: [0, 30, 5, 2, 2, 1, 0] },
      tightest: [
        {
          ...{ host: 'busy.example', requests: 9, failures: 0, status: { 2: 9, 3: 0, 4: 0, 5: 0 } },
          gaps: { count: 8, early: 0, tightest: { gapMs: 1003, owedMs: 1000 } },
        },
      ],
    },
    busiest: [hostRecord('busy.example', { dueAt: at + 1500 })],
    slowest: [hostRecord('slow.example', { lastFetchMs: 2500 })],
    waiting: [
      { ...hostRecord('gone.example'), reason: 'connection refused', next: 'gives up on this host' },
      { ...hostRecord('held.example'), reason: 'HTTP 503', next: 'tries again in 9 s' },
    ],
    waitingHosts: 14,
    held: [{ pattern: 'cal.example/day/*', reason: 'nothing new in 40 visits', known: 900, visits: 40 }],
    mirrors: [{ mirror: 'http://m.example', original: 'http://o.example', why: '12 pages alike' }],
    spamHosts: 2,
    upkeep: {
      policy: 'freshness',
      forecast: {
        ...{ pages: 10, requestsPerDay: 480, freshness: 0.912, ageDays: 0.25 },
        others: [{ policy: 'uniform', freshness: 0.8, ageDays: 0.5 }],
      },
    },
    visits: [{ url: 'http://busy.example/<script>', at: at - 500, status: 200, mediaType: 'text/html', bytes: 900 }],
  };
}
