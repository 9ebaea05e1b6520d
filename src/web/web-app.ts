import type { IncomingMessage, ServerResponse } from 'node:http';
import { HTTPException } from 'hono/http-exception';
import { type ErrorCode, OrbweaverError } from '../base/errors.ts';
import type { ChangeLog } from '../contracts/change-log.ts';
import type { SearchService } from '../contracts/search-service.ts';
import type { FolderControl } from '../crawl/control/folder-control.ts';
import type { FolderReport } from '../crawl/report/site/folder-report.ts';
import { ApiDocument } from './api/api-document.ts';
import { NotHere } from './api/api-operation.ts';
import { addControlOperations } from './api/control-api.ts';
import { addReadingOperations, type ReadingParts } from './api/reading-api.ts';
import { ChangesRoutes } from './changes/changes-routes.ts';
import { ControlRoutes } from './control/control-routes.ts';
import { CopyRoutes } from './copies/copy-routes.ts';
import { FileRoutes, type LocalFiles } from './copies/file-routes.ts';
import type { CrawlFacts } from './crawl-facts.ts';
import type { CrawlWatch } from './dashboard/crawl-watch.ts';
import { DashboardRoutes } from './dashboard/dashboard-routes.ts';
import { messageReply } from './frame/message-page.ts';
import { pageFrame } from './frame/page-frame.ts';
import type { GraphSource } from './graph/folder-graph.ts';
import { GraphRoutes } from './graph/graph-routes.ts';
import { HostRoutes } from './hosts/hosts-routes.ts';
import { Access } from './http/access/access.ts';
import { Gate, type GateLimits } from './http/access/gate.ts';
import { LoginRoutes } from './http/access/login-routes.ts';
import { BodyTooLarge } from './http/body.ts';
import { isOwnHost } from './http/host-check.ts';
import { mountedReply } from './http/mounted-reply.ts';
import { jsonReply, pageReply, type Reply, send } from './http/reply.ts';
import { type RouteEntry, Router } from './http/router.ts';
import { readStaticFiles, staticReply } from './http/static-files.ts';
import { BadRequest, type WebRequest } from './http/web-request.ts';
import type { McpRoutes } from './mcp/mcp-routes.ts';
import type { MetricsRoutes } from './metrics/metrics-routes.ts';
import { PageRoutes } from './page/page-routes.ts';
import { type PushKind, type PushRoutes, refusal } from './push-routes.ts';
import { ReportRoutes } from './report/report-routes.ts';
import type { ClickLog } from './search/click-log.ts';
import { SearchRoutes } from './search/search-routes.ts';
import type { WebReader } from './web-reader.ts';

export interface WebAppParts {
  readonly search: SearchService;
  readonly reader: WebReader;
  /** Name of the collection, shown on every page. */
  readonly title: string;
  /** What has happened to pages; absent where no crawl stands behind the index. */
  readonly changes?: ChangeLog;
  /** The crawl that the dashboard shows; absent where there is none. */
  readonly watch?: CrawlWatch;
  /** The site report of the crawl; absent where there is none. */
  readonly siteReport?: FolderReport;
  /** What is known of pages and hosts; absent where there is no crawl. */
  readonly facts?: CrawlFacts;
  /** The links between pages; absent where there is no crawl. */
  readonly graph?: GraphSource;
  /** Where opened results are noted; nothing is noted where absent. */
  readonly clicks?: ClickLog;
  /** For those who watch the process; absent where nobody does. */
  readonly metrics?: MetricsRoutes;
  /** Answers agents; absent where none is answered. */
  readonly mcp?: McpRoutes;
  /** Reads single URLs, hosts and lists of pages for the API; absent where no crawl stands behind the index. */
  readonly crawl?: ReadingParts['crawl'];
  /** The crawl is kept in a database: what reads a crawl folder is not here, and says so. */
  readonly isInDatabase?: boolean;
  /** Files of this machine that the crawl holds, as they are now; absent where others can reach this server. */
  readonly localFiles?: LocalFiles;
  /** What can be asked of the crawl; absent where it cannot be steered from here. */
  readonly control?: FolderControl;
  /** Takes what others push; absent where nobody may. */
  readonly push?: PushRoutes;
  /** The path below which this app is one of several on its server, such as /crawls/example.org; '' where it is alone. */
  readonly mount?: string;
  /** Names by which this server may be called, besides localhost and addresses. */
  readonly hostNames?: readonly string[];
  /** Who may do what; absent: everybody everything, for a server that only this machine can reach. */
  readonly access?: Access;
  readonly limits?: Partial<GateLimits>;
  /** Told of faults of our own; the reader gets a page without particulars. */
  readonly onFault?: (fault: unknown, path: string) => void;
}

