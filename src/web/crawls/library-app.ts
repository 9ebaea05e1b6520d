import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import type { CrawlLibrary } from '../../contracts/crawl-library.ts';
import type { PlanPreviews } from '../../crawls/plan-previews.ts';
import { html } from '../frame/html.ts';
import { Access, isForwarded, type Visitor } from '../http/access/access.ts';
import { Gate, type GateLimits } from '../http/access/gate.ts';
import { LoginRoutes } from '../http/access/login-routes.ts';
import { readForm } from '../http/body.ts';
import { isOwnHost } from '../http/host-check.ts';
import { jsonReply, type Reply, send } from '../http/reply.ts';
import { readStaticFiles, type StaticFile, staticReply } from '../http/static-files.ts';
import { BadRequest, type WebRequest } from '../http/web-request.ts';
import { crawlLink, manageLink } from './crawl-words.ts';
import { libraryPage } from './library-frame.ts';
import { LibraryRoutes, refusedForm } from './library-routes.ts';
import type { MountedCrawls } from './mounted-crawls.ts';

export interface LibraryAppParts {
  readonly library: CrawlLibrary;
  readonly previews: PlanPreviews;
  readonly mounts: MountedCrawls;
  readonly clock: Pick<Clock, 'now'>;
  /** Who may look, and who may begin, stop and delete crawls. */
  readonly access?: Access;
  readonly limits?: Partial<GateLimits>;
  readonly hostNames?: readonly string[];
  readonly onFault?: (fault: unknown, path: string) => void;
}

/** Of programs, which get errors as JSON. */
const PROGRAM_PATH = /\.json$|^\/crawls\/[^/]+\/(?:api\/|mcp$)/;

/** All crawls of a library on one server: their list at the root, each with its own pages below /crawls/NAME/. */
export class LibraryApp {
  readonly #parts: LibraryAppParts;
  readonly #gate: Gate;
  readonly #login: LoginRoutes;
  readonly #hostNames: ReadonlySet<string>;
  readonly #files: ReadonlyMap<string, StaticFile> = readStaticFiles();

  constructor(parts: LibraryAppParts) {
    this.#parts = parts;
    this.#hostNames = new Set((parts.hostNames ?? []).map((name) => name.toLowerCase()));
    this.#gate = new Gate({
      access: parts.access ?? new Access(),
      message: (path, status, title, text) =>
        PROGRAM_PATH.test(path) ? jsonReply({ error: text }, status) : message(status, title, text),
      searchPaths: new Set(),
      publicPaths: new Set(['/healthz', '/login', ...this.#files.keys()]),
      ...(parts.limits === undefined ? {} : { limits: parts.limits }),
    });
    this.#login = new LoginRoutes(this.#gate, (title, content, status) => libraryPage({ title, content, status }));
  }

  /** Answers one request; never throws, whatever was asked. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { host } = request.headers;
    const target = request.url ?? '';
    const asked =
      isOwnHost(host, this.#hostNames) && target.startsWith('/') ? URL.parse(`http://${host}${target}`) : null;
    let reply: Reply | undefined;
    if (asked === null) {
      request.resume();
      reply = message(
        421,
        'Not this server',
        'The request was meant for another name than that of this server, or cannot be read.',
      );
    } else {
      try {
        reply = await this.#answer(request, response, asked);
      } catch (error) {
        request.resume();
        reply = this.#failed(error, asked.pathname);
      }
    }
    if (reply !== undefined && !response.headersSent && !response.destroyed) send(reply, response);
  }

  /** Undefined where the app of a crawl has answered. */
  async #answer(request: IncomingMessage, response: ServerResponse, asked: URL): Promise<Reply | undefined> {
    const [, place, segment, ...rest] = asked.pathname.split('/');
    if (place === 'crawls' && segment !== undefined)
      return await this.#mounted(segment, rest, request, response, asked);
    const { method = '' } = request;
    const { visitor, refused } = this.#gate.admit(request, asked.pathname);
    if (refused !== undefined) {
      request.resume();
      return refused;
    }
    if (method === 'POST') return await this.#post(request, asked, visitor);
    request.resume();
    if (method !== 'GET' && method !== 'HEAD') {
      const reply = message(405, 'Method not allowed', 'This page can only be read.');
      return { ...reply, headers: { ...reply.headers, allow: 'GET, HEAD' } };
    }
    const { signal } = new AbortController();
    const ask: WebRequest = {
      ...{
        path: asked.pathname,
        parameters: asked.searchParams,
        origin: asked.origin,
        headers: request.headers,
        signal,
        visitor,
      },
    };
    return (
      (await this.#get(ask, this.#routesFor(visitor, request.headers), place, decoded(segment), rest)) ??
      message(404, 'Not found', 'There is no such page here.')
    );
  }

