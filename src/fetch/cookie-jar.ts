import { isIP } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { isSendable, type KeptCookie } from './login/cookie-file.ts';
import { parseSetCookie } from './set-cookie.ts';

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  /** Sent to `domain` alone, not to the hosts below it. */
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
  /** ms since the epoch; absent: as long as the crawl. */
  readonly expiresAt?: number;
  readonly createdAt: number;
}

export interface CookieJarOptions {
  readonly maxPerDomain?: number;
  readonly maxTotal?: number;
}

export interface CookieJarDeps {
  readonly clock: Pick<Clock, 'now'>;
  /** The name below the public suffix; undefined where the name is itself one. */
  readonly registrableDomain: (hostname: string) => string | undefined;
}

/** Cookies after RFC 6265: never to a public suffix, never from TLS to plain text. Bounded: the oldest gives way. */
export class CookieJar {
  readonly #deps: CookieJarDeps;
  readonly #maxPerDomain: number;
  readonly #maxTotal: number;
  /** Domain -> identity (name and path) -> cookie; within a domain in order of creation. */
  readonly #domains = new Map<string, Map<string, Cookie>>();
  #total = 0;

  constructor(options: CookieJarOptions, deps: CookieJarDeps) {
    this.#deps = deps;
    this.#maxPerDomain = options.maxPerDomain ?? 50;
    this.#maxTotal = options.maxTotal ?? 3000;
  }

  get size(): number {
    return this.#total;
  }

  /** Takes the Set-Cookie values of an answer from `url`. What may not be set is passed over. */
  store(url: string, setCookies: readonly string[]): void {
    if (setCookies.length === 0) return;
    const { hostname, pathname, protocol } = new URL(url);
    const now = this.#deps.clock.now();
    for (const text of setCookies) {
      const parsed = parseSetCookie(text, now);
      if (parsed === undefined) continue;
      const scope = this.#scopeOf(hostname, parsed.domain);
      if (scope === undefined || (parsed.secure && protocol !== 'https:')) continue;
      const path = parsed.path ?? defaultPath(pathname);
      if (breaksPrefixRule(parsed.name, parsed.secure, scope.hostOnly, parsed.path)) continue;
      const { name, value, secure, expiresAt } = parsed;
      this.#put({ name, value, ...scope, path, secure, expiresAt, createdAt: now }, protocol === 'https:');
    }
  }

  /** Takes cookies that another program has kept, but for those that no request can carry. */
  keep(cookies: readonly KeptCookie[]): void {
    const createdAt = this.#deps.clock.now();
    for (const kept of cookies.filter(isSendable)) {
      // Browsers send UTF-8; a header has one character per byte.
      const cookie = { ...kept, name: asBytes(kept.name), value: asBytes(kept.value) };
      // A public suffix has no cookies, whatever the file says.
      const isWide = !cookie.hostOnly && this.#deps.registrableDomain(cookie.domain) === undefined;
      this.#put({ ...cookie, hostOnly: cookie.hostOnly || isWide, createdAt }, true);
    }
  }

  /** The Cookie header for a request, or undefined for none. */
  headerFor(url: string): string | undefined {
    if (this.#total === 0) return undefined;
    const { hostname, pathname, protocol } = new URL(url);
    const now = this.#deps.clock.now();
    const matches: Cookie[] = [];
    for (const domain of domainsAbove(hostname)) {
      const cookies = this.#domains.get(domain);
      if (cookies === undefined) continue;
      for (const [identity, cookie] of cookies) {
        if (cookie.expiresAt !== undefined && cookie.expiresAt <= now) this.#drop(cookies, identity);
        else if (
          (domain === hostname || !cookie.hostOnly) &&
          (!cookie.secure || protocol === 'https:') &&
          pathMatches(pathname, cookie.path)
        ) {
          matches.push(cookie);
        }
      }
    }
    if (matches.length === 0) return undefined;
    matches.sort((a, b) => b.path.length - a.path.length || a.createdAt - b.createdAt);
    return matches.map((cookie) => (cookie.name === '' ? cookie.value : `${cookie.name}=${cookie.value}`)).join('; ');
  }

  /** For which hosts the cookie is: undefined where the setter may not speak for them. */
  #scopeOf(hostname: string, domain: string | undefined): { domain: string; hostOnly: boolean } | undefined {
    if (domain === undefined || domain === hostname) {
      const widens = domain !== undefined && this.#deps.registrableDomain(hostname) !== undefined;
      return { domain: hostname, hostOnly: !widens };
    }
    const above = hostname.endsWith(`.${domain}`) && isIP(hostname) === 0;
    return above && this.#deps.registrableDomain(domain) !== undefined ? { domain, hostOnly: false } : undefined;
  }

  #put(cookie: Cookie, fromSecure: boolean): void {
    const identity = `${cookie.name}\n${cookie.path}\n${cookie.hostOnly}`;
    let cookies = this.#domains.get(cookie.domain);
    const old = cookies?.get(identity);
    // A plain-text answer, which anyone on the way may have written, must not replace what TLS protected.
    if (old?.secure && !fromSecure) return;
    if (cookies !== undefined && old !== undefined) this.#drop(cookies, identity, cookie.domain);
    if (cookie.expiresAt !== undefined && cookie.expiresAt <= this.#deps.clock.now()) return;
    cookies = this.#domains.get(cookie.domain);
    if (cookies === undefined) {
      cookies = new Map();
      this.#domains.set(cookie.domain, cookies);
    }
    cookies.set(identity, old === undefined ? cookie : { ...cookie, createdAt: old.createdAt });
    this.#total++;
    if (cookies.size > this.#maxPerDomain) this.#drop(cookies, cookies.keys().next().value as string);
    if (this.#total > this.#maxTotal) this.#dropFromOldestDomain();
  }

  #drop(cookies: Map<string, Cookie>, identity: string, domain?: string): void {
    const cookie = cookies.get(identity);
    if (!cookies.delete(identity)) return;
    this.#total--;
    if (cookies.size === 0) this.#domains.delete(domain ?? (cookie as Cookie).domain);
  }

  #dropFromOldestDomain(): void {
    const [cookies] = this.#domains.values();
    this.#drop(cookies, cookies.keys().next().value as string);
  }
}

function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** The host itself and every domain above it. */
function* domainsAbove(hostname: string): Generator<string> {
  yield hostname;
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return;
  for (let dot = hostname.indexOf('.'); dot !== -1; dot = hostname.indexOf('.', dot + 1)) yield hostname.slice(dot + 1);
}

function defaultPath(pathname: string): string {
  const slash = pathname.lastIndexOf('/');
  return slash <= 0 ? '/' : pathname.slice(0, slash);
}

function pathMatches(pathname: string, path: string): boolean {
  if (!pathname.startsWith(path)) return false;
  return pathname.length === path.length || path.endsWith('/') || pathname[path.length] === '/';
}

/** `__Secure-` and `__Host-` names promise how the cookie was set. */
function breaksPrefixRule(name: string, secure: boolean, hostOnly: boolean, path: string | undefined): boolean {
  const prefix = name.slice(0, 9).toLowerCase();
  if (prefix.startsWith('__host-')) return !secure || !hostOnly || path !== '/';
  return prefix === '__secure-' && !secure;
}
