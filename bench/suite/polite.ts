import { fileURLToPath } from 'node:url';
import { plainNumber } from '../../src/laboratory/plots/plain-number.ts';
import { PLAIN_SHARES } from '../../src/simulate/model/web-spec.ts';
import { auditedCrawl } from '../harness/audited-crawl.ts';
import { startNameServer } from '../harness/name-server.ts';
import type { Bench } from './bench.ts';

const CLAIMS_PER_SECOND = 2200;
const LATENCY_MS = 50;
const DNS_LATENCY_MS = 20;
/** A crawl that has just begun is slow: its code is not compiled yet. */
const LEAST_SPREAD_MS = 2000;
const WATCH_DNS = fileURLToPath(new URL('../harness/watch-dns.ts', import.meta.url));

/**
 * Very many hosts, each asked at most once in its delay, at a rate that all of them together just make up: is each
 * asked as soon as it may be? Names are looked up at a name server that takes its time.
 *
 * Links stay on their host, so that whatever a host has to offer is known before it falls due again, and the time from
 * there to the claim is lateness and nothing else.
 */
export const polite: Bench = {
  name: 'polite',
  title: `Many hosts with politeness on, about ${CLAIMS_PER_SECOND} claims due a second`,
  async run(quick) {
    const hosts = quick ? 1000 : 10_000;
    const cycleMs = (hosts * 1000) / CLAIMS_PER_SECOND;
    const delay = cycleMs - LATENCY_MS;
    const web = {
      ...PLAIN_SHARES,
      links: { ...PLAIN_SHARES.links, interHost: 0 },
      seed: 10_000,
      hosts,
      pagesPerHost: quick ? 12 : 10,
      linksPerPage: 12,
      pageBytes: [1000, 3000],
      latencyMs: [LATENCY_MS, LATENCY_MS],
    } as const;
    await using names = await startNameServer(DNS_LATENCY_MS);
    const done = await auditedCrawl('polite', {
      web,
      settings: { delay, concurrency: 1000, dnsServers: [names.address], ipFamily: 'ipv4' },
      // From start to start: the latency belongs to the cycle.
      expectations: { minGapMs: delay + LATENCY_MS, gapFrom: 'start' },
      // Half of the rate for the newcomers, half for those who return.
      spreadSeedsMs: Math.max(2 * cycleMs, LEAST_SPREAD_MS),
      lateness: true,
      nodeOptions: ['--import', WATCH_DNS],
    });
    const { lateness, claimsPerSecond, dns, heldMs } = done;
    const mean = lateness.reduce((sum, ms) => sum + ms, 0) / lateness.length;
    const quantile = (share: number): number => lateness[Math.floor((lateness.length - 1) * share)];
    const dnsShare = (dns?.waitMs ?? Number.NaN) / heldMs;
    return {
      table: {
        columns: ['hosts', 'claims', 'claims/s', 'mean ms', 'p50 ms', 'p99 ms', 'max ms', 'DNS wait %', 'CPU s', 's'],
        rows: [
          [
            ...[hosts, lateness.length, claimsPerSecond, mean, quantile(0.5), quantile(0.99), quantile(1)],
            ...[100 * dnsShare, done.cpuSeconds, done.summary.seconds],
          ],
        ],
      },
      checks: [
        done.check,
        {
          kind: 'goal',
          what: 'claims are less than 5 ms late on average',
          found: `${plainNumber(mean)} ms at ${plainNumber(claimsPerSecond)} claims a second`,
          passed: mean < 5,
        },
        {
          kind: 'goal',
          what: 'less than 1 % of the time of requests is spent waiting for DNS',
          found: `${plainNumber(100 * dnsShare)} %`,
          passed: dnsShare < 0.01,
        },
      ],
      charts: [
        {
          kind: 'lines',
          name: 'polite-lateness',
          title: `Lateness of claims: ${plainNumber(hosts)} hosts, ${plainNumber(claimsPerSecond)} claims a second`,
          x: 'percentile of claims',
          y: 'ms after the host fell due',
          lines: [
            {
              label: 'lateness',
              points: Array.from({ length: 100 }, (_, at) => [at, quantile(at / 100)] as const),
            },
          ],
        },
        {
          kind: 'lines',
          name: 'polite-lateness-over-time',
          title: 'Lateness of claims in the course of the crawl',
          x: 'seconds since the last host was added',
          y: 'ms after the host fell due, mean of a tenth of a second',
          lines: [{ label: 'lateness', points: done.latenessOverTime }],
        },
      ],
      notes: [
        `Delay ${delay} ms, latency ${LATENCY_MS} ms, DNS latency ${DNS_LATENCY_MS} ms. Claims are counted from when the last host was added.`,
        `DNS: ${dns?.misses ?? 0} waited, ${plainNumber((dns?.waitMs ?? 0) / (dns?.misses ?? 1))} ms each on average, ${dns?.ahead ?? 0} looked up ahead, ${dns?.hits ?? 0} from the cache; share of the time from claim to settlement.`,
      ],
      data: {
        summary: done.summary,
        hosts,
        delay,
        mean,
        p99: quantile(0.99),
        claimsPerSecond,
        dns,
        heldMs,
        audit: done.audit,
      },
    };
  },
};
