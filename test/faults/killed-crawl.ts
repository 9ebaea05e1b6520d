import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readWarc } from '../../src/archive/warc/warc-reader.ts';
import { targetUri } from '../../src/archive/warc/warc-record.ts';
import { truth } from '../../src/simulate/model/truth.ts';
import type { WebSpecOverrides } from '../../src/simulate/model/web-spec.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/orbweaver.cjs', import.meta.url));

export interface KilledCrawlOptions {
  readonly web: WebSpecOverrides;
  readonly delayMs: number;
  /** Kills at most so often; then lets the crawl finish. */
  readonly kills: number;
  /** When a run is killed: so many milliseconds after its start, or requests; from, to. */
  readonly killAfter: { readonly ms: readonly [number, number] } | { readonly requests: readonly [number, number] };
  /** Further words of the command line. */
  readonly flags?: readonly string[];
  readonly random: () => number;
}

export interface KilledCrawlReport {
  readonly kills: number;
  readonly expected: number;
  readonly missed: string[];
  readonly unexpected: string[];
  /** Pages with more than one response or revisit record. */
  readonly storedTwice: string[];
  readonly damage: string[];
  /** Stored pages of which the archive has no record. */
  readonly notArchived: string[];
  readonly smallestGapMs: number;
  readonly requests: number;
  /** Requests beyond one per page and robots.txt: what the kills cost. */
  readonly repeated: number;
}

/** Crawls a synthetic web in child processes that are killed with SIGKILL at random instants, then judges the result. */
export async function killedCrawl(options: KilledCrawlOptions): Promise<KilledCrawlReport> {
  await using web = await startSyntheticWeb(options.web);
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-kill-'));
  try {
    const args = [
      ...[
        'crawl',
        ...web.origins,
        '--dir',
        folder,
        '--scope',
        'any',
        '--allow-private',
        '--quiet',
        // What becomes of an index is judged elsewhere.
        '--no-index',
        '--concurrency',
        '64',
      ],
      ...(options.flags ?? []),
      ...['--delay', `${options.delayMs}ms`, '--delay-factor', '0', '--backoff-start', '100ms'],
      ...Object.entries(web.hostsMap()).flatMap(([name, address]) => ['--hosts', `${name}=${address}`]),
    ];
    let kills = 0;
    for (;;) {
      const moment = kills < options.kills ? killMoment(options, web) : undefined;
      const { killed, code, stderr } = await run(args, moment);
      if (!killed) {
        if (code !== 0 && code !== 6) throw new Error(`the crawl ended with ${code}: ${stderr}`);
        break;
      }
      kills++;
    }
    const expected = new Set(truth(web.web, { seeds: web.origins, agent: 'orbweaver' }).urls('stored'));
    const stored = storedUrls(folder);
    const archived = await archivedUrls(join(folder, 'archive'));
    const { smallestGapMs, repeated } = judgeLog(web.log);
    return {
      kills,
      expected: expected.size,
      missed: [...expected].filter((url) => !stored.has(url)),
      unexpected: [...stored].filter((url) => !expected.has(url)),
      // A robots.txt that cannot be had is asked for again in every run: that is no page.
      storedTwice: [...archived.counts]
        .filter(([url, count]) => count > 1 && !url.endsWith('/robots.txt'))
        .map(([url]) => url),
      notArchived: [...stored].filter((url) => !archived.counts.has(url)),
      damage: archived.damage,
      smallestGapMs,
      requests: web.log.length,
      repeated,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves when the run that begins now is to be killed, unless it has ended before. */
function killMoment(
  { killAfter, random }: KilledCrawlOptions,
  { log }: { readonly log: { readonly length: number } },
): (ended: AbortSignal) => Promise<void> {
  const between = ([from, to]: readonly [number, number]): number => from + (to - from) * random();
  if ('ms' in killAfter) return (ended) => setTimeout(between(killAfter.ms), undefined, { signal: ended });
  const requests = log.length + between(killAfter.requests);
  return async (ended) => {
    while (log.length < requests) await setTimeout(3, undefined, { signal: ended });
  };
}

function run(
  args: readonly string[],
  killMoment: ((ended: AbortSignal) => Promise<void>) | undefined,
): Promise<{ killed: boolean; code: number | null; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [LAUNCHER, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const ended = new AbortController();
    killMoment?.(ended.signal).then(
      () => child.kill('SIGKILL'),
      () => {},
    );
    child.on('error', reject);
    child.on('close', (code, signal) => {
      ended.abort();
      resolve({ killed: signal === 'SIGKILL', code, stderr });
    });
  });
}

function storedUrls(folder: string): Set<string> {
  const db = new DatabaseSync(join(folder, 'state.db'), { readOnly: true });
  const rows = db.prepare("SELECT url FROM page WHERE kind IN ('stored', 'duplicate')").all() as { url: string }[];
  db.close();
  return new Set(rows.map((row) => row.url));
}

export async function archivedUrls(folder: string): Promise<{ counts: Map<string, number>; damage: string[] }> {
  const counts = new Map<string, number>();
  const damage: string[] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.warc.gz'))) {
    for await (const item of readWarc(join(folder, file))) {
      if (item.kind === 'damage') damage.push(`${file} at ${item.at}: ${item.why}`);
      else if (item.record.type === 'response' || item.record.type === 'revisit') {
        const url = targetUri(item.record.fields) ?? '';
        counts.set(url, (counts.get(url) ?? 0) + 1);
      }
    }
  }
  return { counts, damage };
}

/** From the server's own log: the shortest time between two requests to one host, whoever sent them. */
function judgeLog(log: Iterable<{ host: number; arrive: number; target: string }>): {
  smallestGapMs: number;
  repeated: number;
} {
  const byHost = new Map<number, { arrive: number; target: string }[]>();
  for (const request of log) {
    const list = byHost.get(request.host) ?? [];
    byHost.set(request.host, list);
    list.push(request);
  }
  let smallestGapMs = Number.POSITIVE_INFINITY;
  let repeated = 0;
  for (const requests of byHost.values()) {
    requests.sort((a, b) => a.arrive - b.arrive);
    repeated += requests.length - new Set(requests.map((request) => request.target)).size;
    for (let i = 1; i < requests.length; i++) {
      smallestGapMs = Math.min(smallestGapMs, requests[i].arrive - requests[i - 1].arrive);
    }
  }
  return { smallestGapMs, repeated };
}
