import type { Fetcher, FetchRequest, FetchResult } from '../../contracts/fetcher.ts';
import { originOf } from '../../url/host-key.ts';
import { ReceivedHead } from '../response-head.ts';
import { isOver, logIn } from './log-in.ts';
import type { LoginRecipe } from './login-recipe.ts';

export interface SessionFetcherParts {
  /** Keeps cookies, and sends them. */
  readonly web: Fetcher;
  readonly recipes: readonly LoginRecipe[];
  /** Whether the answers of an origin may set secrets. */
  readonly isPrivate: (origin: string) => boolean;
}

interface Session {
  readonly recipe: LoginRecipe;
  /** The login that is under way, or was the last. */
  login?: Promise<string | undefined>;
  /** Counts logins, so that of many requests that met the end of a session one renews it. */
  number: number;
  failures: number;
  /** Renewals in a row that did not help: these pages are refused to this user, session or not. */
  vain: number;
  /** Pages in a row that showed its end. */
  overs: number;
}

/** A password that is wrong stays wrong: accounts are locked after a few tries. */
const MOST_FAILURES = 3;
const MOST_VAIN = 3;
/** After those, a renewal is tried only where so many pages in a row show the end of the session. */
const OVERS_IN_DOUBT = 5;

/** Logs in where a recipe says how, before the first page of the site and again when its session is over. Pages are as the login gives them. */
export class SessionFetcher implements Fetcher {
  readonly #parts: SessionFetcherParts;
  readonly #sessions: ReadonlyMap<string, Session>;

  constructor(parts: SessionFetcherParts) {
    this.#parts = parts;
    this.#sessions = new Map(
      parts.recipes.map((recipe) => [recipe.site, { recipe, number: 0, failures: 0, vain: 0, overs: 0 }]),
    );
  }

  async fetch(request: FetchRequest): Promise<FetchResult> {
    const origin = originOf(request.url);
    const session = this.#sessions.get(origin);
    if (session === undefined) return this.#guarded(origin, await this.#parts.web.fetch(request));
    // Rules are there for all; a login for them would say who asks.
    if (request.url === `${origin}/robots.txt`) return this.#guarded(origin, await this.#parts.web.fetch(request));
    const { avoid } = session.recipe;
    if (avoid.test(request.url.slice(origin.length)))
      return { kind: 'refused', by: 'url', rule: `it would end the session (avoid: ${avoid.source})` };
    return await this.#inSession(session, request, origin);
  }

  async close(): Promise<void> {
    await this.#parts.web.close();
  }

  async #inSession(session: Session, request: FetchRequest, origin: string): Promise<FetchResult> {
    for (let isAgain = false; ; isAgain = true) {
      session.login ??= this.#logIn(session);
      const { login } = session;
      const why = await login;
      if (why !== undefined) {
        // The next page tries again, as long as there are tries left.
        if (session.login === login && session.failures < MOST_FAILURES) delete session.login;
        return { kind: 'failed', code: 'login-failed', detail: why, bytes: 0 };
      }
      const { number } = session;
      const result = await this.#parts.web.fetch(request);
      const over = isOver(result, session.recipe);
      if (isAgain) session.vain = over ? session.vain + 1 : 0;
      else session.overs = over ? session.overs + 1 : 0;
      const isWorthIt = session.vain < MOST_VAIN || session.overs % OVERS_IN_DOUBT === 0;
      if (!over || isAgain || !isWorthIt) return this.#guarded(origin, result);
      // Who comes after another that has renewed it has a new session already.
      if (session.number === number) delete session.login;
    }
  }

  /** Answers why it did not go well. Nothing of what it says holds a value. */
  async #logIn(session: Session): Promise<string | undefined> {
    session.number++;
    const { why } = await logIn(this.#parts.web, session.recipe);
    session.failures = why === undefined ? 0 : session.failures + 1;
    return session.failures < MOST_FAILURES
      ? why
      : `${why}; it failed ${MOST_FAILURES} times in a row and is not tried again`;
  }

  /** What a private site sets is a secret of its user, and no part of its pages. */
  #guarded(origin: string, result: FetchResult): FetchResult {
    if (!this.#parts.isPrivate(origin)) return result;
    if (result.kind !== 'response' && result.kind !== 'unwanted') return result;
    const { httpVersion, status, statusText, rawHeaders } = result.head;
    if (!rawHeaders.some((name, at) => at % 2 === 0 && isCookieField(name))) return result;
    const kept = rawHeaders.map((text, at) => (at % 2 === 1 && isCookieField(rawHeaders[at - 1]) ? '[hidden]' : text));
    return { ...result, head: new ReceivedHead(httpVersion, status, statusText, kept) };
  }
}

function isCookieField(name: string): boolean {
  return /^set-cookie2?$/i.test(name);
}
