import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { FetchResult, ResponseHead } from '../../contracts/fetcher.ts';
import type { Origin } from '../../contracts/url.ts';
import { robotsText } from './robots-text.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** RFC 9309, 2.4: no copy is used for longer than a day while the file can be had. */
const ROBOTS_LIFETIME_MS = DAY;
/** A server that forbids caching is still not asked for its robots.txt before every page. */
const ROBOTS_LIFETIME_MIN_MS = HOUR;
/** How soon a robots.txt that could not be had is asked for again; doubles up to a day while nothing is known. */
const ROBOTS_RETRY_MS = HOUR;
/** How old a copy may be that replaces a file that cannot be fetched. */
const ROBOTS_STALE_MAX_MS = 30 * DAY;
/** RFC 9309, 2.3.1.2: at least five redirects are followed, then the file counts as unavailable. */
export const ROBOTS_MAX_REDIRECTS = 5;

/** What one request for a robots.txt came to. */
export type RobotsFetch =
  | { readonly kind: 'file'; readonly body: Uint8Array; readonly cacheControl?: string }
  | { readonly kind: 'redirect'; readonly status: number; readonly to: string }
  /** The server says that there is none. */
  | { readonly kind: 'unavailable'; readonly why: string }
  /** Nobody knows what the file says. */
  | { readonly kind: 'unreachable'; readonly why: string }
  /** We do not ask such an address. */
  | { readonly kind: 'refused'; readonly why: string };

export interface RobotsVisit {
  readonly origin: Origin;
  readonly fetched: RobotsFetch;
  readonly now: number;
  /** What was known before. */
  readonly previous?: RobotsRecord;
  /** Redirects followed so far, this answer not counted. */
  readonly redirects: number;
}

/** Sorts an answer to `url` (which after redirects lies on any host) into the kinds that robots.txt knows. */
export function robotsFetch(url: string, result: FetchResult): RobotsFetch {
  switch (result.kind) {
    case 'response':
    case 'unwanted': {
      const { head } = result;
      if (head.status >= 200 && head.status < 300) {
        if (result.kind === 'unwanted') return { kind: 'unreachable', why: result.reason };
        // Half a file may lack the very rule that forbids; one cut by our own limit holds all that counts.
        if (result.truncated !== undefined && result.truncated !== 'length') {
          return { kind: 'unreachable', why: `body incomplete (${result.truncated})` };
        }
      }
      return robotsAnswer(url, head, result.kind === 'response' ? result.body : new Uint8Array());
    }
    case 'failed':
      return { kind: 'unreachable', why: result.detail === '' ? result.code : `${result.code}: ${result.detail}` };
    case 'refused':
      return { kind: result.by === 'archive' ? 'unavailable' : 'refused', why: result.rule };
  }
}

/** What a whole answer to `url` says. */
export function robotsAnswer(
  url: string,
  head: Pick<ResponseHead, 'status' | 'header'>,
  body: Uint8Array,
): RobotsFetch {
  const { status } = head;
  const why = `HTTP ${status}`;
  if (status >= 200 && status < 300) return { kind: 'file', body, cacheControl: head.header('cache-control') };
  if (status >= 300 && status < 400) {
    const to = redirectTarget(url, head.header('location'));
    return to === undefined
      ? { kind: 'unreachable', why: `${why} without a usable location` }
      : { kind: 'redirect', status, to };
  }
  // 429 is a server that cannot answer now, not one that has no file: as on Google's side it forbids.
  const unavailable = status >= 400 && status < 500 && status !== 429;
  return { kind: unavailable ? 'unavailable' : 'unreachable', why };
}

/**
 * What is known of an origin's robots.txt after a request for it.
 *
 * Invariant: fails closed. Only a file that was read or a server that says there is none opens the origin; time
 * alone never does.
 */
export function robotsOutcome(visit: RobotsVisit): RobotsRecord {
  const { origin, fetched, now, previous, redirects } = visit;
  const fresh = { origin, fetchedAt: now, redirects };
  switch (fetched.kind) {
    case 'file': {
      const expiresAt = now + lifetime(fetched.cacheControl);
      return { ...fresh, state: 'rules', why: 'read', body: robotsText(fetched.body), expiresAt };
    }
    case 'unavailable':
      return { ...fresh, state: 'allow-all', why: fetched.why, expiresAt: now + ROBOTS_LIFETIME_MS };
    case 'redirect': {
      const hops = redirects + 1;
      if (hops > ROBOTS_MAX_REDIRECTS) {
        const why = `more than ${ROBOTS_MAX_REDIRECTS} redirects`;
        return { ...fresh, state: 'allow-all', why, expiresAt: now + ROBOTS_LIFETIME_MS };
      }
      const why = `HTTP ${fetched.status} to ${fetched.to}`;
      return { ...fresh, redirects: hops, state: 'moved', why, expiresAt: now + ROBOTS_RETRY_MS };
    }
    case 'unreachable': {
      const copy = previous?.state === 'rules' && now - previous.fetchedAt <= ROBOTS_STALE_MAX_MS;
      if (copy) {
        // Keeps the time of its reading, so that its age goes on counting.
        return { ...previous, askedAt: now, why: `stale copy used: ${fetched.why}`, expiresAt: now + ROBOTS_RETRY_MS };
      }
      return { ...fresh, state: 'disallow-all', why: fetched.why, expiresAt: now + retryDelay(previous) };
    }
    case 'refused':
      return { ...fresh, state: 'disallow-all', why: fetched.why, expiresAt: now + retryDelay(previous) };
  }
}

function retryDelay(previous: RobotsRecord | undefined): number {
  if (previous?.state !== 'disallow-all') return ROBOTS_RETRY_MS;
  const last = previous.expiresAt - previous.fetchedAt;
  return Math.min(Math.max(2 * last, ROBOTS_RETRY_MS), ROBOTS_LIFETIME_MS);
}

/** Cache-Control can shorten the day, never lengthen it. */
function lifetime(cacheControl: string | undefined): number {
  if (cacheControl === undefined) return ROBOTS_LIFETIME_MS;
  if (/(?:^|[\s,])no-(?:store|cache)(?:$|[\s,;=])/i.test(cacheControl)) return ROBOTS_LIFETIME_MIN_MS;
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d+)/i.exec(cacheControl)?.[1];
  if (seconds === undefined) return ROBOTS_LIFETIME_MS;
  return Math.min(Math.max(Number(seconds) * 1000, ROBOTS_LIFETIME_MIN_MS), ROBOTS_LIFETIME_MS);
}

function redirectTarget(url: string, location: string | undefined): string | undefined {
  if (location === undefined || location === '') return undefined;
  const target = URL.parse(location, url);
  if (target === null || (target.protocol !== 'http:' && target.protocol !== 'https:')) return undefined;
  target.hash = '';
  return target.href;
}
