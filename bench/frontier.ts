/**
 * The frontier at scale, in virtual time: `npx node --expose-gc bench/frontier.ts [--hosts 1000000] [--per-host 10] [--adds 10000000]`.
 *  1. loads hosts x URLs, measures time, memory and disk;
 *  2. claims and settles, measures the latency of a claim;
 *  3. adds URLs of which nine in ten are known, measures the rate per CPU-second and the growth of memory per known URL;
 *  4. opens it again.
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
import { textTable } from '../src/laboratory/plots/text-table.ts';

export interface FrontierOptions {
  readonly hosts: number;
  readonly perHost: number;
  /** Of the third step. */
  readonly adds: number;
  readonly claims: number;
}

export interface FrontierMeasures {
  readonly urls: number;
  readonly newPerCpuSecond: number;
  readonly claimAndSettlePerCpuSecond: number;
  /** µs for one claim, of batches of 16. */
  readonly claimP50: number;
  readonly claimP99: number;
  /** Nine in ten known. */
  readonly mixedAddsPerCpuSecond: number;
  /** What the seen set takes. */
  readonly seenBytesPerUrl: number;
  /** All resident memory beyond what one URL for each host took. */
  readonly rssBytesPerUrl: number;
  readonly rssMb: number;
  readonly diskBytesPerUrl: number;
  readonly reopenSeconds: number;
}

const BATCH = 5000;
const CLAIM_BATCH = 16;

export async function measure({ hosts, perHost, adds, claims }: FrontierOptions): Promise<FrontierMeasures> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  const clock = new VirtualClock();
  try {
    const frontier = open(folder, clock);
    // The first URL of each host shows what hosts cost; what comes after shows what URLs cost.
    const first = await addAll(frontier, hosts, (i) => task(i, 0));
    const rssOfHosts = rss();
    const load = await addAll(frontier, hosts * (perHost - 1), (i) => task(i % hosts, 1 + Math.floor(i / hosts)));
    const loaded = first.added + load.added;
    const diskBytes = statSync(join(folder, 'state.db')).size;
    clock.advance(1000);
    const claiming = await claimAndSettle(frontier, clock, claims);
    const mixed = await addAll(frontier, adds, (i) =>
      i % 10 === 0
        ? task((i * 7919) % hosts, perHost + Math.floor(i / hosts))
        : task((i * 104_729) % hosts, i % perHost),
    );
    const urls = loaded + mixed.added;
    const rssBytes = rss();
    const { seenBytes } = frontier;
    const before = performance.now();
    const again = open(folder, clock);
    const reopenSeconds = (performance.now() - before) / 1000;
    const { known } = await again.counts();
    if (known !== urls) throw new Error(`${known} URLs are known after a restart, not ${urls}`);
    return {
      urls,
      newPerCpuSecond: loaded / (first.cpu + load.cpu),
      ...claiming,
      mixedAddsPerCpuSecond: adds / mixed.cpu,
      seenBytesPerUrl: seenBytes / urls,
      rssBytesPerUrl: (rssBytes - rssOfHosts) / (urls - hosts),
      rssMb: rssBytes / 2 ** 20,
      diskBytesPerUrl: diskBytes / loaded,
      reopenSeconds,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function open(folder: string, clock: VirtualClock): SqliteFrontier {
  return new SqliteFrontier(openState(folder), folder, clock, Math.random, {
    politeness: defaultPoliteness,
    budgets: noBudgets,
    leaseMs: 600_000,
    lanes: 8,
    laneChoice: 'strict',
    order: 'fifo',
    addressFirst: false,
    byAddress: false,
    byDomain: false,
    maxRefusals: 0,
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

/** Resident bytes after a collection. */
function rss(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage.rss();
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

async function claimAndSettle(
  frontier: SqliteFrontier,
  clock: VirtualClock,
  count: number,
): Promise<Pick<FrontierMeasures, 'claimAndSettlePerCpuSecond' | 'claimP50' | 'claimP99'>> {
  const micros: number[] = [];
  const before = cpuSeconds();
  let done = 0;
  while (done < count) {
    const began = performance.now();
    const claims = await frontier.claim(CLAIM_BATCH);
    if (claims.length > 0) micros.push((1000 * (performance.now() - began)) / claims.length);
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
  const cpu = cpuSeconds() - before;
  micros.sort((a, b) => a - b);
  const quantile = (share: number): number => micros[Math.floor((micros.length - 1) * share)];
  return { claimAndSettlePerCpuSecond: done / cpu, claimP50: quantile(0.5), claimP99: quantile(0.99) };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      hosts: { type: 'string', default: '1000000' },
      'per-host': { type: 'string', default: '10' },
      adds: { type: 'string', default: '10000000' },
      claims: { type: 'string', default: '20000' },
    },
  });
  const measured = await measure({
    hosts: Number(values.hosts),
    perHost: Number(values['per-host']),
    adds: Number(values.adds),
    claims: Number(values.claims),
  });
  console.log(textTable({ columns: ['measure', 'value'], rows: Object.entries(measured) }));
}
