/**
 * The frontier at scale: `npx node bench/frontier.ts [--hosts 1000000] [--per-host 10] [--adds 10000000]`.
 *  1. loads hosts x URLs, reports time, memory and disk;
 *  2. claims and settles, reports the latency of a claim;
 *  3. adds URLs of which nine in ten are known, reports the rate per CPU-second and the growth of memory per known URL.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { VirtualClock } from '../src/base/virtual-clock.ts';
import type { CrawlTask } from '../src/contracts/crawl-task.ts';
import type { CanonicalUrl, HostKey } from '../src/contracts/url.ts';
import { SqliteFrontier } from '../src/engines/sqlite/sqlite-frontier.ts';
import { openState } from '../src/engines/sqlite/state-database.ts';
import { noBudgets } from '../src/frontier/budgets.ts';
import { defaultPoliteness } from '../src/frontier/politeness.ts';

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '1000000' },
    'per-host': { type: 'string', default: '10' },
    adds: { type: 'string', default: '10000000' },
    claims: { type: 'string', default: '20000' },
  },
});
const HOSTS = Number(values.hosts);
const PER_HOST = Number(values['per-host']);
const ADDS = Number(values.adds);
const CLAIMS = Number(values.claims);
const BATCH = 5000;

const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
const clock = new VirtualClock();

function open(): SqliteFrontier {
  return new SqliteFrontier(openState(folder), folder, clock, Math.random, {
    politeness: defaultPoliteness,
    budgets: noBudgets,
    leaseMs: 600_000,
    lanes: 8,
    laneChoice: 'strict',
    order: 'fifo',
    byAddress: false,
    byDomain: false,
    maxRefusals: 0,
    owns: () => true,
  });
}

function task(host: number, page: number): CrawlTask {
  const key = `host-${host}.example.org`;
  return {
    url: `https://${key}/section/${page % 7}/page-${page}.html` as CanonicalUrl,
    host: key as HostKey,
    depth: 1,
    redirects: 0,
    lane: 1,
    discovery: { how: 'link', from: `https://${key}/` as CanonicalUrl, anchor: 'an anchor of usual length' },
    purpose: 'page',
  };
}

function rssMb(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return Math.round(process.memoryUsage().rss / 2 ** 20);
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Runs tasks made by `make` through `add` in batches; CPU-seconds of `add` alone. */
async function addAll(
  frontier: SqliteFrontier,
  count: number,
  make: (i: number) => CrawlTask,
): Promise<{ cpu: number; added: number }> {
  let cpu = 0;
  let added = 0;
  for (let at = 0; at < count; at += BATCH) {
    const tasks = Array.from({ length: Math.min(BATCH, count - at) }, (_, i) => make(at + i));
    const before = cpuSeconds();
    const verdicts = await frontier.add(tasks);
    cpu += cpuSeconds() - before;
    for (const verdict of verdicts) if (verdict === 'added') added++;
  }
  return { cpu, added };
}

try {
  console.log(`start: ${rssMb()} MB`);
  let frontier = open();

  // The first URL of each host shows what hosts cost; what comes after shows what URLs cost.
  const first = await addAll(frontier, HOSTS, (i) => task(i, 0));
  const rssOfHosts = rssMb();
  console.log(`loaded ${first.added} hosts with one URL each: RSS ${rssOfHosts} MB`);
  const load = await addAll(frontier, HOSTS * (PER_HOST - 1), (i) => task(i % HOSTS, 1 + Math.floor(i / HOSTS)));
  console.log(
    `loaded ${HOSTS} hosts x ${PER_HOST} URLs: ${first.added + load.added} added, ${Math.round(load.added / load.cpu)} adds per CPU-second, ` +
      `RSS ${rssMb()} MB, seen set ${Math.round(frontier.seenBytes / 2 ** 20)} MB, disk ${Math.round(statSync(join(folder, 'state.db')).size / 2 ** 20)} MB`,
  );

  clock.advance(1000);
  const latencies: number[] = [];
  const claimCpu = cpuSeconds();
  for (let done = 0; done < CLAIMS; ) {
    const before = performance.now();
    const claims = await frontier.claim(16);
    latencies.push((performance.now() - before) / Math.max(1, claims.length));
    await frontier.settle(
      claims.map((claim) => ({
        claim,
        outcome: { kind: 'stored' as const },
        use: { fetchMs: 50, bytes: 40_000, endedAt: clock.now() },
      })),
    );
    done += claims.length;
    clock.advance(8);
  }
  latencies.sort((a, b) => a - b);
  const quantile = (q: number): string => `${(latencies[Math.floor(latencies.length * q)] * 1000).toFixed(0)} µs`;
  console.log(
    `claims of 16: p50 ${quantile(0.5)}, p99 ${quantile(0.99)}, max ${quantile(0.9999)} per claim; ` +
      `${Math.round(CLAIMS / (cpuSeconds() - claimCpu))} claim+settle per CPU-second; RSS ${rssMb()} MB`,
  );

  const known = HOSTS * PER_HOST;
  const rssBefore = rssMb();
  const bytesBefore = frontier.seenBytes;
  const adds = await addAll(frontier, ADDS, (i) =>
    i % 10 === 0
      ? task((i * 7919) % HOSTS, PER_HOST + Math.floor(i / HOSTS))
      : task((i * 104_729) % HOSTS, i % PER_HOST),
  );
  console.log(
    `${ADDS} adds, ${adds.added} new: ${Math.round(ADDS / adds.cpu)} adds per CPU-second; RSS ${rssBefore} -> ${rssMb()} MB; ` +
      `seen set grew by ${((frontier.seenBytes - bytesBefore) / adds.added).toFixed(1)} bytes per new URL, ` +
      `holds ${(frontier.seenBytes / (known + adds.added)).toFixed(2)} bytes per known URL`,
  );
  const urls = known + adds.added - HOSTS;
  console.log(
    `RSS beyond the hosts' share: ${(((rssMb() - rssOfHosts) * 2 ** 20) / urls).toFixed(2)} bytes per known URL (${urls} URLs)`,
  );

  const before = performance.now();
  frontier = open();
  console.log(
    `reopened in ${((performance.now() - before) / 1000).toFixed(1)} s; ${(await frontier.counts()).known} known`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
