/**
 * Politeness over many requests: `npm run soak:audit -- --requests 1000000 [--hosts 2000] [--seed 1] [--minutes 180] [--keep FOLDER]`.
 *
 * A default crawl of a synthetic web that another process serves. That process judges every request when it ends (rests,
 * robots.txt, parallel requests, Retry-After) and keeps nothing but a few numbers for each host. When as many
 * requests have been judged as were wanted, the crawl is stopped. Ends with 1 where anything is violated, or where the
 * web or the time was over before. With --keep the crawl stays there, in `crawl`: for `orbweaver audit`, and for exports of many pages.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { StreamingAudit, type StreamingAuditReport } from '../../src/simulate/audit/streaming-audit.ts';
import { SyntheticWeb } from '../../src/simulate/model/synthetic-web.ts';
import { type WebSpec, webSpec } from '../../src/simulate/model/web-spec.ts';
import { NameServer } from '../../src/simulate/server/name-server.ts';
import { WebServer } from '../../src/simulate/server/web-server.ts';
import { CrawlProcess } from './system/crawl-process.ts';
import { DEFAULT_DELAY } from './system/judge-requests.ts';
import { megabytes } from './system/judge-resources.ts';

const TELL_MS = 10_000;
const STOP_PATIENCE_MS = 600_000;
/** One page in five is not reached, or robots.txt forbids it: so many more than requests. */
const SPARE = 1.3;

interface Served {
  readonly seeds: readonly string[];
  readonly nameServer: string;
}

interface Told {
  readonly report: Pick<StreamingAuditReport, 'requests' | 'smallestGapRatio' | 'gaps' | 'hosts' | 'statuses'>;
  readonly violations: Readonly<Record<string, { readonly count: number; readonly samples: readonly string[] }>>;
  readonly rssBytes: number;
}

/** The process of the server. */
async function serve(spec: WebSpec): Promise<void> {
  const parts: { audit?: StreamingAudit } = {};
  const server = await WebServer.start((port) => new SyntheticWeb(spec, { mode: 'names', port, hostsPerAddress: 0 }), {
    onRequest: (request) => parts.audit?.add(request),
  });
  const audit = new StreamingAudit(server.web, DEFAULT_DELAY);
  parts.audit = audit;
  const names = await NameServer.start(server.web.hosts);
  process.on('message', () => {
    const { tooShort, parallel, disallowed, beforeRobots, ...report } = audit.report();
    const told: Told = {
      report,
      violations: { tooShort, parallel, disallowed, beforeRobots },
      rssBytes: process.memoryUsage.rss(),
    };
    process.send?.(told);
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ seeds: server.origins, nameServer: names.address } satisfies Served);
}

async function run(wanted: number, hosts: number, seed: number, minutes: number, folder: string): Promise<boolean> {
  const spec = webSpec({
    ...{ seed, hosts, pagesPerHost: Math.ceil((wanted * SPARE) / hosts), hostNames: 'domains' },
    // Short pages, since it is requests that are judged; and so many hosts that their rests do not bound the rate.
    ...{ pageBytes: [500, 1000], linksPerPage: 4, crawlDelaySeconds: 2, retryAfterSeconds: 2, slowRobotsMs: 200 },
  });
  const child = fork(import.meta.filename, ['--serve', JSON.stringify(spec)], {
    execArgv: [],
    serialization: 'advanced',
  });
  const [{ seeds, nameServer }] = (await once(child, 'message')) as [Served];
  const seedFile = join(folder, 'seeds.txt');
  appendFileSync(seedFile, seeds.join('\n'));
  const args = ['crawl', '--seeds', seedFile, '--dir', join(folder, 'crawl'), '--quiet'];
  const began = Date.now();
  const crawl = new CrawlProcess(
    [...args, '--allow-private', '--dns-servers', nameServer],
    join(folder, 'crawl.log'),
    process.env,
  );
  process.on('exit', () => crawl.kill());
  const ask = async (): Promise<Told> => {
    child.send('tell');
    const [told] = (await once(child, 'message')) as [Told];
    return told;
  };
  let told = await ask();
  let peakRss = 0;
  while (told.report.requests < wanted && crawl.end === undefined && Date.now() - began < minutes * 60_000) {
    await Promise.race([new Promise((resolve) => setTimeout(resolve, TELL_MS)), crawl.ended]);
    told = await ask();
    const rss = crawl.sample()?.rssBytes ?? 0;
    peakRss = Math.max(peakRss, rss);
    console.log(line(told, (Date.now() - began) / 1000, rss));
  }
  const judgedIn = (Date.now() - began) / 1000;
  const stoppedAt = Date.now();
  const end = crawl.end ?? (await crawl.send('SIGTERM', STOP_PATIENCE_MS));
  if (end === undefined) await crawl.send('SIGKILL', STOP_PATIENCE_MS);
  const stopSeconds = (Date.now() - stoppedAt) / 1000;
  told = await ask();
  child.disconnect();
  console.log(`\n${line(told, judgedIn, peakRss)} at most`);
  console.log(
    `${told.report.gaps} rests on ${told.report.hosts} hosts, statuses ${JSON.stringify(told.report.statuses)}`,
  );
  console.log(
    `the crawl ended with ${end?.code ?? 'a kill'}, ${stopSeconds.toFixed(0)} s after it was told to; server RSS ${megabytes(told.rssBytes)}`,
  );
  let passed = told.report.requests >= wanted;
  if (!passed) console.log(`only ${told.report.requests} of ${wanted} requests: ${end?.stderr ?? ''}`);
  for (const [name, { count, samples }] of Object.entries(told.violations)) {
    console.log(`${name}: ${count}`);
    for (const sample of samples) console.log(`  ${sample}`);
    if (count > 0) passed = false;
  }
  console.log(passed ? 'passed' : 'FAILED');
  return passed;
}

function line({ report, violations }: Told, seconds: number, rss: number): string {
  const bad = Object.values(violations).reduce((sum, { count }) => sum + count, 0);
  return (
    `${report.requests} requests judged in ${seconds.toFixed(0)} s, ${(report.requests / seconds).toFixed(1)} per second, ` +
    `${bad} violations, smallest rest ${report.smallestGapRatio.toFixed(4)} of what was owed, RSS ${megabytes(rss)}`
  );
}

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    hosts: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '180' },
    keep: { type: 'string' },
    serve: { type: 'string' },
  },
});
if (values.serve !== undefined) await serve(JSON.parse(values.serve));
else {
  const { requests, hosts, seed, minutes, keep } = values;
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'orbweaver-audit-'));
  mkdirSync(folder, { recursive: true });
  try {
    const passed = await run(Number(requests), Number(hosts), Number(seed), Number(minutes), folder);
    process.exitCode = passed ? 0 : 1;
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
