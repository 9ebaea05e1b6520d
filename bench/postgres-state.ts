/**
 * The state in PostgreSQL, in virtual time: `npx node bench/postgres-state.ts [--pages 40000] [--batch 50] [--partitions 1] [--sync on]
 * [--urls 1000000] [--own 0] [--warm] [--each 10000] [--set shared_buffers=1GB] [--statements]`. Claims and settles pages of 60 links, of which six are new, and tells what a page costs: processor time of the node and of the
 * server, round trips, bytes of its log and its tables; then what it takes to open the state again. `--engine sqlite` is the embedded engine.
 *
 * `--urls`: the tables hold so many URLs before it begins, a seventh of them visited. `--set`: settings of the server, besides those of the tests, which
 * flush nothing, log no whole pages and do not vacuum: `--set full_page_writes=on --set autovacuum=on`. `--own`: this share of the new links leads
 * to the host of their page, as most links of the web do; 0 is the dearest, for nearly every new link is a message then. Known links never reach the server.
 * `--warm`: the indexes of pages and digests are in the buffers, as after some time of crawling. `--each`: what the server took for each so many pages.
 * `--statements`: what each statement took by the clock of the server, those first that took most.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fingerprint } from '../src/base/fingerprint.ts';
import { VirtualClock } from '../src/base/virtual-clock.ts';
import type { PageFacts } from '../src/contracts/content/page-facts.ts';
import type { Claim, CrawlTask, Settlement } from '../src/contracts/crawl-task.ts';
import type { Frontier } from '../src/contracts/frontier.ts';
import type { CrawlState } from '../src/contracts/state/crawl-state.ts';
import type { FrontierOptions } from '../src/contracts/state/frontier-options.ts';
import type { OwnedPartition } from '../src/contracts/state/owned-partition.ts';
import type { CanonicalUrl, HostKey } from '../src/contracts/url.ts';
import { NodeFrontier } from '../src/crawl/nodes/node-frontier.ts';
import { NodePartitions } from '../src/crawl/nodes/node-partitions.ts';
import { PostgresConnection } from '../src/engines/postgres/connection.ts';
import { migrate } from '../src/engines/postgres/migrate.ts';
import { PostgresState } from '../src/engines/postgres/postgres-state.ts';
import { SqliteState } from '../src/engines/sqlite/sqlite-state.ts';
import { noBudgets } from '../src/frontier/budgets.ts';
import { defaultPoliteness } from '../src/frontier/politeness.ts';
import { findPostgres, startPostgres } from '../test/postgres-server.ts';
import { fillTables } from './harness/fill-tables.ts';

const LINKS = 60;
const NEW_LINKS = 6;
const HOSTS = 2000;
const SCHEMA = 'bench';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '40000' },
    batch: { type: 'string', default: '50' },
    partitions: { type: 'string', default: '1' },
    sync: { type: 'string', default: 'on' },
    engine: { type: 'string', default: 'postgres' },
    urls: { type: 'string', default: '0' },
    own: { type: 'string', default: '0' },
    warm: { type: 'boolean', default: false },
    each: { type: 'string', default: 'Infinity' },
    set: { type: 'string', multiple: true, default: [] },
    statements: { type: 'boolean', default: false },
  },
});
const { pages, batch, partitions, urls, own, each } = {
  ...{ pages: Number(values.pages), batch: Number(values.batch), partitions: Number(values.partitions) },
  ...{ urls: Number(values.urls), own: Number(values.own), each: Number(values.each) },
};

const clock = new VirtualClock();
const options: FrontierOptions = {
  ...{ politeness: { ...defaultPoliteness, minimumDelayMs: 1000 }, budgets: noBudgets, leaseMs: 600_000, lanes: 8 },
  ...{ laneChoice: 'strict', order: 'fifo', addressFirst: false, byAddress: false, byDomain: false, maxRefusals: 0 },
};

const anyHost = (page: number): HostKey => `host-${(page * 7919) % HOSTS}.example.org` as HostKey;

function task(page: number, host = anyHost(page)): CrawlTask {
  const url = `https://${host}/section/${page % 7}/page-${page}.html`;
  return {
    ...{ url: url as CanonicalUrl, host, depth: 1, redirects: 0, lane: 1, purpose: 'page' },
    discovery: { how: 'link', from: `https://${host}/` as CanonicalUrl, anchor: 'an anchor of usual length' },
  };
}

function factsOf(page: number): PageFacts {
  // Among those that fill the tables, not all before them.
  const digest = createHash('md5').update(`page ${page}`).digest('hex').toUpperCase();
  return {
    ...{ status: 200, mediaType: 'text/html', bytes: 24_000, requestedAt: clock.now(), fetchMs: 120, linkCount: LINKS },
    ...{ digest, textDigest: digest, title: `A page of usual length, number ${page}`, directives: [], noindex: false },
    ...{ etag: `"${page}"`, lastModified: 'Mon, 16 Nov 2026 10:00:00 GMT' },
  };
}

function settlementOf(claim: Claim, links: readonly CrawlTask[], page: number): Settlement {
  const fileEnd = page * 8000;
  return {
    ...{ claim, links, outcome: { kind: 'stored' }, use: { fetchMs: 120, bytes: 24_000, endedAt: clock.now() } },
    page: factsOf(page),
    archived: [{ file: 'w0-00001.warc.gz', offset: fileEnd - 8000, length: 8000, fileEnd, indexEnd: page * 200 }],
  };
}

/** Processor time of the server and all its helpers, in ticks by process. */
function serverTicks(server: number): ReadonlyMap<string, number> {
  const statOf = (pid: string): string[] => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
    } catch {
      return [];
    }
  };
  const ticks = new Map<string, number>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = statOf(pid);
    if (Number(pid) === server || Number(stat[1]) === server) ticks.set(pid, Number(stat[11]) + Number(stat[12]));
  }
  return ticks;
}