/** Chosen, not measured: long enough that a refused client does not come back at once. */
const RETRY_SECONDS = '2';

/** What people publish: search, copies and changes; readable by everybody where `public-search` says so. */
const SEARCH_PATHS = [
  ...['/', '/search', '/search.rss', '/opensearch.xml', '/suggest', '/help', '/cached', '/versions', '/diff', '/go'],
  ...['/changes', '/changes.atom', '/changes.json', '/api/search', '/api/complete', '/api/explain'],
  ...['/api/v1/search', '/api/v1/complete', '/api/v1/score'],
];
/** What is read from the state of one folder, which a crawl in a database has not. */
const FOLDER_PATHS: ReadonlySet<string> = new Set([
  ...['/dashboard', '/dashboard.json', '/dashboard/events', '/hosts', '/host', '/page', '/graph', '/control'],
  ...['/report', '/report.csv', '/report.jsonl', '/report.json'],
]);
const IN_DATABASE =
  'This crawl is kept in a database, and nodes share it. Search, copies, versions and changes are shown here; dashboard, report, pages, hosts, link graph and control read the folder of one crawl, and are not. In the terminal, with --store: orbweaver cluster tells how the nodes are doing; status, explain, pages and report tell the rest. Each node has its figures for Prometheus at its metrics-port.';
/** Mistakes of whoever asks. */
const BAD_REQUESTS: readonly ErrorCode[] = ['USAGE', 'SETTING_INVALID', 'SETTING_UNKNOWN', 'SEED_INVALID'];

/** Nothing that asking again would mend. */
const FOLDER_TROUBLES: readonly ErrorCode[] = ['FOLDER_CORRUPT', 'FOLDER_UNWRITABLE', 'DISK_FULL', 'STORAGE_FAILED'];

/** The search page, the dashboard and the API over one crawl folder. Knows requests and replies; `listen.ts` knows sockets. */
export class WebApp {
  readonly #title: string;
  readonly #hostNames: ReadonlySet<string>;
  readonly #onFault: (fault: unknown, path: string) => void;
  readonly #router: Router;
  readonly #push: PushRoutes | undefined;
  readonly #mcp: McpRoutes | undefined;
  readonly #gate: Gate;
  readonly #dashboard: DashboardRoutes;
  readonly #mount: string;

