import type { RenderedResource, SubRequestCounts } from '../contracts/content/renderer.ts';
import type { Fetcher, FetchResult } from '../contracts/fetcher.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import { type Answered, ResourceCache } from './resource-cache.ts';

/** A request of a page, as the browser tells of it. */
export interface AskedResource {
  readonly url: string;
  readonly method: string;
  /** By the protocol: Document, Script, Stylesheet, XHR, Fetch, Image … */
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `refused`: nothing was sent, and who said no. */
export type SubAnswer =
  | { readonly kind: 'answered'; readonly result: Answered }
  | { readonly kind: 'preflight' }
  | { readonly kind: 'refused'; readonly by: string }
  | { readonly kind: 'failed'; readonly detail: string };

/** A page that loads something. */
export interface LoadingPage {
  readonly url: CanonicalUrl;
  /** It came from an address that is not part of the public internet. */
  readonly isPrivate: boolean;
}

export interface SubRequestRules {
  /** Guarded, for what a page may reach: it resolves, judges and connects by itself, and follows no redirect. */
  readonly fetcherFor: (page: LoadingPage) => Pick<Fetcher, 'fetch'>;
  /** Types that are not loaded, in small letters. */
  readonly blocked: ReadonlySet<string>;
  /** Who says no to a URL that a page asks for, if anybody does: robots.txt, patterns, hosts. */
  readonly refusal: (asked: AskedResource, page: LoadingPage) => Promise<string | undefined>;
  /** How many of one host are under way at once. */
  readonly perHost: number;
  /** How long a host is left alone that asks for less. */
  readonly backoffMs: number;
  readonly now: () => number;
  readonly maxBytes: number;
}

/** What one page may ask for. */
const MOST_REQUESTS = 300;
const MOST_BYTES = 64 * 2 ** 20;
const CACHE_BYTES = 64 * 2 ** 20;
const MOST_RESTING = 10_000;
/** Types that the page is built of. */
const PARTS = new Set(['Script', 'Stylesheet', 'Font', 'Image']);
/** Fields of a request that are ours to set, or that a page must not. */
const OURS =
  /^(?:host|connection|content-.*|transfer-encoding|accept-encoding|user-agent|cookie2?|te|trailer|upgrade.*|keep-alive|expect|range|if-.*|proxy-.*|sec-.*|dnt|via|date|from)$/i;

/** Fields that a browser sends by itself. With any other an answer may be meant for one page alone. */
const USUAL = /^(?:accept|accept-language|origin|referer|cache-control|pragma|purpose)$/i;

/** Serves what pages ask for besides themselves. One for all pages of a crawl. */
export class SubRequests {
  readonly #rules: SubRequestRules;
  readonly #cache: ResourceCache;
  readonly #underWay = new Map<string, Promise<FetchResult>>();
  readonly #queues = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  /** Hosts that asked for less, and until when. */
  readonly #resting = new Map<string, number>();

  constructor(rules: SubRequestRules) {
    this.#rules = rules;
    this.#cache = new ResourceCache(CACHE_BYTES, rules.now);
  }

  /** For one page. */
  begin(page: LoadingPage, keep: boolean): PageRequests {
    return new PageRequests(page, keep, this.#rules, (asked) => this.#answer(asked, page));
  }

  async #answer(
    asked: AskedResource,
    page: LoadingPage,
  ): Promise<{ readonly result: FetchResult; readonly cached: boolean }> {
    if (isPersonal(asked)) return { result: await this.#fetch(asked, page), cached: false };
    const key = sharedKey(asked, page);
    const cached = this.#cache.get(key);
    if (cached !== undefined) return { result: cached, cached: true };
    const isPart = PARTS.has(asked.type);
    const same = isPart ? this.#underWay.get(key) : undefined;
    if (same !== undefined) return { result: await same, cached: true };
    const fetching = this.#fetch(asked, page);
    if (isPart) this.#underWay.set(key, fetching);
    try {
      const result = await fetching;
      if (result.kind === 'response') this.#cache.put(key, result, isPart);
      return { result, cached: false };
    } finally {
      if (isPart) this.#underWay.delete(key);
    }
  }

  async #fetch({ url, headers }: AskedResource, page: LoadingPage): Promise<FetchResult> {
    const { host } = new URL(url);
    const rest = (this.#resting.get(host) ?? 0) - this.#rules.now();
    if (rest > 0) return { kind: 'failed', code: 'http-5xx', detail: `${host} asked for less`, bytes: 0 };
    await this.#turn(host);
    try {
      const { fetcherFor, maxBytes } = this.#rules;
      const fields = Object.entries(headers).filter(([name]) => !OURS.test(name));
      const result = await fetcherFor(page).fetch({ url: url as CanonicalUrl, maxBytes, fields: fields.flat() });
      if (result.kind === 'response' && (result.head.status === 429 || result.head.status === 503))
        this.#rest(host, result.head.header('retry-after'));
      return result;
    } finally {
      this.#free(host);
    }
  }

  async #turn(host: string): Promise<void> {
    const queue = this.#queues.get(host) ?? { running: 0, waiting: [] };
    this.#queues.set(host, queue);
    if (queue.running < this.#rules.perHost) queue.running++;
    else await new Promise<void>((resolve) => queue.waiting.push(resolve));
  }

  #free(host: string): void {
    const queue = this.#queues.get(host);
    const next = queue?.waiting.shift();
    if (next !== undefined) next();
    else if (queue !== undefined && --queue.running === 0) this.#queues.delete(host);
  }

