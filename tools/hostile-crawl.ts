/** The crawl of tools/score-hostile.ts, in a process of its own: its memory is measured, and it trusts a certificate of the test. */
import { type CreateCrawlSettings, createCrawl } from '../src/index.ts';
import { outcomeName } from '../test/hostile/judge-case.ts';

const LEASE_MS = 600_000;
const SAMPLE_MS = 50;

export interface CrawledHost {
  readonly outcomes: Record<string, number>;
  seconds: number;
  /** Resident memory of the crawl when the host's last URL was settled, in MB. */
  rssMb: number;
  /** Seconds after the start. */
  endedAt: number;
}

export interface HostileCrawlResult {
  readonly hosts: Record<string, CrawledHost>;
  readonly ended: string;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakRssMb: number;
  /** The longest time in which the thread that decides did nothing else. */
  readonly longestStallMs: number;
  /** The same in its CPU time: what is left when the machine has nothing else to do. */
  readonly longestBusyMs: number;
  readonly warnings: readonly string[];
}

export async function hostileCrawl(settings: CreateCrawlSettings): Promise<HostileCrawlResult> {
  const hosts: Record<string, CrawledHost> = {};
  const warnings: string[] = [];
  const startedAt = Date.now();
  // Sampled: to ask at every settlement would cost the thread that decides more than settling does.
  let rss = 0;
  let peak = 0;
  let longestStallMs = 0;
  let longestBusyMs = 0;
  let last = performance.now();
  let lastCpu = cpuMs();
  const sample = setInterval(() => {
    rss = process.memoryUsage.rss();
    peak = Math.max(peak, rss);
    const [now, cpu] = [performance.now(), cpuMs()];
    longestStallMs = Math.max(longestStallMs, now - last - SAMPLE_MS);
    longestBusyMs = Math.max(longestBusyMs, Math.min(cpu - lastCpu, now - last - SAMPLE_MS));
    [last, lastCpu] = [now, cpu];
  }, SAMPLE_MS);
  await using crawl = await createCrawl(settings);
  crawl.on('warning', ({ code, message }) => warnings.push(`${code}: ${message}`));
  crawl.on('settled', ({ claim, outcome }) => {
    if (outcome.kind === 'deferred') return;
    const name = claim.task.host.replace(/\.test(?::\d+)?$/, '');
    hosts[name] ??= { outcomes: {}, seconds: 0, rssMb: 0, endedAt: 0 };
    const host = hosts[name];
    const written = outcomeName(outcome);
    host.outcomes[written] = (host.outcomes[written] ?? 0) + 1;
    host.seconds = Math.max(host.seconds, (Date.now() - claim.expiresAt + LEASE_MS) / 1000);
    host.rssMb = rss / 1e6;
    host.endedAt = (Date.now() - startedAt) / 1000;
  });
  const summary = await crawl.run();
  clearInterval(sample);
  const { ended, seconds, cpuSeconds } = summary;
  return { hosts, ended, seconds, cpuSeconds, peakRssMb: peak / 1e6, longestStallMs, longestBusyMs, warnings };
}

/** CPU time of this thread so far. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

if (process.send !== undefined && import.meta.main) {
  const result = await hostileCrawl(JSON.parse(process.argv[2]) as CreateCrawlSettings);
  process.send(result, () => process.disconnect());
}