  constructor(parts: WebAppParts) {
    const { search, reader, title, changes, watch, clicks, push, control, access = new Access(), limits = {} } = parts;
    this.#title = title;
    this.#push = push;
    this.#mcp = parts.mcp;
    this.#mount = parts.mount ?? '';
    this.#hostNames = new Set((parts.hostNames ?? []).map((name) => name.toLowerCase()));
    this.#onFault = parts.onFault ?? (() => {});
    const message = this.#message.bind(this);
    const files = [...readStaticFiles()].map(
      ([path, file]): RouteEntry => [path, (ask) => staticReply(file, ask.headers['if-none-match'])],
    );
    const gate = new Gate({
      ...{ access, message, limits },
      searchPaths: new Set(SEARCH_PATHS),
      publicPaths: new Set(['/healthz', '/readyz', '/login', '/api/v1/openapi.json', ...files.map(([path]) => path)]),
    });
    this.#gate = gate;
    const searching = new SearchRoutes(search, reader, title, clicks !== undefined);
    const copies = new CopyRoutes(reader, search, title, clicks);
    const opened = new FileRoutes(parts.localFiles, title);
    const changed = new ChangesRoutes(changes ?? { changes: () => [] }, title);
    const steering = new ControlRoutes(control, title);
    const dashboard = new DashboardRoutes(watch, title, (ask) => steering.panel(ask), this.#mount);
    this.#dashboard = dashboard;
    const report = new ReportRoutes(parts.siteReport, title);
    const hosts = new HostRoutes(parts.facts, title);
    const pages = new PageRoutes(parts.facts, reader, title);
    const graphs = new GraphRoutes(parts.graph, title);
    const login = new LoginRoutes(gate, (heading, content, status) =>
      pageReply(pageFrame({ title: `${heading} · ${title}`, name: title, content }), status),
    );
    const ofFolder = (entries: readonly RouteEntry[]): RouteEntry[] =>
      entries.map(([path, answer]) =>
        parts.isInDatabase === true && FOLDER_PATHS.has(path)
          ? [path, () => message(path, 404, 'Not shown of a crawl in a database', IN_DATABASE)]
          : [path, answer],
      );
    this.#router = new Router({
      ...{ gate, message, mount: this.#mount },
      failed: (error, ask) => this.#failed(error, ask),
      pages: ofFolder([
        ['/', (ask) => searching.results(ask)],
        ['/search', (ask) => searching.results(ask)],
        ['/search.rss', (ask) => searching.feed(ask)],
        ['/opensearch.xml', (ask) => searching.openSearch(ask)],
        ['/suggest', (ask) => searching.suggest(ask)],
        ['/help', () => searching.help()],
        ['/api/search', (ask) => searching.apiSearch(ask)],
        ['/api/complete', (ask) => searching.apiComplete(ask)],
        ['/api/explain', (ask) => searching.apiExplain(ask)],
        ['/cached', (ask) => copies.cached(ask)],
        ['/versions', (ask) => copies.versions(ask)],
        ['/diff', (ask) => copies.diff(ask)],
        ['/go', (ask) => copies.go(ask)],
        ['/file', (ask) => opened.file(ask)],
        ['/changes', (ask) => changed.page(ask)],
        ['/changes.atom', (ask) => changed.feed(ask)],
        ['/changes.json', (ask) => changed.json(ask)],
        ['/dashboard', (ask) => dashboard.page(ask)],
        ['/dashboard.json', () => dashboard.json()],
        ['/dashboard/events', (ask) => dashboard.events(ask)],
        ['/report', (ask) => report.page(ask)],
        ['/report.csv', (ask) => report.file(ask, 'csv')],
        ['/report.jsonl', (ask) => report.file(ask, 'jsonl')],
        ['/report.json', (ask) => report.json(ask)],
        ['/hosts', (ask) => hosts.hosts(ask)],
        ['/host', (ask) => hosts.host(ask)],
        ['/page', (ask) => pages.page(ask)],
        ['/graph', (ask) => graphs.graph(ask)],
        ['/healthz', () => searching.health()],
        ...(parts.metrics?.routes() ?? []),
        ['/login', (ask) => login.page(ask)],
        ['/control', (ask) => steering.page(ask)],
        ['/api/v1/openapi.json', () => document.reply()],
        ...files,
      ]),
      forms: [
        ['/login', (ask) => login.logIn(ask)],
        ['/logout', (ask) => login.logOut(ask)],
        ['/control', (ask) => steering.change(ask)],
      ],
    });
    const { app: api } = this.#router;
    addReadingOperations(api, parts, parts.isInDatabase === true ? IN_DATABASE : undefined);
    addControlOperations(api, control);
    const document = new ApiDocument(api);
  }

