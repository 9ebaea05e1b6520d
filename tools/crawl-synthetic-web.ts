import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveSettings } from '../src/base/settings/resolve-settings.ts';
import type { Settings } from '../src/base/settings/schema.ts';
import { type CrawlSummary, createCrawl } from '../src/index.ts';
import { audit } from '../src/simulate/audit/audit.ts';
import type { AuditReport } from '../src/simulate/audit/audit-report.ts';
import type { SyntheticWeb } from '../src/simulate/model/synthetic-web.ts';
import { type Truth, type TruthOptions, truth } from '../src/simulate/model/truth.ts';
import type { WebSpecOverrides } from '../src/simulate/model/web-spec.ts';
import { startWebProcess } from '../src/simulate/server/child-web.ts';

/** What the command line of a scoring tool says. */
export interface ScoreOptions {
  /** Parameters of the web that differ from those of the tool. */
  readonly spec: WebSpecOverrides;
  /** Settings of the crawl that differ from the defaults. */
  readonly settings: Partial<Settings>;
  /** Where the crawl folder is kept; a temporary one that goes away where it is not said. */
  readonly folder?: string;
  readonly json: boolean;
  readonly verbose: boolean;
}

export interface ScoredCrawl {
  readonly web: SyntheticWeb;
  readonly truth: Truth;
  readonly report: AuditReport;
  readonly summary: CrawlSummary;
  readonly folder: string;
}

/**
 * `--seed 2 --hosts 20 --pages 300 --keep folder --json --verbose`; any other `--name=value` is a setting of the crawl,
 * spelled as on the command line of `orbweaver crawl`.
 */
export function readScoreOptions(given: readonly string[]): ScoreOptions {
  const spec: { seed?: number; hosts?: number; pagesPerHost?: number } = {};
  const flags: Record<string, string> = {};
  let folder: string | undefined;
  let json = false;
  let verbose = false;
  for (let at = 0; at < given.length; at++) {
    const [name, written] = splitOnce(given[at].replace(/^--/, ''));
    const value = (): string => written ?? given[++at] ?? '';
    if (name === 'seed') spec.seed = Number(value());
    else if (name === 'hosts') spec.hosts = Number(value());
    else if (name === 'pages') spec.pagesPerHost = Number(value());
    else if (name === 'keep') folder = value();
    else if (name === 'json') json = true;
    else if (name === 'verbose') verbose = true;
    else flags[name] = value();
  }
  const { settings, origins } = resolveSettings({ flags });
  const chosen = Object.entries(settings).filter(([key]) => origins[key as keyof Settings] === 'flag');
  return { spec, settings: Object.fromEntries(chosen), json, verbose, ...(folder === undefined ? {} : { folder }) };
}

/**
 * Crawls a synthetic web that another process serves, with the default settings but for what loopback and impatience
 * need, and judges the crawl by the server's log. `look` sees the crawl folder before it goes away.
 */
export async function crawlSyntheticWeb<Seen>(
  spec: WebSpecOverrides,
  options: ScoreOptions,
  known: Omit<TruthOptions, 'seeds'>,
  look: (crawl: ScoredCrawl) => Promise<Seen>,
  isSeed: (web: SyntheticWeb, host: number) => boolean = () => true,
): Promise<Seen> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'orbweaver-score-'));
  try {
    await using server = await startWebProcess({ ...spec, ...options.spec }, { nameServer: true });
    const { web, origins, nameServer = '' } = server;
    const seeds = origins.filter((_, host) => isSeed(web, host));
    await using crawl = await createCrawl({
      folder,
      seeds,
      allowPrivate: true,
      delay: 0,
      dnsServers: [nameServer],
      // A crawl that falls into a trap would go on for ever.
      maxDuration: 900_000,
      scope: 'any',
      ...options.settings,
    });
    const summary = await crawl.run();
    const expected = truth(web, { seeds, ...known });
    const report = audit(await server.log(), expected, { maxParallel: 1 });
    return await look({ web, truth: expected, report, summary, folder });
  } finally {
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function splitOnce(text: string): [name: string, value: string | undefined] {
  const equals = text.indexOf('=');
  return equals < 0 ? [text, undefined] : [text.slice(0, equals), text.slice(equals + 1)];
}