/** What the processes of the server have used since. One that has ended meanwhile, such as the one that filled the tables, counts nothing. */
function serverSeconds(server: number, before: ReadonlyMap<string, number>): number {
  let ticks = 0;
  for (const [pid, used] of serverTicks(server)) ticks += used - (before.get(pid) ?? 0);
  return ticks / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
}

/** Messages are brought in after so many batches. */
const RECEIVED_EVERY = 5;

interface CrawlParts {
  readonly frontier: Frontier;
  readonly receive?: () => Promise<void>;
  /** After each so many pages. */
  readonly onPart?: (settled: number) => void;
}

async function crawl({ frontier, receive, onPart }: CrawlParts): Promise<{ settled: number; calls: number }> {
  // By the numbers of pages.
  const hosts = Array.from({ length: HOSTS }, (_, page) => anyHost(page));
  const newLink = (from: HostKey): CrawlTask => {
    const page = hosts.length;
    // Spread evenly over the links of a page.
    hosts.push((page % NEW_LINKS) + 0.5 < own * NEW_LINKS ? from : anyHost(page));
    return task(page, hosts[page]);
  };
  let nextPart = each;
  let settled = 0;
  let calls = 0;
  await frontier.add(hosts.map((host, page) => task(page, host)));
  for (let turn = 0; settled < pages; turn++) {
    clock.advance(100);
    if (turn % RECEIVED_EVERY === 0) await receive?.();
    const claims = await frontier.claim(batch);
    if (claims.length === 0) continue;
    const links = claims.map(({ task: from }) => Array.from({ length: NEW_LINKS }, () => newLink(from.host)));
    const known = (at: number): CrawlTask => task((at * 104_729) % hosts.length, hosts[(at * 104_729) % hosts.length]);
    await frontier.unknown(
      links.map((some, page) => {
        const all = [...some, ...Array.from({ length: LINKS - NEW_LINKS }, (_, n) => known(page * LINKS + n))];
        return {
          fingerprints: BigUint64Array.from(all, ({ url }) => fingerprint(url)),
          host: (place) => all[place].host,
        };
      }),
    );
    await frontier.settle(claims.map((claim, at) => settlementOf(claim, links[at], settled + at + 1)));
    settled += claims.length;
    calls += 2;
    if (settled < nextPart) continue;
    onPart?.(settled);
    nextPart += each;
  }
  return { settled, calls };
}

/** The partitions as a node has them: one frontier, and one question for the messages of all. */
function asNode(
  owned: readonly OwnedPartition[],
  state: CrawlState,
): { frontier: Frontier; receive?: () => Promise<void> } {
  if (owned.length === 1) return { frontier: owned[0].frontier };
  const attached = new NodePartitions(state.partitions, () => {});
  for (const partition of owned) attached.attach(partition);
  const frontier = new NodeFrontier({
    ...{ partitions: attached, now: () => clock.now(), check: () => {}, keepLearnt: async () => {} },
    popularLinks: 2 ** 20,
  });
  const leases = owned.map(({ lease }) => lease);
  return {
    frontier,
    receive: async () => {
      const messages = await state.exchange.receive(leases, 500);
      await state.exchange.ack(leases, await frontier.acceptEach(messages));
    },
  };
}

const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