  /** The pages as somebody may see them: with forms for those who may change something. */
  #routesFor({ role, csrf }: Visitor, headers: IncomingHttpHeaders): LibraryRoutes {
    const { library, previews, clock } = this.#parts;
    // Whoever comes through a proxy is elsewhere: the folders of this machine are none of theirs.
    const takesFolders = library.takesFolders && !isForwarded(headers);
    return new LibraryRoutes({ library, previews, clock, takesFolders, token: role === 'control' ? csrf : undefined });
  }

  async #get(
    ask: WebRequest,
    routes: LibraryRoutes,
    place: string,
    name: string,
    rest: readonly string[],
  ): Promise<Reply | undefined> {
    const file = this.#files.get(ask.path);
    if (file !== undefined) return staticReply(file, ask.headers['if-none-match']);
    switch (ask.path) {
      case '/':
        return await routes.list(ask);
      case '/crawls.json':
        return await routes.json();
      case '/new':
        return await routes.form(ask);
      case '/templates':
        return await routes.templates();
      case '/trash':
        return await routes.trash();
      case '/trash/purge':
        return await routes.confirmPurge(ask.parameters.get('id') ?? '');
      case '/healthz':
        return jsonReply({ ok: true });
      case '/login':
        return this.#login.page(ask);
    }
    if (place === 'plan' && rest.length === 0)
      return ask.parameters.get('part') === '1' ? routes.planPart(name) : routes.plan(name);
    if (place !== 'manage') return undefined;
    if (rest.length === 0) return await routes.manage(name, ask);
    return rest.length === 1 && rest[0] === 'delete' ? await routes.confirmDelete(name) : undefined;
  }

  async #post(request: IncomingMessage, asked: URL, visitor: Visitor): Promise<Reply> {
    const { pathname: path } = asked;
    const form = await readForm(request);
    if (!(form instanceof URLSearchParams)) {
      const reply = message(form.status, 'Not taken', form.why);
      // The rest of a body is not waited for.
      return { ...reply, headers: { ...reply.headers, connection: 'close' } };
    }
    const refused = this.#gate.checkForm(path, visitor, form);
    if (refused !== undefined) return refused;
    const { headers, socket } = request;
    const ask = { path, parameters: asked.searchParams, origin: asked.origin, headers, form, visitor };
    const address = socket.remoteAddress === undefined ? {} : { address: socket.remoteAddress };
    const { signal } = new AbortController();
    if (path === '/login') return this.#login.logIn({ ...ask, ...address, signal });
    if (path === '/logout') return this.#login.logOut({ ...ask, signal });
    const [, place, segment, ...rest] = path.split('/');
    try {
      return (
        (await this.#act(this.#routesFor(visitor, headers), path, place, decoded(segment), rest, form)) ??
        message(404, 'Not found', 'There is no such form here.')
      );
    } catch (error) {
      return refusedForm(error);
    }
  }

  async #act(
    routes: LibraryRoutes,
    path: string,
    place: string,
    name: string,
    rest: readonly string[],
    form: URLSearchParams,
  ): Promise<Reply | undefined> {
    switch (path) {
      case '/new':
        return await routes.sendForm(form);
      case '/demo':
        return await routes.demo();
      case '/trash/restore':
        return await routes.restore(form);
      case '/trash/purge':
        return await routes.purge(form);
      case '/templates/delete':
        return await routes.removeTemplate(form);
    }
    if (rest.length !== 1) return undefined;
    if (place === 'plan' && rest[0] === 'cancel') return routes.cancelPlan(name);
    return place === 'manage' ? await routes.act(name, rest[0], form) : undefined;
  }

  /** Hands a request on to the pages of a crawl, as if they were alone on the server. */
  async #mounted(
    segment: string,
    rest: readonly string[],
    request: IncomingMessage,
    response: ServerResponse,
    asked: URL,
  ): Promise<Reply | undefined> {
    // Strangers learn of no crawl, and open none: each that is open has threads of its own.
    const { access } = this.#gate;
    const refused = access.isPublicSearch ? undefined : this.#gate.refuseStranger(request, asked.pathname);
    if (refused !== undefined) {
      request.resume();
      return refused;
    }
    const crawl = await this.#parts.library.get(decoded(segment));
    if (crawl === undefined || crawl.condition === 'foreign') {
      request.resume();
      return message(404, 'Not found', 'There is no such crawl here.');
    }
    const { name, folder, condition, facts } = crawl;
    if (rest.length === 0) {
      request.resume();
      return { status: 308, headers: { location: crawlLink(name) + asked.search }, body: '' };
    }
    if (facts === undefined && condition !== 'imported') {
      request.resume();
      // It may have begun by the next look.
      return { status: 303, headers: { location: manageLink(name), 'cache-control': 'no-store' }, body: '' };
    }
    request.url = `/${rest.join('/')}${asked.search}`;
    const mount = crawlLink(name).slice(0, -1);
    const version = facts === undefined ? 'documents' : 'crawl';
    if (await this.#parts.mounts.handle({ folder, mount, version }, request, response)) return undefined;
    const busy = message(503, 'Too busy', 'Too many crawls are being looked at. Please try again in a few seconds.');
    return { ...busy, headers: { ...busy.headers, 'retry-after': '5' } };
  }

  #failed(error: unknown, path: string): Reply {
    if (error instanceof BadRequest) return message(400, 'Bad request', error.message);
    this.#parts.onFault?.(error, path);
    return message(500, 'Something broke', 'This is a fault of ours. Please try again.');
  }
}

function message(status: number, title: string, text: string): Reply {
  return libraryPage({
    ...{ title, status },
    content: html`<section class="message"><h1>${title}</h1><p>${text}</p><p><a href="/">All crawls</a></p></section>`,
  });
}

/** A part of a path as it was meant; what cannot be read names nothing. */
function decoded(segment = ''): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
