import { setTimeout as sleep } from 'node:timers/promises';
import type { CrawlSummary, CreateCrawlSettings } from '../../src/index.ts';
import { createCrawl } from '../../src/index.ts';
import type { DnsWaits } from './watch-dns.ts';

export interface CrawlOptions {
  readonly settings: CreateCrawlSettings;
  /** Hand over the seeds little by little during so long, so that hosts do not all fall due at once. */
  readonly spreadSeedsMs?: number;
  /** Note how late each claim is. Costs time per page, so it is off where speed is measured. */
  readonly lateness?: boolean;
}

export interface RssSample {
  readonly seconds: number;
  readonly pages: number;
  readonly rssMb: number;
  /** Of the deciding thread: its heap, and what its buffers take outside of it. */
  readonly heapMb: number;
  readonly buffersMb: number;
}

export interface CrawlMeasures {
  readonly summary: CrawlSummary;
  /** Of all threads while the crawl ran: without the start of the process. */
  readonly runCpuSeconds: number;
  readonly samples: readonly RssSample[];
  /** ms from the time a host fell due to its claim, of every claim made once all seeds were in, sorted. */
  readonly lateness: Float64Array;
  /** Seconds since all seeds were in, and how late the claims of that moment were, ms on average. */
  readonly latenessOverTime: readonly (readonly [seconds: number, ms: number])[];
  /** Claims per second over the same time: the median of its moments, since hosts run out of pages towards the end. */
  readonly claimsPerSecond: number;
  /** ms from claim to settlement, summed over all claims. */
  readonly heldMs: number;
  readonly dns: DnsWaits | undefined;
}

const SAMPLE_MS = 200;
const MOMENT_MS = 100;
const SEED_STEP_MS = 100;

interface ClaimTimes {
  readonly at: number;
  readonly dueAt: number;
}

/** One whole crawl, to be run in a process of its own. */
export async function measure(options: CrawlOptions): Promise<CrawlMeasures> {
  const { settings, spreadSeedsMs = 0 } = options;
  const { seeds = [] } = settings;
  const steps = Math.max(1, Math.round(spreadSeedsMs / SEED_STEP_MS));
  const perStep = Math.ceil(seeds.length / steps);
  await using crawl = await createCrawl({ ...settings, seeds: seeds.slice(0, perStep) });
  const samples: RssSample[] = [];
  const claims: ClaimTimes[] = [];
  let heldMs = 0;
  if (options.lateness === true) {
    crawl.on('settled', ({ claim: { claimedAt, dueAt } }) => {
      claims.push({ at: claimedAt, dueAt });
      heldMs += Date.now() - claimedAt;
    });
  }
  const began = performance.now();
  const sampler = setInterval(() => {
    const { rss, heapTotal, external } = process.memoryUsage();
    const [rssMb, heapMb, buffersMb] = [rss, heapTotal, external].map((bytes) => bytes / 2 ** 20);
    const seconds = (performance.now() - began) / 1000;
    void crawl.progress().then(({ pages }) => samples.push({ seconds, pages, rssMb, heapMb, buffersMb }));
  }, SAMPLE_MS);
  let seededAt = Date.now();
  const seeding = (async () => {
    for (let step = 1; step < steps; step++) {
      await sleep(Math.max(0, began + step * SEED_STEP_MS - performance.now()));
      await crawl.addSeeds(seeds.slice(step * perStep, (step + 1) * perStep));
    }
    seededAt = Date.now();
  })();
  const cpuBefore = process.cpuUsage();
  const summary = await crawl.run();
  const { user, system } = process.cpuUsage(cpuBefore);
  clearInterval(sampler);
  await seeding;
  // The preload of watch-dns.ts leaves it here; without it nothing is watched.
  const { dnsWaits } = globalThis as { dnsWaits?: () => Promise<DnsWaits> };
  // What hosts did while others were still being added is no steady state.
  const steady = claims.filter(({ dueAt }) => dueAt >= seededAt);
  const moments = momentsOf(steady, seededAt);
  const counts = moments.map(({ count }) => count).sort((a, b) => a - b);
  return {
    summary,
    runCpuSeconds: (user + system) / 1e6,
    samples,
    lateness: Float64Array.from(steady, ({ at, dueAt }) => at - dueAt).sort(),
    latenessOverTime: moments.map(({ seconds, lateMs, count }) => [seconds, lateMs / count] as const),
    claimsPerSecond: ((counts[Math.floor(counts.length / 2)] ?? 0) * 1000) / MOMENT_MS,
    heldMs,
    dns: await dnsWaits?.(),
  };
}

interface Moment {
  readonly seconds: number;
  count: number;
  lateMs: number;
}

function momentsOf(claims: readonly ClaimTimes[], from: number): Moment[] {
  const moments = new Map<number, Moment>();
  for (const { at, dueAt } of claims) {
    const key = Math.floor((at - from) / MOMENT_MS);
    let moment = moments.get(key);
    if (moment === undefined) {
      moment = { seconds: (key * MOMENT_MS) / 1000, count: 0, lateMs: 0 };
      moments.set(key, moment);
    }
    moment.count++;
    moment.lateMs += at - dueAt;
  }
  return [...moments.values()].sort((a, b) => a.seconds - b.seconds);
}