if (values.engine === 'sqlite') {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-'));
  await using state = new SqliteState(folder, clock, Math.random, options);
  const owned = [await state.open((await state.partitions.acquire(1))[0])];
  const before = cpu();
  const { settled } = await crawl({ frontier: owned[0].frontier });
  console.log(`sqlite: ${settled} pages, node ${(((cpu() - before) / settled) * 1e6).toFixed(0)} µs of CPU a page`);
  rmSync(folder, { recursive: true, force: true });
} else {
  const programs = findPostgres();
  if (typeof programs === 'string') throw new Error(programs);
  const counting = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track_planning=on'];
  await using server = await startPostgres(programs, [...values.set, ...(values.statements ? counting : [])]);
  await using store = new PostgresConnection({ url: server.url, schema: SCHEMA });
  await migrate(store, SCHEMA);
  const ask = async (text: string) => (await store.run([[{ name: '', text }]]))[0][0]?.value;
  await ask(`SELECT set_config('synchronous_commit', '${values.sync}', false) AS value`);
  const postmaster = Number(String(await ask("SELECT pg_read_file('postmaster.pid') AS value")).split('\n')[0]);
  const open = (node: string): Promise<PostgresState> =>
    PostgresState.open({
      ...{ store, clock, node, random: Math.random, options, leaseMs: Number.POSITIVE_INFINITY, partitions },
      ...{ storeTime: async () => clock.now(), copyPath: () => ':memory:' },
    });
  const rss = process.memoryUsage.rss();
  const state = await open('bench');
  const openAll = async (of: PostgresState): Promise<OwnedPartition[]> => {
    const leases = await of.partitions.acquire(Number.POSITIVE_INFINITY);
    const owned: OwnedPartition[] = [];
    for (const lease of leases) owned.push(await of.open(lease));
    return owned;
  };
  const opening = cpu();
  const owned = await openAll(state);
  console.log(
    `opened ${owned.length} empty partitions: ${(((cpu() - opening) / owned.length) * 1000).toFixed(1)} ms CPU, ${((process.memoryUsage.rss() - rss) / owned.length / 1024).toFixed(0)} KB each`,
  );
  if (urls > 0)
    await fillTables({ url: server.url, schema: SCHEMA }, { urls, partitions, hosts: Math.ceil(HOSTS / partitions) });
  if (values.warm) {
    await ask('CREATE EXTENSION pg_prewarm');
    for (const index of ['page_pkey', 'digest_pkey']) await ask(`SELECT pg_prewarm('${index}') AS value`);
  }
  if (values.statements) await ask('CREATE EXTENSION pg_stat_statements');
  const [node, pg, trips] = [cpu(), serverTicks(postmaster), store.roundTrips];
  const lsn = await ask('SELECT pg_current_wal_insert_lsn()::text AS value');
  let part = { settled: 0, seconds: 0 };
  const onPart = (until: number): void => {
    const seconds = serverSeconds(postmaster, pg);
    const [more, took] = [until - part.settled, seconds - part.seconds];
    console.log(`${until} pages: server ${((took / more) * 1e6).toFixed(0)} µs a page for the last ${more}`);
    part = { settled: until, seconds };
  };
  const { settled, calls } = await crawl({ ...asNode(owned, state), onPart });
  const wal = Number(await ask(`SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '${lsn}') AS value`));
  const [nodeUsed, pgUsed] = [cpu() - node, serverSeconds(postmaster, pg)];
  console.log(
    `postgres (batch ${batch}, ${partitions} partitions, synchronous_commit ${values.sync}): ${settled} pages, ${calls} calls, ` +
      `node ${((nodeUsed / settled) * 1e6).toFixed(0)} µs of CPU a page, server ${((pgUsed / settled) * 1e6).toFixed(0)} µs ` +
      `(${(settled / pgUsed).toFixed(0)} pages per core-second), ${((store.roundTrips - trips) / settled).toFixed(3)} round trips a page, ` +
      `${(wal / settled).toFixed(0)} bytes of WAL a page`,
  );
  const tables = `SELECT sum(pg_total_relation_size(oid)) AS value FROM pg_class WHERE relkind = 'r' AND relnamespace = '${SCHEMA}'::regnamespace`;
  console.log(`tables and their indexes: ${(Number(await ask(tables)) / settled).toFixed(0)} bytes a page`);
  if (values.statements) {
    const taken = `SELECT round(((total_exec_time + total_plan_time) * 1000 / ${settled})::numeric, 1) AS us, calls, rows, wal_bytes, left(query, 90) AS text
      FROM pg_stat_statements WHERE calls > 10 ORDER BY 1 DESC LIMIT 30`;
    for (const { us, calls: times, rows, wal_bytes: log, text } of (await store.run([[{ name: '', text: taken }]]))[0])
      console.log(
        `${us} µs a page, ${times} times, ${rows} rows, ${log} bytes of log: ${String(text).replace(/\s+/g, ' ')}`,
      );
  }
  // What was filled in is of no crawl, and would be loaded along.
  if (urls === 0) {
    const [again, loading] = [cpu(), performance.now()];
    await openAll(await open('bench'));
    console.log(
      `loaded again: ${(cpu() - again).toFixed(1)} s CPU of the node, ${((performance.now() - loading) / 1000).toFixed(1)} s`,
    );
  }
}
