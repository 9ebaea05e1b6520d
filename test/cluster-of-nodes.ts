import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClusterView } from '../src/contracts/state/nodes.ts';
import { openStoreView } from '../src/engines/open-store.ts';
import { PostgresConnection } from '../src/engines/postgres/connection.ts';
import { type CreateCrawlSettings, createCrawl } from '../src/index.ts';
import type { WebServer } from '../src/simulate/server/web-server.ts';
import { callProgram, type Ended } from './called-program.ts';
import { quickOrLong } from './property-runs.ts';

const IS_LONG = quickOrLong(false, true);
const LAUNCHER = fileURLToPath(new URL('../bin/orbweaver.cjs', import.meta.url));

/**
 * Where a machine is so busy that a request is still under way when its partition is handed over, its host rests for so long. The
 * default, five minutes, is as long as a test may take.
 */
const TOTAL_TIMEOUT_MS = 60_000;

export interface ClusterOptions {
  readonly web: Pick<WebServer, 'origins' | 'hostsMap'>;
  /** The address of the database. */
  readonly url: string;
  readonly schema: string;
  readonly partitions: number;
  readonly leaseMs: number;
  readonly delayMs: number;
  /** Instead of the home pages of the web. */
  readonly seeds?: readonly string[];
  readonly settings?: Partial<CreateCrawlSettings>;
  /** Nodes fill their search indexes. */
  readonly index?: boolean;
  /** Nodes read pages in threads, as they do by default: two more for each to start. Always in `npm run test:long`. */
  readonly pageThreads?: boolean;
  /** Of the process of a node, besides. */
  readonly environmentOf?: (number: number) => Readonly<Record<string, string>>;
}

/** What a node said when it ended. */
export interface NodeEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningNode {
  readonly child: ChildProcess;
  /** So far. */
  readonly said: () => Pick<NodeEnd, 'stdout' | 'stderr'>;
  readonly ended: Promise<NodeEnd>;
}

/** Nodes of one crawl of a synthetic web, each a process with a folder of its own. */
export class ClusterOfNodes implements AsyncDisposable {
  readonly store: string;
  readonly folder = mkdtempSync(join(tmpdir(), 'orbweaver-cluster-'));
  readonly #options: ClusterOptions;
  readonly #nodes: RunningNode[] = [];

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.store = `${options.url}&schema=${options.schema}`;
  }

  /** Writes the crawl into its database, for nodes to join: none of them has a start. */
  async create(): Promise<void> {
    const { web, partitions, leaseMs, delayMs, seeds = web.origins, settings = {} } = this.#options;
    await using _created = await createCrawl({
      ...{ folder: join(this.folder, 'creator'), store: this.store, seeds, partitions },
      ...{ partitionLease: leaseMs, scope: 'any', allowPrivate: true, sitemaps: 'off', hosts: web.hostsMap() },
      ...{ delay: delayMs, delayFactor: 0, backoffStart: 100, totalTimeout: TOTAL_TIMEOUT_MS },
      ...settings,
    });
  }

  /** Begins the crawl with its first node. */
  begin(): RunningNode {
    const { web, partitions, leaseMs, delayMs } = this.#options;
    return this.#start([
      ...['crawl', ...web.origins, '--dir', join(this.folder, '0'), '--partitions', String(partitions)],
      ...['--partition-lease', `${leaseMs}ms`, '--scope', 'any', '--allow-private', '--sitemaps', 'off'],
      ...['--delay', `${delayMs}ms`, '--delay-factor', '0', '--backoff-start', '100ms'],
      ...['--total-timeout', `${TOTAL_TIMEOUT_MS}ms`],
      ...Object.entries(web.hostsMap()).flatMap(([name, address]) => ['--hosts', `${name}=${address}`]),
    ]);
  }

  /** A node that joins; under a number that was used before it is the same node again. */
  join(number: number, ...flags: readonly string[]): RunningNode {
    const environment = this.#options.environmentOf?.(number) ?? {};
    return this.#start(['node', '--folder', join(this.folder, String(number)), ...flags], environment);
  }

  /** Runs a command beside the nodes, in this process. */
  call(...words: readonly string[]): Promise<Ended> {
    return callProgram(words, { env: this.#environment });
  }

  async view(): Promise<ClusterView> {
    await using view = await openStoreView(this.store);
    return await view.nodes.view();
  }

  /** Waits for the cluster to look so. The limit is for a run that hangs: minutes, and fewer than a test may take, so that it says why. */
  async until(what: string, looksSo: (view: ClusterView) => boolean): Promise<ClusterView> {
    await using store = await openStoreView(this.store);
    for (let looks = 0; looks < 1500; looks++) {
      const view = await store.nodes.view();
      if (looksSo(view)) return view;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const ends = this.#nodes.map(({ child, said }) => ({ code: child.exitCode, signal: child.signalCode, ...said() }));
    throw new Error(`never came: ${what}\n${JSON.stringify([await store.nodes.view(), ends], undefined, 1)}`);
  }

  /** The pages of the web that are stored, with how often each was settled as such. */
  async pages(): Promise<Map<string, number>> {
    await using connection = new PostgresConnection({ url: this.#options.url, schema: this.#options.schema });
    const text = "SELECT url, history FROM page WHERE kind IN ('stored', 'duplicate')";
    const [rows] = await connection.run([[{ name: '', text }]]);
    const origins = new Set(this.#options.web.origins.map((url) => new URL(url).origin));
    const ofWeb = rows.filter(({ url }) => origins.has(new URL(String(url)).origin));
    return new Map(
      ofWeb.map(({ url, history }) => [
        String(url),
        String(history)
          .split('\n')
          .filter((line) => /"kind":"(?:stored|duplicate)"/.test(line)).length,
      ]),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child } of this.#nodes) child.kill('SIGKILL');
    await Promise.all(this.#nodes.map(({ ended }) => ended));
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #environment(): Readonly<Record<string, string>> {
    const { index = false, pageThreads = IS_LONG } = this.#options;
    return {
      ...{ ORBWEAVER_STORE: this.store, ORBWEAVER_INDEX: String(index) },
      ...(pageThreads ? {} : { ORBWEAVER_WORKERS: '0' }),
    };
  }

  #start(words: readonly string[], environment: Readonly<Record<string, string>> = {}): RunningNode {
    const child = spawn(process.execPath, [LAUNCHER, ...words, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...this.#environment, ...environment },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const said = () => ({ stdout, stderr });
    const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...said() }));
    const node = { child, said, ended };
    this.#nodes.push(node);
    return node;
  }
}