  /** Answers one request; never throws, whatever was asked. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#mcp?.isCalled(request.url)) return await this.#answerAgent(this.#mcp, request, response);
    const pushed = this.#push?.kindOf(request.url);
    if (pushed !== undefined) return this.#respond(response, await this.#pushed(request, pushed));
    const refused = this.#misdirected(request);
    // A body that nobody wants is not kept.
    if (refused !== undefined || request.method === 'GET' || request.method === 'HEAD') request.resume();
    if (refused !== undefined) return this.#respond(response, refused);
    await this.#router.handle(request, response);
  }

  /** Agents read, though they post; where a token is needed, they show one. To fetch is to change the crawl. */
  async #answerAgent(mcp: McpRoutes, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { visitor, refused } = this.#gate.admitProgram(request, '/api/mcp');
    if (refused === undefined)
      return await mcp.handle(request, response, { ownNames: this.#hostNames, mayCrawl: visitor.role === 'control' });
    request.resume();
    this.#respond(response, refused);
  }

  /** What is not meant for us, or cannot be read. */
  #misdirected({ url: target = '', headers: { host } }: IncomingMessage): Reply | undefined {
    if (!isOwnHost(host, this.#hostNames)) return this.#otherHost();
    // A target that begins with two slashes would be read as another host.
    if (target.startsWith('/') && URL.canParse(`http://${host}${target}`)) return undefined;
    return this.#message('', 400, 'Bad request', 'This address cannot be read.');
  }

  /** Ends answers that would go on by themselves; the server is about to close. */
  endStreams(): void {
    this.#dashboard.end();
  }

  async #pushed(request: IncomingMessage, kind: PushKind): Promise<Reply> {
    const push = this.#push as PushRoutes;
    if (!push.isCalled(request.headers.host, this.#hostNames)) {
      request.resume();
      return this.#otherHost();
    }
    try {
      return await push.answer(request, kind);
    } catch (error) {
      this.#onFault(error, `push: ${kind}`);
      return refusal(500, 'This is a fault of ours. Please try again.');
    }
  }

  #respond(response: ServerResponse, reply: Reply): void {
    if (!response.destroyed) send(mountedReply(reply, this.#mount), response);
  }

  #otherHost(): Reply {
    const text = 'The request was meant for another name than that of this server.';
    return this.#message('', 421, 'Not this server', text);
  }

  #failed(error: unknown, { path, signal }: Pick<WebRequest, 'path' | 'signal'>): Reply {
    if (error instanceof BadRequest) return this.#message(path, 400, 'Bad request', error.message);
    // What the framework itself refuses: a body that is no JSON.
    if (error instanceof HTTPException) return this.#message(path, error.status, 'Bad request', error.message);
    if (error instanceof NotHere) return this.#message(path, 404, 'Not found', error.message);
    if (error instanceof BodyTooLarge) return this.#message(path, 413, 'Not taken', error.message);
    if (error instanceof OrbweaverError && BAD_REQUESTS.includes(error.code))
      return this.#message(path, 400, 'Bad request', [error.message, error.remedy].filter(Boolean).join(' '));
    if (isCode(error, 'URL_NOT_FOUND')) return this.#message(path, 404, 'Not found', (error as Error).message);
    if (isCode(error, 'SEARCH_BUSY')) return this.#busy(path);
    if (isCode(error, 'INDEX_MISSING')) return this.#nothingYet(path);
    if (isCode(error, 'INDEX_OUTDATED')) return this.#outdated(path);
    const told = this.#toldOf(error, path);
    if (told !== undefined) return told;
    // A query that was given up because its client has gone is no fault; nobody reads the reply.
    if (!signal.aborted) this.#onFault(error, path);
    return this.#message(path, 500, 'Something broke', 'This is a fault of ours, not of your query. Please try again.');
  }

  /** What is wrong with the folder or its disk, and what helps. Those who only search are not told where it is. */
  #toldOf(error: unknown, path: string): Reply | undefined {
    if (!(error instanceof OrbweaverError) || !FOLDER_TROUBLES.includes(error.code)) return undefined;
    this.#onFault(error, path);
    if (this.#gate.access.isPublicSearch && SEARCH_PATHS.includes(path)) return undefined;
    const text = [error.message, error.remedy].filter(Boolean).join(' ');
    return this.#message(path, 503, 'The crawl folder cannot be used', text);
  }

  #busy(path: string): Reply {
    const text = 'More is being searched for than can be answered soon. Please try again in a few seconds.';
    const reply = this.#message(path, 503, 'Too busy', text);
    return { ...reply, headers: { ...reply.headers, 'retry-after': RETRY_SECONDS } };
  }

  /** The crawl has stored no page so far. */
  #nothingYet(path: string): Reply {
    const text = 'No page can be found so far: the crawl has only begun. The dashboard shows what it does.';
    const reply = this.#message(path, 503, 'Nothing to search yet', text);
    return { ...reply, headers: { ...reply.headers, 'retry-after': RETRY_SECONDS } };
  }

  #outdated(path: string): Reply {
    const text =
      'The search index has an older form. A crawl that runs rebuilds it; where none runs, orbweaver index --rebuild does.';
    const reply = this.#message(path, 503, 'The search index is out of date', text);
    return { ...reply, headers: { ...reply.headers, 'retry-after': RETRY_SECONDS } };
  }

  /** Programs get errors as JSON, people as pages. */
  #message(path: string, status: number, title: string, text: string): Reply {
    return path.startsWith('/api/') || path.endsWith('.json')
      ? jsonReply({ error: text }, status)
      : messageReply(this.#title, status, title, text);
  }
}

function isCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof OrbweaverError && error.code === code;
}
