import { accessSync, constants, mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { type ArchiveDisk, nodeDisk } from '../archive/archive-disk.ts';
import { repairArchive } from '../archive/mend/repair-archive.ts';
import type { Clock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import { robotsAgentOf } from '../base/robots-names.ts';
import type { Settings } from '../base/settings/schema.ts';
import { userAgentOf } from '../base/settings/user-agent.ts';
import { SteadyClock } from '../base/steady-clock.ts';
import type { CrawlEvents } from '../contracts/events.ts';
import type { ForgottenPages } from '../contracts/forgotten.ts';
import type { HandOver } from '../contracts/handed-visit.ts';
import type { ShippedFiles } from '../contracts/shipped-file.ts';
import type { KeptPages } from '../contracts/state/node-state.ts';
import type { OwnedPartition } from '../contracts/state/owned-partition.ts';
import { openControl } from '../engines/open-control.ts';
import { openCrawlState, openOnlyPartition, type StateToOpen } from '../engines/open-state.ts';
import { openStore } from '../engines/open-store.ts';
import { repairCommand } from '../engines/storage-error.ts';
import { loadPlugins, resolvePlugins } from '../plugins/load-plugins.ts';
import { createOrder } from '../rank/orders/create-order.ts';
import { compilePattern } from '../scope/url-pattern.ts';
import { rootsOf } from '../seeds/folder-seeds.ts';
import type { UrlOptions } from '../url/url-options.ts';
import { sampleTexts } from './content/sample-texts.ts';
import { LiveSettings } from './control/live-settings.ts';
import type { Crawl } from './crawl.ts';
import { archiveFolder } from './crawl-folder.ts';
import { openRowSettling } from './extraction/open-row-settling.ts';
import { readRules } from './extraction/read-rules.ts';
import { FolderCrawl } from './folder-crawl.ts';
import { type ArchiveSource, openCapturesOf } from './foreign/open-captures-of.ts';
import { importSettings, isReplay, replaySettings } from './foreign/replay-settings.ts';
import { refuseUnfinished } from './forget/unfinished.ts';
import type { CrawlRecord } from './nodes/crawl-record.ts';
import { refuseNodeFolder } from './nodes/node-note.ts';
import { type NodeToOpen, openNode } from './nodes/open-node.ts';
import { ShippedNotes } from './nodes/shipped-notes.ts';
import { openShipping } from './open-shipping.ts';
import { orderChange } from './order-change.ts';
import { foundUrl } from './plugins/plugin-rules.ts';
import { refuseOtherSketches } from './refuse-other-sketches.ts';
import { type KeptRendering, openRendering } from './rendering/open-rendering.ts';
import { connectThread } from './rendering/render-port.ts';
import { unreachableLimits } from './report/describe-host-trouble.ts';
import { EventHub } from './report/event-hub.ts';
import { reportHostTrouble } from './report/host-trouble.ts';
import type { RunRecord } from './report/run-record.ts';
import { persistRequestBudget } from './revisits/persist-request-budget.ts';
import { type RoundRecord, roundOf } from './revisits/round.ts';
import { frontierOptionsOf, gateOptionsOf, lanesOf, orderOf, tracedShare, urlOptionsOf } from './settings-to-parts.ts';
import { cookieNotices, openPrivateAccess } from './visit/private-access.ts';
import { openPageWorker } from './workers/open-page-worker.ts';
import { ThreadPool } from './workers/thread-pool.ts';
import { InlineWorkers, type WorkerPool, type WorkerReports } from './workers/worker-pool.ts';

const FEW_HOSTS = 8;
const MANY_HOSTS = 200;
const FEW_CORES = 2;
const NOT_OVER = 'The crawl in this folder is not finished yet: it goes on. For another round, use --again when it is.';

export interface OpenCrawlOptions {
  readonly folder: string;
  readonly settings: Settings;
  readonly version: string;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** The writing side of the archive, where pages are fetched in this thread. */
  readonly disk?: ArchiveDisk;
  /** One more visit of every known page, where the crawl in the folder is over. */
  readonly again?: boolean;
  /** Takes part, as a node, in a crawl that stands in the database of the settings. */
  readonly joins?: boolean;
  /** To the thread that fills the index beside the crawl. */
  readonly handOver?: HandOver;
  /** Of a node: its pages are kept for an index that follows them. */
  readonly keptPages?: KeptPages;
  /** Of a node: lets others search its index. */
  readonly serveIndex?: NodeToOpen['serveIndex'];
  /** With archives that the crawl is answered from. */
  readonly archives?: ArchiveSource;
}

/** Opens a crawl folder; the one place that names concrete classes. State first (it holds the lock), then the archive. */
export async function openCrawl({
  folder,
  settings: given,
  version,
  clock = new SteadyClock(),
  random = Math.random,
  disk = nodeDisk,
  again = false,
  joins = false,
  handOver,
  keptPages,
  serveIndex,
  archives = {},
}: OpenCrawlOptions): Promise<Crawl> {
  await using opened = new AsyncDisposableStack();
  const control = opened.use(openControl(folder));
  const source = archives.importing === true ? importSettings(given) : replaySettings(given);
  const live = new LiveSettings({ ...source, plugins: resolvePlugins(given.plugins) }, control.state().settings);
  const settings = live.current;
  // Before anything is opened: a plug-in that cannot be loaded, or a mix that cannot be read, is told at once.
  const plugins = await loadPlugins(settings.plugins, { folder, userAgent: userAgentOf(settings, version) });
  const ruleSets = await readRules(settings);
  if (!isReplay(settings)) openPrivateAccess(settings);
  const order = createOrder({
    order: orderOf(settings),
    lanes: lanesOf(settings),
    boosts: Object.entries(settings.boost).map(([text, boost]) => ({ pattern: compilePattern(text), boost })),
    ...(plugins.evidences.length === 0 ? {} : { evidence: (task, link) => plugins.evidenceOf(foundUrl(task, link)) }),
    now: () => clock.now(),
  });
  const frontierOptions = frontierOptionsOf(settings, clock.now(), () => live.current);
  let round: RoundRecord | undefined;
  let againFiles = false;
  const toOpen: StateToOpen = {
    ...{ folder, clock, random },
    options: { ...frontierOptions, durability: settings.durability },
    adapt: (read) => {
      round = roundOf(read, again, clock.now());
      againFiles = rootsOf(read<RunRecord>('run')?.seeds ?? []).length > 0;
      return {
        movable: frontierOptions.movable || orderChange(read<RunRecord>('run')?.order, settings) !== undefined,
        revisits: frontierOptions.revisits || round !== undefined || againFiles || archives.importing === true,
      };
    },
  };
  const isNode = joins || (settings.store !== '' && settings.partitions > 1);
  const kept = { ...(keptPages && { keptPages }), ...(serveIndex && { serveIndex }) };
  const node = isNode ? opened.use(await openNode({ ...toOpen, settings, order, joins, ...kept })) : undefined;
  const { state, shipped } =
    node === undefined ? await openSole(toOpen, settings.store, opened) : { state: node.share, shipped: node.shipped };
  refuseUnfinished(state.read<ForgottenPages>('forgotten'), folder);
  const { allowance } = frontierOptions;
  if (allowance !== undefined) opened.use(persistRequestBudget(allowance, state, clock));
  const before = withRecord(state.read<RunRecord>('run'), node?.record);
  // Before the record of the last run gives way: killed from here on, the round goes on.
  if (round !== undefined) state.write('round', round);
  const urlOptions = urlOptionsOf(settings, plugins);
  refuseOtherUrls(before?.urlOptions, urlOptions, folder);
  refuseLostSchemes(before?.urlOptions, urlOptions, folder);
  refuseOtherSketches({ folder, settings, stored: state.sketches.any(), record: node?.record?.settings });

  const captures = await openCapturesOf({ folder, settings, urlOptions, clock, before, source: archives });
  opened.use(captures);
  const events = new EventHub<CrawlEvents>();
  const unreachable = unreachableLimits(frontierOptions.politeness, frontierOptions.revisits === true);
  opened.use(reportHostTrouble({ events, pages: state.pages, clock, ...frontierOptions }));
  makeArchiveFolder(folder);
  // The names of the folder and of what is in it: without them what is synced below would be found nowhere.
  if (settings.durability === 'power')
    for (const place of [folder, dirname(resolve(folder))]) await disk.syncFolder(place);
  const { lost } = await repairArchive(archiveFolder(folder), state.archiveFiles());
  refuseLostArchive(lost, folder, settings.store !== '');
  const shipping = await openShipping({
    ...{ folder, settings, state, events, clock, random },
    ...(shipped === undefined ? {} : { shipped }),
    ...(node === undefined ? {} : { node }),
  });
  if (shipping !== undefined) opened.use(shipping);
  const { rows, ...extraction } = opened.use(openRowSettling(folder, ruleSets, settings, clock));
  const early: string[] = [];
  let notice = (message: string): void => void early.push(message);
  const rendering = openRendering({
    ...{ folder, settings, version, clock, pages: state.pages },
    seeds: () => state.read<RunRecord>('run')?.seeds ?? [],
    isImport: captures.importing !== undefined,
    read: () => state.read<KeptRendering>('rendering'),
    write: (kept) => state.write('rendering', kept),
    notice: (message) => notice(message),
  });
  if (rendering !== undefined) opened.use(rendering);
  const startWorkers = (reports: WorkerReports): WorkerPool => {
    // A node works in one thread: a machine has as many nodes as it has cores to spare.
    const count =
      node !== undefined
        ? 0
        : settings.workers === 'auto'
          ? suitableWorkers(settings, state.frontier.hosts, handOver !== undefined)
          : settings.workers;
    if (count > 0) {
      parts.use(state.checkpointAside());
      const shared = clock instanceof SteadyClock ? { clock: clock.shared } : {};
      const data = { folder, settings, version, workers: count, ruleSets, ...shared };
      const ways = {
        ...(handOver === undefined ? {} : { handOver }),
        ...(rendering === undefined ? {} : { renderPort: () => connectThread(rendering) }),
      };
      return new ThreadPool(count, { data, clock, ...ways }, reports);
    }
    return new InlineWorkers(
      (signs) =>
        openPageWorker({
          folder,
          settings,
          version,
          writerId: node?.name ?? 'w0',
          pages: state.pages,
          seeds: () => state.read<RunRecord>('run')?.seeds ?? [],
          hasFewHosts: node === undefined && hasFewHosts(settings, state.frontier.hosts),
          clock,
          disk,
          ...{ plugins, ruleSets, ...signs },
          ...(rendering === undefined ? {} : { rendering }),
          ...(node === undefined ? {} : { isAllowed: (host) => node.membership.isAllowed(host) }),
          ...(handOver === undefined ? {} : { handOver: handOver.connect() }),
        }),
      reports,
      { ...gateOptionsOf(settings, rendering !== undefined), clock, traced: tracedShare(settings) },
    );
  };
  const parts = opened.move();
  const notices = [
    ...(again && round === undefined && before !== undefined ? [NOT_OVER] : []),
    ...changedByHand(live),
    ...captures.notices,
    ...cookieNotices(settings),
    ...extraction.notices,
    ...early,
  ];
  notice = (message) => events.emit('warning', { code: 'NOTICE', message });
  return new FolderCrawl({
    folder,
    settings,
    ...{ live, control },
    random,
    state,
    plugins,
    startWorkers,
    order,
    fetchTexts: (urls, signal) =>
      sampleTexts(
        urls,
        settings,
        (samples, plain) => openCrawl({ folder: samples, settings: plain, version, clock, random }),
        signal,
      ),
    events,
    clock,
    ...(round === undefined ? {} : { round }),
    againFiles,
    ...(node === undefined ? {} : { node }),
    ...(shipping === undefined ? {} : { shipping }),
    ...(captures.importing === undefined ? {} : { importing: captures.importing }),
    notices,
    ...(rows && { rows }),
    ...(rendering === undefined ? {} : { rendering }),
    run: {
      version,
      seeds: before?.seeds ?? node?.record?.seeds ?? [],
      ...scopesOf(before ?? node?.record),
      urlOptions,
      agent: robotsAgentOf(settings),
      rules: before?.rules ?? '',
      ...(before?.topic === undefined ? {} : { topic: before.topic }),
      ...(before?.kept === undefined ? {} : { kept: before.kept }),
      ...(before?.order === undefined ? {} : { order: before.order }),
      ...(before?.duplicatesOf === undefined ? {} : { duplicatesOf: before.duplicatesOf }),
      ...(unreachable === undefined ? {} : { unreachable }),
      ...(captures.importing === undefined ? {} : { imported: true }),
      startedAt: clock.now(),
    },
    close: () => parts.disposeAsync(),
  });
}

/** What was changed while an earlier run went on holds for this one, whatever its command says. */
function changedByHand({ differences }: LiveSettings): string[] {
  if (differences.length === 0) return [];
  return [`By orbweaver set, ${differences.join(', ')}. To take that back: orbweaver set NAME --reset`];
}

async function openSole(
  toOpen: StateToOpen,
  store: string,
  opened: AsyncDisposableStack,
): Promise<{ readonly state: OwnedPartition; readonly shipped?: ShippedFiles }> {
  const crawlState = opened.use(store === '' ? openCrawlState(toOpen) : await openStore({ ...toOpen, url: store }));
  const state = opened.use(await openOnlyPartition(crawlState));
  refuseNodeFolder(state, toOpen.folder);
  return store === '' ? { state } : { state, shipped: new ShippedNotes(crawlState.notes) };
}

function scopesOf(from: Pick<RunRecord, 'seedScopes'> | undefined): Pick<RunRecord, 'seedScopes'> {
  return from?.seedScopes === undefined ? {} : { seedScopes: from.seedScopes };
}

/** The seeds of a crawl of several nodes are those that all of them know. */
function withRecord(before: RunRecord | undefined, record: CrawlRecord | undefined): RunRecord | undefined {
  if (before === undefined || record === undefined) return before;
  const { seeds, seedScopes } = record;
  return { ...before, seeds, ...(seedScopes === undefined ? {} : { seedScopes }) };
}

/**
 * A crawl of few hosts is bound by their delays: threads would only cost their start. Else a core stays free for the threads
 * that decide and that index: a page thread more would compile the same code once more, and share their core. Where nothing
 * is indexed and there are many hosts, the thread that decides leaves room for it. Where links alone are wanted, a page costs little more than
 * handing it from thread to thread: on two cores one thread is as fast, and needs a tenth less.
 */
function suitableWorkers({ scope, text }: Settings, hosts: number, indexed: boolean): number {
  if (hasFewHosts({ scope }, hosts)) return 0;
  const bounded = isBounded(scope);
  const cores = availableParallelism();
  if (bounded && hosts < MANY_HOSTS && cores <= FEW_CORES && !indexed && !text) return 0;
  return indexed || (bounded && hosts < MANY_HOSTS) ? Math.max(1, cores - 1) : cores;
}

function hasFewHosts({ scope }: Pick<Settings, 'scope'>, hosts: number): boolean {
  return isBounded(scope) && hosts < FEW_HOSTS;
}

/** To the hosts of the seeds, or little more. */
function isBounded(scope: Settings['scope']): boolean {
  return scope === 'host' || scope === 'directory' || scope === 'domain';
}

/** Told before anything is asked for, rather than when the first page is to be stored. */
function makeArchiveFolder(folder: string): void {
  const archive = archiveFolder(folder);
  try {
    mkdirSync(archive, { recursive: true });
    accessSync(archive, constants.W_OK);
  } catch (cause) {
    throw new OrbweaverError('FOLDER_UNWRITABLE', `The archive folder ${archive} cannot be written.`, {
      remedy: 'Change the permissions of the folder, or choose another folder with --dir.',
      cause,
    });
  }
}

/** Settled pages are gone from the archive: nothing a crawl may paper over. */
function refuseLostArchive(
  lost: readonly { file: string; committed: number; present: number }[],
  folder: string,
  inDatabase: boolean,
): void {
  if (lost.length === 0) return;
  const files = lost.map(({ file, committed, present }) => `${file} holds ${present} of ${committed} settled bytes`);
  throw new OrbweaverError('FOLDER_CORRUPT', `The archive in ${folder} has lost pages: ${files.join('; ')}.`, {
    remedy: inDatabase
      ? 'Name the folder that this crawl began in with --dir, or put the files back from a copy. Another crawl needs a database, or a ?schema= of --store, of its own.'
      : `Put the files back from a copy; or, to have the lost pages fetched again: ${repairCommand(folder)}`,
  });
}

/** Nobody else could fetch the URLs of the scheme: they would be refused, and pages that are stored already taken for gone. */
function refuseLostSchemes(before: UrlOptions | undefined, { schemes: now = '' }: UrlOptions, folder: string): void {
  const lost = (before?.schemes ?? '').split(' ').filter((scheme) => scheme !== '' && !now.split(' ').includes(scheme));
  if (lost.length === 0) return;
  throw new OrbweaverError(
    'PLUGIN_INVALID',
    `The crawl in ${folder} fetches ${lost.join(' ')} URLs by a plug-in, which is not among the plug-ins of this run.`,
    { remedy: 'Name it with --plugins, as when the crawl began.' },
  );
}

/** One URL must keep one canonical form, or pages would be fetched and stored twice. */
function refuseOtherUrls(before: UrlOptions | undefined, now: UrlOptions, folder: string): void {
  if (before === undefined) return;
  const changed = (Object.keys({ ...before, ...now }) as (keyof UrlOptions)[]).filter(
    (key) => key !== 'schemes' && key !== 'files' && before[key] !== now[key],
  );
  if (changed.length === 0) return;
  throw new OrbweaverError(
    'SETTING_INVALID',
    `The crawl in ${folder} began with other URL settings: ${changed.map((key) => `${key} was ${before[key] ?? 'keep'}, is ${now[key] ?? 'keep'}`).join('; ')}.`,
    {
      remedy: `Use the settings it began with (${changed.map((key) => flagOf(key, before[key] ?? 'keep')).join(' ')}), or start a new crawl in another folder.`,
    },
  );
}

/** How a setting is given in a command. */
function flagOf(key: string, value: string | boolean): string {
  const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return typeof value === 'string' ? `--${name} ${value}` : value ? `--${name}` : `--no-${name}`;
}
