import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type Session, SessionKey } from './session-key.ts';

/** 'view' reads everything, 'control' changes the crawl as well. */
export type Role = 'view' | 'control';

/** Who asks. */
export interface Visitor {
  /** Undefined: nobody that is known; only what is public is for them. */
  readonly role?: Role;
  /** 'open': the server asks nobody for a token. */
  readonly via: 'open' | 'token' | 'session' | 'nothing';
  /** Stands in every form that changes something. Only of those who may hold one. */
  readonly csrf?: string;
  /** A token or a session was shown, and it is not ours. */
  readonly wrong?: boolean;
}

export interface AccessOptions {
  /** Reads. Empty: nobody reads by a token of this kind. */
  readonly viewToken?: string;
  /** Reads and changes. */
  readonly controlToken?: string;
  /** Search, copies of pages and changes are readable by everybody. */
  readonly publicSearch?: boolean;
  readonly now?: () => number;
}

/** As long as a browser stays logged in. */
export const SESSION_MS = 12 * 3_600_000;
export const SESSION_COOKIE = 'orbweaver_session';

/** What proxies add. Whoever comes through one is not on this machine, whatever the socket says. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/** Whether a request came by way of a proxy. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return FORWARDED.some((name) => headers[name] !== undefined);
}

/**
 * Who may do what. Without tokens it is open: for servers that only this machine can reach. With tokens each request shows one, or the
 * cookie of a session that was begun with one. Sessions are signed with the token: they outlive the server, and end with the token.
 */
export class Access {
  readonly isPublicSearch: boolean;
  readonly #now: () => number;
  readonly #keys: ReadonlyMap<Role, { readonly token: string; readonly sessions: SessionKey }>;
  /** Of forms, where there are no sessions. */
  readonly #openCsrf = new SessionKey(randomBytes(32).toString('base64url')).csrfOf('open');

  constructor({ viewToken = '', controlToken = '', publicSearch = false, now = Date.now }: AccessOptions = {}) {
    this.isPublicSearch = publicSearch;
    this.#now = now;
    const given: readonly (readonly [Role, string])[] = [
      ['control', controlToken],
      ['view', viewToken],
    ];
    this.#keys = new Map(
      given.flatMap(([role, token]) => (token === '' ? [] : [[role, { token, sessions: new SessionKey(token) }]])),
    );
  }

  /** Nobody needs a token. */
  get isOpen(): boolean {
    return this.#keys.size === 0;
  }

  visitorOf(headers: IncomingHttpHeaders): Visitor {
    if (this.isOpen) {
      const role = isForwarded(headers) ? 'view' : 'control';
      return { role, via: 'open', csrf: this.#openCsrf };
    }
    const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
    if (bearer !== undefined) {
      const role = this.roleOf(bearer);
      return role === undefined ? { via: 'nothing', wrong: true } : { role, via: 'token' };
    }
    const cookie = cookieOf(headers.cookie, SESSION_COOKIE);
    const session = cookie === undefined ? undefined : this.#sessionOf(cookie);
    if (session === undefined) return { via: 'nothing' };
    const key = this.#keys.get(session.role as Role)?.sessions;
    return key === undefined
      ? { via: 'nothing' }
      : { role: session.role as Role, via: 'session', csrf: key.csrfOf(session.nonce) };
  }

  /** What a token is good for. */
  roleOf(token: string): Role | undefined {
    for (const [role, key] of this.#keys) if (isSame(token, key.token)) return role;
    return undefined;
  }

  /** The value of the cookie of a new session. */
  beginSession(role: Role): string {
    const key = this.#keys.get(role);
    if (key === undefined) throw new Error(`There is no token for ${role}.`);
    const nonce = randomBytes(16).toString('base64url');
    return key.sessions.sign({ role, nonce, until: this.#now() + SESSION_MS });
  }

  isOwnForm(visitor: Visitor, csrf: string | null | undefined): boolean {
    return visitor.csrf !== undefined && typeof csrf === 'string' && isSame(csrf, visitor.csrf);
  }

  #sessionOf(cookie: string): Session | undefined {
    for (const [role, { sessions }] of this.#keys) {
      const session = sessions.read(cookie);
      // Whoever has a token can sign with it: it vouches for its own role alone.
      if (session !== undefined) return session.role === role && session.until > this.#now() ? session : undefined;
    }
    return undefined;
  }
}

/** In a time that tells nothing of how much was right. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