  #rest(host: string, retryAfter: string | undefined): void {
    const seconds = Number(retryAfter);
    const restMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : this.#rules.backoffMs;
    if (this.#resting.size > MOST_RESTING) this.#resting.clear();
    this.#resting.set(host, this.#rules.now() + restMs);
  }
}

type Count = { -readonly [Name in keyof Omit<SubRequestCounts, 'refused'>]: number };

/** The requests of one page, within what it may ask for. */
export class PageRequests {
  readonly #page: LoadingPage;
  readonly #host: string;
  readonly #keep: boolean;
  readonly #rules: SubRequestRules;
  readonly #ask: (asked: AskedResource) => Promise<{ readonly result: FetchResult; readonly cached: boolean }>;
  readonly #counts: Count = {
    ...{ sent: 0, bytes: 0, cached: 0, failed: 0 },
    ...{ ownBytes: 0, ownMs: 0, ownEndedAt: 0 },
  };
  readonly #refused: Record<string, number> = {};
  readonly #resources: RenderedResource[] = [];
  #asked = 0;

  constructor(
    page: LoadingPage,
    keep: boolean,
    rules: SubRequestRules,
    ask: (asked: AskedResource) => Promise<{ readonly result: FetchResult; readonly cached: boolean }>,
  ) {
    this.#page = page;
    this.#host = new URL(page.url).host;
    this.#keep = keep;
    this.#rules = rules;
    this.#ask = ask;
  }

  get counts(): SubRequestCounts {
    return { ...this.#counts, refused: this.#refused };
  }

  get resources(): readonly RenderedResource[] {
    return this.#resources;
  }

  async answer(told: AskedResource): Promise<SubAnswer> {
    const asked = isWorkerScript(told) ? { ...told, type: 'Script' } : told;
    const refused = await this.#refusal(asked);
    if (refused !== undefined) {
      this.#refused[refused] = (this.#refused[refused] ?? 0) + 1;
      return { kind: 'refused', by: refused };
    }
    // Whether the page may read what comes is said by the answer itself.
    if (asked.method === 'OPTIONS') return { kind: 'preflight' };
    this.#asked++;
    const { result, cached } = await this.#ask(asked);
    if (!cached && new URL(asked.url).host === this.#host) this.#countOwn(result);
    return this.#taken(asked, result, cached);
  }

  #taken({ url }: AskedResource, result: FetchResult, cached: boolean): SubAnswer {
    const counts = this.#counts;
    if (result.kind === 'refused') {
      this.#refused[result.by] = (this.#refused[result.by] ?? 0) + 1;
      return { kind: 'refused', by: result.by };
    }
    if (cached) counts.cached++;
    else counts.sent++;
    if (result.kind !== 'response') {
      counts.failed++;
      return { kind: 'failed', detail: result.kind === 'failed' ? result.code : result.reason };
    }
    if (!cached) counts.bytes += result.raw.byteLength;
    if (this.#keep) this.#resources.push({ url, result });
    return { kind: 'answered', result };
  }

  /** What the host of the page has had to do. */
  #countOwn(result: FetchResult): void {
    if (result.kind === 'refused' || result.exchange === undefined) return;
    const { startedAt, endedAt } = result.exchange;
    this.#counts.ownMs += Math.max(0, endedAt - startedAt);
    this.#counts.ownEndedAt = Math.max(this.#counts.ownEndedAt, endedAt);
    if (result.kind === 'response') this.#counts.ownBytes += result.raw.byteLength;
  }

  async #refusal(asked: AskedResource): Promise<string | undefined> {
    const { blocked, refusal } = this.#rules;
    if (!/^https?:\/\//.test(asked.url)) return 'scheme';
    // A crawl changes nothing anywhere: whatever else a page may want to send stays here.
    if (asked.method !== 'GET' && asked.method !== 'OPTIONS') return 'method';
    if (blocked.has(asked.type.toLowerCase()) || isStream(asked)) return 'type';
    if (this.#asked >= MOST_REQUESTS || this.#counts.bytes >= MOST_BYTES) return 'budget';
    return await refusal(asked, this.#page);
  }
}

/** The protocol calls streams of events XHR: what they ask for tells them. One has no end, and would hold its host as long as the page. */
function isStream({ headers }: AskedResource): boolean {
  return headerOf(headers, 'accept').includes('text/event-stream');
}

/** The protocol calls the scripts of workers Other, as it does icons; but these are asked for as pictures. */
function isWorkerScript({ type, headers }: AskedResource): boolean {
  return type === 'Other' && headerOf(headers, 'accept') === '*/*';
}

/** With fields of its own, such as a token, an answer is that of one page: it is neither kept nor shared. */
function isPersonal({ headers }: AskedResource): boolean {
  return Object.keys(headers).some((name) => !OURS.test(name) && !USUAL.test(name));
}

/**
 * Whose answers are the same: those to pages that reach the same network, and to pages of its own origin or of others, for an origin may be
 * asked with credentials for its own pages alone. Some servers answer each `Origin` otherwise.
 */
function sharedKey({ url, headers }: AskedResource, page: LoadingPage): string {
  const isOwn = new URL(url).origin === new URL(page.url).origin;
  return [page.isPrivate ? 'private' : 'public', isOwn ? 'own' : headerOf(headers, 'origin'), url].join(' ');
}

function headerOf(headers: AskedResource['headers'], wanted: string): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}
