/**
 * The search page under load: a server process, a process of readers, loopback between them.
 *
 *   npx node bench/search-load.ts [--documents 26000] [--words 300] [--readers 64] [--requests 6000] [--seconds 60]
 *                                 [--warm-up 200] [--folder DIR] [--crawl DIR] [--program FILE]
 *
 * Every reader keeps its connection, asks for the page of results with facets, and waits for the answer before the next
 * query; no query comes twice. A run ends after `--requests` or `--seconds`, whichever comes first. With `--readers 1`
 * the figures are those of one query at a time. A folder that was filled by an earlier run is used again.
 * `--crawl` serves a crawl as it is, with queries of words that stand together in one of its pages.
 * `--program` is the orbweaver that serves; another checkout's bin/orbweaver.cjs compares two versions.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { crawlQueries } from './harness/crawl-queries.ts';
import { buildSearchFolder } from './harness/search-folder.ts';
import type { ReaderOptions, ReaderReport } from './harness/search-readers.ts';
import { zipfWords } from './harness/zipf-words.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '26000' },
    words: { type: 'string', default: '300' },
    readers: { type: 'string', default: '64' },
    requests: { type: 'string', default: '6000' },
    seconds: { type: 'string', default: '60' },
    'warm-up': { type: 'string', default: '200' },
    folder: { type: 'string' },
    crawl: { type: 'string' },
    program: { type: 'string', default: fileURLToPath(new URL('../bin/orbweaver.cjs', import.meta.url)) },
  },
});

/** Ticks of /proc are hundredths of a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const SAMPLE_MS = 250;

interface Usage {
  /** Of the server, seconds. */
  readonly server: number;
  /** Of all processes on the machine, seconds. */
  readonly machine: number;
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

function usage(pid: number): Usage {
  const own = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  const [user, nice, system] = readFileSync('/proc/stat', 'utf8').split(/\s+/).slice(1).map(Number);
  return { server: (own[11] + own[12]) / TICKS_PER_SECOND, machine: (user + nice + system) / TICKS_PER_SECOND };
}

async function measure(url: string, server: number, queries: readonly string[] | undefined): Promise<void> {
  const readers = fork(new URL('./harness/search-readers.ts', import.meta.url));
  const ended = once(readers, 'exit');
  let before = usage(server);
  let report: ReaderReport | undefined;
  let most = 0;
  const sampling = setInterval(() => {
    most = Math.max(most, residentMb(server));
  }, SAMPLE_MS);
  readers.on('message', (message) => {
    if (message === 'measuring') before = usage(server);
    else report = message as ReaderReport;
  });
  readers.send({
    url,
    readers: Number(values.readers),
    requests: Number(values.requests),
    seconds: Number(values.seconds),
    warmUp: Number(values['warm-up']),
    ...(queries === undefined ? {} : { queries }),
  } satisfies ReaderOptions);
  await ended;
  clearInterval(sampling);
  const after = usage(server);
  if (report === undefined) throw new Error('The readers ended without a report.');
  const { requests, seconds, latencies, outcomes } = report;
  const cpuSeconds = after.server - before.server;
  console.log(
    `${values.crawl ?? `${values.documents} documents`}, ${values.readers} readers, ${requests} requests in ${seconds.toFixed(1)} s`,
  );
  console.log(`answers: ${JSON.stringify(outcomes)}`);
  console.log(`requests/s: ${(latencies.length / seconds).toFixed(1)} answered with a page`);
  console.log(
    `latency: p50 ${percentile(latencies, 0.5).toFixed(1)} ms, p95 ${percentile(latencies, 0.95).toFixed(1)} ms, ` +
      `p99 ${percentile(latencies, 0.99).toFixed(1)} ms`,
  );
  console.log(`RSS of the server: ${most.toFixed(0)} MB at most`);
  console.log(
    `CPU: server ${(cpuSeconds / seconds).toFixed(2)} cores, ${((1000 * cpuSeconds) / requests).toFixed(2)} ms per request; ` +
      `the readers ${((1000 * report.cpuSeconds) / requests).toFixed(2)} ms per request; ` +
      `the whole machine ${((after.machine - before.machine) / seconds).toFixed(2)} cores`,
  );
}

async function addressOf(server: ChildProcess): Promise<string> {
  if (server.stdout === null) throw new Error('The server has no output.');
  for await (const line of createInterface({ input: server.stdout })) if (line.startsWith('http')) return line;
  throw new Error('The server ended before it listened.');
}

const kept = values.crawl ?? values.folder;
const folder = kept ?? mkdtempSync(join(tmpdir(), 'bench-search-load-'));
try {
  if (values.crawl === undefined)
    await buildSearchFolder(folder, zipfWords(), {
      documents: Number(values.documents),
      wordsPerDocument: Number(values.words),
    });
  const most = Number(values['warm-up']) + Number(values.requests);
  const queries = values.crawl === undefined ? undefined : await crawlQueries(values.crawl, most, 99);
  const server = spawn(process.execPath, [values.program, 'serve', '--dir', folder, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  // Whoever ends the bench ends its server too.
  process.once('exit', () => server.kill());
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  try {
    await measure(await addressOf(server), server.pid ?? 0, queries);
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}
