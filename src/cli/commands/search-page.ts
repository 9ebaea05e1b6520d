import { basename, resolve } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import { loadSettingsFile } from '../../base/settings/load-settings-file.ts';
import { resolveSettings } from '../../base/settings/resolve-settings.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { SearchService } from '../../contracts/search-service.ts';
import { settingsPath } from '../../crawl/crawl-folder.ts';
import type { LocalFileReader } from '../../crawl/files/local-file-reader.ts';
import type { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import type { RunMetrics } from '../../observe/metrics/run-metrics.ts';
import { resolvePlugins } from '../../plugins/load-plugins.ts';
import type { Access } from '../../web/http/access/access.ts';
import type { McpRoutes } from '../../web/mcp/mcp-routes.ts';
import type { PushRoutes } from '../../web/push-routes.ts';
import type { WebApp } from '../../web/web-app.ts';
import { type AskedSearch, askedStore, openAskedCrawl, searchedPlaces } from '../arguments/asked-crawl.ts';
import { wholeNumber } from '../arguments/whole-number.ts';
import { version } from '../version.ts';
import { followNodes } from './nodes/follow-nodes.ts';

export interface ServeFlags {
  readonly dir: string;
  /** The database of a crawl of several nodes. */
  readonly store?: string;
  readonly port: string;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly title?: string;
  readonly clicks?: boolean;
  /** Agents may have single URLs fetched. */
  readonly allowCrawl?: boolean;
  /** The index need not be there yet: a crawl that runs beside will make it. */
  readonly mayBeEmpty?: boolean;
  /** By which pushes are taken, where the settings say so. */
  readonly taking?: { readonly settings: Settings; readonly version: string };
  /** Figures of a crawl that runs in this process. */
  readonly run?: RunMetrics;
}

/** A search page that is being served. */
export interface SearchPage extends AsyncDisposable {
  readonly url: string;
  /** There is a crawl behind it, which the dashboard shows. */
  readonly watched: boolean;
  /** What others may tell it. */
  readonly pushes: readonly string[];
  /** A token that was made because none was given. */
  readonly madeToken?: string;
  /** That could be found when it was opened; 0 where the index may still be empty. */
  readonly documents: number;
}

/** Serves the search page and the dashboard of a folder until it is disposed of. */
export async function openSearchPage(flags: ServeFlags): Promise<SearchPage> {
  const port = wholeNumber('--port', flags.port, 0, 65_535);
  const { startWebApp } = await import('../../web/http/listen.ts');
  const { pageAccess } = await import('../../web/http/access/page-access.ts');
  await using opened = new AsyncDisposableStack();
  const { access, madeToken } = pageAccess(flags, flags.taking?.settings);
  const { app, watched, documents } = await openFolderApp({ ...flags, access }, opened);
  const listening = opened.use(
    await startWebApp(app, { host: flags.host, port }).catch((cause) => {
      throw cannotListen(flags, cause);
    }),
  );
  const parts = opened.move();
  return {
    url: listening.url,
    watched,
    ...(madeToken === undefined ? {} : { madeToken }),
    pushes: flags.taking?.settings.push ?? [],
    documents,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** The pages of a folder, without a server; what they need is opened on the stack. */
export async function openFolderApp(
  flags: ServeFlags & { readonly access: Access; readonly mount?: string },
  opened: AsyncDisposableStack,
): Promise<{ readonly app: WebApp; readonly watched: boolean; readonly documents: number }> {
  const { openSearchThreads, SearchThreads } = await import('../../search/threads/search-threads.ts');
  const { ClickLog } = await import('../../web/search/click-log.ts');
  const { CrawlFolderReader } = await import('../../web/crawl-folder-reader.ts');
  const { MasterReader } = await import('../../web/master-reader.ts');
  const { readMaster } = await import('../../search/indexing/master/master-place.ts');
  const { FolderControl } = await import('../../crawl/control/folder-control.ts');
  const { hasState } = await import('../../engines/state-folder.ts');
  const { WebApp } = await import('../../web/web-app.ts');

  // A crawl that runs beside is that of the folder.
  const { store } = flags.mayBeEmpty === true ? {} : await askedStore(flags);
  const asked: AskedSearch = store === undefined ? { places: { folder: flags.dir } } : await searchedPlaces(flags);
  const { folder, ...places } = asked.places;
  const options = { ...places, plugins: resolvePlugins(flags.taking?.settings.plugins ?? []) };
  const search = opened.use(
    flags.mayBeEmpty === true ? new SearchThreads(folder, options) : await openSearchThreads(folder, options),
  );
  const cluster = asked.nodes === undefined ? undefined : await followNodes(asked.nodes, search, opened);
  // Imported documents have an index, but no crawl behind it: then nothing that reads one is loaded.
  const hasCrawl = store === undefined && hasState(folder);
  const isMaster = !hasCrawl && store === undefined && readMaster(folder) !== undefined;
  const { crawl, watch, siteReport, facts, graph }: OpenedCrawl =
    store !== undefined
      ? { crawl: opened.use(await openAskedCrawl(flags, 'site')) }
      : hasCrawl
        ? await openCrawl(folder, opened)
        : {};
  const push = await openPush(flags, opened, (trouble) => reportFault(trouble, 'push'));
  const { openPageMetrics } = await import('./observe/page-metrics.ts');
  const metrics = openPageMetrics({
    ...{ search, folder, hasCrawl },
    ...(cluster === undefined ? {} : { cluster }),
    ...(flags.run && { run: flags.run }),
  });
  const localFiles = crawl === undefined ? undefined : await openLocalFiles(flags, folder, crawl);
  const app = new WebApp({
    metrics: opened.use(metrics).routes,
    mcp: await openMcp(flags, folder, search, crawl),
    search,
    reader: isMaster ? opened.use(new MasterReader(folder)) : new CrawlFolderReader(crawl),
    access: flags.access,
    ...(crawl === undefined ? {} : { changes: crawl, crawl }),
    isInDatabase: store !== undefined,
    ...(hasCrawl ? { control: opened.use(new FolderControl(folder)) } : {}),
    ...(localFiles === undefined ? {} : { localFiles }),
    ...(watch === undefined ? {} : { watch }),
    ...(siteReport === undefined ? {} : { siteReport }),
    ...(facts === undefined ? {} : { facts }),
    ...(graph === undefined ? {} : { graph }),
    title: flags.title ?? basename(resolve(folder)),
    hostNames: [flags.host, ...(flags.allowHost ?? [])],
    onFault: reportFault,
    ...(flags.mount === undefined ? {} : { mount: flags.mount }),
    ...(push === undefined ? {} : { push }),
    ...(flags.clicks === true ? { clicks: new ClickLog(folder, systemClock) } : {}),
  });
  return { app, watched: hasCrawl, documents: flags.mayBeEmpty === true ? 0 : search.documents };
}

/** The files behind results, where this machine alone can ask for them and there are any. */
async function openLocalFiles(
  { host, allowHost = [], taking }: ServeFlags,
  folder: string,
  crawl: Pick<CrawlReader, 'explain' | 'seeds' | 'filesSettings'>,
): Promise<LocalFileReader | undefined> {
  const { isLoopback } = await import('../../web/http/access/page-access.ts');
  if (!isLoopback(host) || allowHost.length > 0) return undefined;
  const { LocalFileReader } = await import('../../crawl/files/local-file-reader.ts');
  return new LocalFileReader({ folder, crawl, settings: taking?.settings ?? (await settingsOfFolder(folder)) });
}

async function settingsOfFolder(folder: string): Promise<Settings> {
  const file = await loadSettingsFile(settingsPath(folder), { optional: true });
  return resolveSettings({ file }).settings;
}

/** Faults of our own go to standard error; the reader gets a page without particulars. */
export function reportFault(fault: unknown, where: string): void {
  process.stderr.write(`orbweaver: ${where}: ${textOf(fault)}\n`);
}

/** Agents may read; whether they may fetch as well, the user says. */
async function openMcp(
  { allowCrawl, taking }: ServeFlags,
  folder: string,
  search: SearchService,
  crawl: CrawlReader | undefined,
): Promise<McpRoutes> {
  const { CrawlTools } = await import('../../mcp/crawl-tools.ts');
  const { McpRoutes } = await import('../../web/mcp/mcp-routes.ts');
  const tools = new CrawlTools({ search, crawl: () => crawl });
  if (allowCrawl !== true || taking === undefined) return new McpRoutes({ tools, version });
  const { UrlCrawler } = await import('../../mcp/crawl-url.ts');
  return new McpRoutes({ tools, version, crawler: new UrlCrawler({ folder, settings: taking.settings, version }) });
}

type FolderCrawlParts = Awaited<ReturnType<typeof openCrawl>>;

/** What stands behind the pages; of a crawl in a database only what reads pages. */
interface OpenedCrawl extends Partial<Omit<FolderCrawlParts, 'crawl'>> {
  readonly crawl?: FolderCrawlParts['crawl'] | Awaited<ReturnType<typeof openAskedCrawl>>;
}

async function openCrawl(folder: string, opened: AsyncDisposableStack) {
  const { CrawlReader } = await import('../../crawl/report/crawl-reader.ts');
  const { FolderWatch } = await import('../../web/dashboard/folder-watch.ts');
  const { FolderReport } = await import('../../crawl/report/site/folder-report.ts');
  const { FolderFacts } = await import('../../web/folder-facts.ts');
  const { FolderGraph } = await import('../../web/graph/folder-graph.ts');
  const crawl = opened.use(new CrawlReader(folder));
  return {
    crawl,
    watch: opened.use(new FolderWatch(folder, systemClock)),
    siteReport: opened.use(new FolderReport(folder, systemClock)),
    facts: opened.use(new FolderFacts(folder, crawl)),
    graph: opened.use(new FolderGraph(folder)),
  };
}

/** What others may tell this server; undefined where nobody was asked to. */
async function openPush(
  { dir, taking }: ServeFlags,
  opened: AsyncDisposableStack,
  onTrouble: (trouble: unknown) => void,
): Promise<PushRoutes | undefined> {
  if (taking === undefined || taking.settings.push.length === 0) return undefined;
  const { MOST_PUSHED_BYTES, openPushReceiver } = await import('../../crawl/notify/open-push-receiver.ts');
  const { PushRoutes } = await import('../../web/push-routes.ts');
  const { desk } = opened.use(openPushReceiver({ folder: dir, ...taking, onTrouble }));
  const { pushAddress: address } = taking.settings;
  return new PushRoutes({ desk, clock: systemClock, address, maxBytes: MOST_PUSHED_BYTES });
}

export function cannotListen({ host, port }: Pick<ServeFlags, 'host' | 'port'>, cause: NodeJS.ErrnoException): unknown {
  const codes = ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND'];
  if (!codes.includes(cause.code ?? '')) return cause;
  return new OrbweaverError('USAGE', `Cannot listen on ${host}, port ${port}: ${cause.code}.`, {
    cause,
    remedy: 'Name another port with --port (0 takes any free one), or another address of this machine with --host.',
  });
}

function textOf(fault: unknown): string {
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
}
