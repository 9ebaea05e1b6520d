import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, OrbweaverError } from '../base/errors.ts';
import type { ChangeLog } from '../contracts/change-log.ts';
import type { SearchService } from '../contracts/search-service.ts';
import { ChangesRoutes } from './changes/changes-routes.ts';
import { CopyRoutes } from './copies/copy-routes.ts';
import type { CrawlWatch } from './dashboard/crawl-watch.ts';
import { DashboardRoutes } from './dashboard/dashboard-routes.ts';
import { messageReply } from './frame/message-page.ts';
import { isOwnHost } from './http/host-check.ts';
import { mountedReply } from './http/mounted-reply.ts';
import { jsonReply, type Reply, send } from './http/reply.ts';
import { readStaticFiles, staticReply } from './http/static-files.ts';
import { BadRequest, type WebRequest } from './http/web-request.ts';
import type { McpRoutes } from './mcp/mcp-routes.ts';
import type { MetricsRoutes } from './metrics/metrics-routes.ts';
import { type PushKind, type PushRoutes, refusal } from './push-routes.ts';
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
  /** Where opened results are noted; nothing is noted where absent. */
  readonly clicks?: ClickLog;
  /** For those who watch the process; absent where nobody does. */
  readonly metrics?: MetricsRoutes;
  /** Answers agents; absent where none is answered. */
  readonly mcp?: McpRoutes;
  /** Takes what others push; absent where nobody may. */
  readonly push?: PushRoutes;
  /** The path below which this app is one of several on its server, such as /crawls/example.org; '' where it is alone. */
  readonly mount?: string;
  /** Names by which this server may be called, besides localhost and addresses. */
  readonly hostNames?: readonly string[];
  /** Told of faults of our own; the reader gets a page without particulars. */
  readonly onFault?: (fault: unknown, path: string) => void;
}

/** Chosen, not measured: long enough that a refused client does not come back at once. */
const RETRY_SECONDS = '2';

type Route = (ask: WebRequest) => Reply | Promise<Reply>;

/** The search page and its JSON twin over one crawl folder. Knows requests and replies; `listen.ts` knows sockets. */
export class WebApp {
  readonly #title: string;
  readonly #hostNames: ReadonlySet<string>;
  readonly #onFault: (fault: unknown, path: string) => void;
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #push: PushRoutes | undefined;
  readonly #mcp: McpRoutes | undefined;
  readonly #mount: string;

  constructor({
    search,
    reader,
    title,
    changes,
    watch,
    clicks,
    metrics,
    mcp,
    push,
    mount = '',
    hostNames = [],
    onFault = () => {},
  }: WebAppParts) {
    this.#title = title;
    this.#push = push;
    this.#mcp = mcp;
    this.#mount = mount;
    this.#hostNames = new Set(hostNames.map((name) => name.toLowerCase()));
    this.#onFault = onFault;
    const searching = new SearchRoutes(search, reader, title, clicks !== undefined);
    const copies = new CopyRoutes(reader, title, clicks);
    const changed = new ChangesRoutes(changes ?? { changes: () => [] }, title);
    const dashboard = new DashboardRoutes(watch, title);
    this.#routes = new Map<string, Route>([
      ['/', () => searching.home()],
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
      ['/changes', (ask) => changed.page(ask)],
      ['/changes.atom', (ask) => changed.feed(ask)],
      ['/changes.json', (ask) => changed.json(ask)],
      ['/dashboard', (ask) => dashboard.page(ask)],
      ['/dashboard.json', () => dashboard.json()],
      ['/healthz', () => searching.health()],
      ...(metrics?.routes() ?? []),
      ...[...readStaticFiles()].map(([path, file]): [string, Route] => [
        path,
        (ask) => staticReply(file, ask.headers['if-none-match']),
      ]),
    ]);
  }

  /** Answers one request; never throws, whatever was asked. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#mcp?.isCalled(request.url)) return await this.#mcp.handle(request, response, this.#hostNames);
    const pushed = this.#push?.kindOf(request.url);
    // Nothing else takes a body; what is sent all the same is not kept.
    if (pushed === undefined) request.resume();
    const gone = new AbortController();
    // Of an answer that was sent nobody needs to be told; the reason for an abort is an error with its whole stack.
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    const reply = await (pushed === undefined ? this.#reply(request, gone.signal) : this.#pushed(request, pushed));
    if (!response.destroyed) send(mountedReply(reply, this.#mount), response);
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

  #otherHost(): Reply {
    const text = 'The request was meant for another name than that of this server.';
    return this.#message('', 421, 'Not this server', text);
  }

  async #reply({ method = '', url: target = '', headers }: IncomingMessage, signal: AbortSignal): Promise<Reply> {
    const { host } = headers;
    if (!isOwnHost(host, this.#hostNames)) return this.#otherHost();
    // A target that begins with two slashes would be read as another host.
    const asked = target.startsWith('/') ? URL.parse(`http://${host}${target}`) : null;
    const origin = `http://${host}${this.#mount}`;
    if (asked === null) return this.#message('', 400, 'Bad request', 'This address cannot be read.');
    const { pathname: path, searchParams: parameters } = asked;
    const route = this.#routes.get(path);
    if (route === undefined) return this.#message(path, 404, 'Not found', 'There is no such page here.');
    if (method !== 'GET' && method !== 'HEAD') {
      const reply = this.#message(path, 405, 'Method not allowed', 'This page can only be read.');
      return { ...reply, headers: { ...reply.headers, allow: 'GET, HEAD' } };
    }
    try {
      return await route({ path, parameters, origin, headers, signal });
    } catch (error) {
      if (error instanceof BadRequest) return this.#message(path, 400, 'Bad request', error.message);
      if (isCode(error, 'SEARCH_BUSY')) return this.#busy(path);
      if (isCode(error, 'INDEX_MISSING')) return this.#nothingYet(path);
      if (isCode(error, 'INDEX_OUTDATED')) return this.#outdated(path);
      // A query that was given up because its client has gone is no fault; nobody reads the reply.
      if (!signal.aborted) this.#onFault(error, path);
      return this.#message(
        path,
        500,
        'Something broke',
        'This is a fault of ours, not of your query. Please try again.',
      );
    }
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
