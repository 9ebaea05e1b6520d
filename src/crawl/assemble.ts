import { repairArchive } from '../archive/repair-archive.ts';
import { openWarcArchive } from '../archive/warc-archive.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import type { Settings } from '../base/settings/schema.ts';
import { userAgentOf } from '../base/settings/user-agent.ts';
import type { CrawlEvents } from '../contracts/events.ts';
import { ExactDuplicates } from '../dedupe/exact-duplicates.ts';
import { SqliteState } from '../engines/sqlite/sqlite-state.ts';
import { createCrawlOrder } from '../rank/crawl-orders.ts';
import { MediaTypeRule } from '../scope/media-type-rule.ts';
import { createResolver } from '../url/resolver.ts';
import type { UrlOptions } from '../url/url-options.ts';
import type { Crawl } from './crawl.ts';
import { archiveFolder } from './crawl-folder.ts';
import { DocumentReader } from './document-reader.ts';
import { EventHub } from './event-hub.ts';
import { FolderCrawl } from './folder-crawl.ts';
import { openNetwork } from './open-network.ts';
import { PageWorker } from './page-worker.ts';
import { RobotsGate } from './robots-gate.ts';
import type { RunRecord } from './run-record.ts';
import { frontierOptionsOf, urlOptionsOf } from './settings-to-parts.ts';

export interface OpenCrawlOptions {
  readonly folder: string;
  readonly settings: Settings;
  readonly version: string;
  readonly clock?: Clock;
  readonly random?: () => number;
}

/**
 * Opens a crawl folder, new or not: the one place that names concrete classes.
 * Order matters: the state first (it holds the lock), then the archive is cut back to what the state has settled.
 */
export async function openCrawl({
  folder,
  settings,
  version,
  clock = systemClock,
  random = Math.random,
}: OpenCrawlOptions): Promise<Crawl> {
  await using opened = new AsyncDisposableStack();
  const state = opened.use(
    new SqliteState(folder, clock, random, { ...frontierOptionsOf(settings), durability: settings.durability }),
  );
  const before = state.read<RunRecord>('run');
  const urlOptions = urlOptionsOf(settings);
  refuseOtherUrls(before?.urlOptions, urlOptions, folder);

  const events = new EventHub<CrawlEvents>();
  const { lost } = await repairArchive(archiveFolder(folder), state.archiveFiles());
  refuseLostArchive(lost, folder);
  const userAgent = userAgentOf(settings, version);
  const archive = opened.use(
    openWarcArchive({
      folder: archiveFolder(folder),
      writerId: 'w0',
      clock,
      maxFileBytes: settings.archiveFileSize,
      level: settings.archiveCompressionLevel,
      sync: settings.durability === 'power' ? 'data' : 'none',
      software: `Orbweaver/${version}`,
      userAgent,
      robots: settings.robots ? 'obey' : 'ignore',
    }),
  );
  const network = opened.use(openNetwork(settings, version, clock));
  const robots = settings.robots
    ? new RobotsGate(network.fetcher, state.pages, clock, {
        agent: settings.robotsAgent,
        maxAgeMs: settings.robotsMaxAge,
      })
    : undefined;
  const mediaTypes = new MediaTypeRule(settings);
  const worker = new PageWorker({
    fetcher: network.fetcher,
    robots,
    duplicates: new ExactDuplicates(state.pages),
    archive,
    clock,
    wanted: (head) =>
      head.status >= 200 && head.status < 300 ? mediaTypes.refusal(head.header('content-type')) : undefined,
    reader: new DocumentReader({
      resources: settings.resources,
      agent: settings.robotsAgent,
      resolver: (base) => {
        const resolver = createResolver(base, urlOptions);
        return (reference) => resolver.resolve(reference);
      },
    }),
    agent: settings.robotsAgent,
    followNofollow: settings.followNofollow,
    storeNoindex: settings.storeNoindex,
    maxRetries: settings.retries,
    maxRetryMs: settings.backoffStart,
  });
  const parts = opened.move();
  return new FolderCrawl({
    settings,
    state,
    network,
    work: (claim) => worker.work(claim),
    prioritizer: createCrawlOrder(settings.order, settings.lanes),
    events,
    clock,
    run: {
      version,
      seeds: before?.seeds ?? [],
      urlOptions,
      agent: settings.robotsAgent,
      rules: before?.rules ?? '',
      startedAt: clock.now(),
    },
    close: () => parts.disposeAsync(),
  });
}

/** Settled pages are gone from the archive: nothing a crawl may paper over. */
function refuseLostArchive(
  lost: readonly { file: string; committed: number; present: number }[],
  folder: string,
): void {
  if (lost.length === 0) return;
  const files = lost.map(({ file, committed, present }) => `${file} holds ${present} of ${committed} settled bytes`);
  throw new OrbweaverError('FOLDER_CORRUPT', `The archive in ${folder} has lost pages: ${files.join('; ')}.`, {
    remedy: 'Put the missing files back from a copy, or start a new crawl in another folder.',
  });
}

/** One URL must keep one canonical form, or pages would be fetched and stored twice. */
function refuseOtherUrls(before: UrlOptions | undefined, now: UrlOptions, folder: string): void {
  if (before === undefined) return;
  const changed = (Object.keys(now) as (keyof UrlOptions)[]).filter((key) => before[key] !== now[key]);
  if (changed.length === 0) return;
  throw new OrbweaverError(
    'SETTING_INVALID',
    `The crawl in ${folder} began with other URL settings: ${changed.map((key) => `${key} was ${before[key]}, is ${now[key]}`).join('; ')}.`,
    { remedy: 'Use the settings it began with, or start a new crawl in another folder.' },
  );
}
