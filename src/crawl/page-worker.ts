import { sha1Base32 } from '../archive/sha1-base32.ts';
import type { Clock } from '../base/clock.ts';
import { pageDirectives } from '../base/robots-directives.ts';
import { TurnQueue } from '../base/turn-queue.ts';
import type { Archive, ArchiveLocation } from '../contracts/archive.ts';
import type { Claim, HostUse, Pushback } from '../contracts/crawl-task.ts';
import type { DuplicateIndex } from '../contracts/duplicate-index.ts';
import type { Exchange, FailureCode, Fetcher, FetchResult, ResponseHead } from '../contracts/fetcher.ts';
import type { PageFacts } from '../contracts/page-store.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import { classifyStatus, failureRule, parseRetryAfter } from '../fetch/failure-table.ts';
import { hostKeyOf, originOf } from '../url/host-key.ts';
import type { DocumentReader } from './document-reader.ts';
import { NO_LINKS, packLinks } from './packed-links.ts';
import type { PageEnding, PageWork } from './page-work.ts';
import type { RobotsGate, RobotsVisit } from './robots-gate.ts';

/** Longer anchor texts are cut. */
const ANCHOR_LENGTH = 200;

/** A server that asks for patience gets it: its URLs are not given up as quickly as those that fail. */
const BUSY_RETRIES = 10;

/** Reading pages may hold up the event loop for so long; then requests that are due go out first. */
const PAGE_WORK_SLICE_MS = 4;

type Response = Extract<FetchResult, { kind: 'response' }>;

export interface PageWorkerParts {
  readonly fetcher: Fetcher;
  readonly robots: RobotsGate | undefined;
  readonly duplicates: DuplicateIndex;
  readonly archive: Archive;
  /** Resolves links to canonical URLs. */
  readonly reader: DocumentReader;
  readonly clock: Clock;
  /** Judges the headers: a string is the reason not to read the body. */
  readonly wanted: (head: ResponseHead) => string | undefined;
  readonly agent: string;
  readonly followNofollow: boolean;
  readonly storeNoindex: boolean;
  readonly maxRetries: number;
  /** First wait before a retry is at most this. */
  readonly maxRetryMs: number;
}

/**
 * The way of one claim through the network and the archive: hops 5 to 8 of docs/architecture.md.
 * Never throws for what the web does; what it throws is a fault of ours or of the disk, and ends the crawl.
 */
export class PageWorker {
  readonly #parts: PageWorkerParts;
  readonly #turns = new TurnQueue(PAGE_WORK_SLICE_MS);

  constructor(parts: PageWorkerParts) {
    this.#parts = parts;
  }

  async work(claim: Claim): Promise<PageWork> {
    const { robots, fetcher, wanted } = this.#parts;
    const { task } = claim;
    if (robots !== undefined) {
      const held = await this.#passRobots(claim, robots);
      if (held !== undefined) return held;
    }
    const request = {
      url: task.url,
      wanted,
      ...(claim.validators === undefined ? {} : { validators: claim.validators }),
    };
    const result = await fetcher.fetch(request);
    await this.#turns.take();
    switch (result.kind) {
      case 'refused':
        return { kind: 'refused', by: result.by, rule: result.rule };
      case 'failed':
        return this.#failed(claim, result);
      case 'unwanted':
        return { kind: 'refused', by: 'media-type', rule: result.reason, use: useOf(result.exchange, 0) };
      case 'response':
        return this.#answered(claim, result);
    }
  }

  /** What ends the claim before its page is asked for, if anything does. */
  async #passRobots(claim: Claim, robots: RobotsGate): Promise<PageWork | undefined> {
    const { task } = claim;
    const origin = originOf(task.url);
    if (task.purpose === 'page') {
      const judge = await robots.judgeOf(origin);
      if (judge !== undefined) {
        const verdict = judge.judge(task.url);
        if (verdict.allowed) return undefined;
        const place = verdict.line === undefined || verdict.line === 0 ? '' : ` (line ${verdict.line})`;
        return { kind: 'refused', by: 'robots', rule: `${verdict.rule ?? 'disallowed'}${place}` };
      }
      if (await robots.awaited(origin)) return { kind: 'awaiting-robots' };
    }
    const visit = await robots.visit(claim);
    if (visit.result.kind === 'refused' && task.purpose === 'page') {
      return { kind: 'refused', by: visit.result.by, rule: visit.result.rule };
    }
    const use = this.#useOfResult(visit.result);
    const location = await this.#archiveRobots(claim, visit, use);
    const pushback = this.#robotsPushback(visit, task.host === hostKeyOf(`${visit.record.origin}/` as CanonicalUrl));
    return {
      kind: 'robots',
      record: visit.record,
      ...(visit.next === undefined ? {} : { next: visit.next }),
      ...(location === undefined ? {} : { location }),
      use: pushback === undefined ? use : { ...use, pushback },
    };
  }

  /** Archives hold the rules that were in force as well. */
  async #archiveRobots(claim: Claim, visit: RobotsVisit, use: HostUse): Promise<ArchiveLocation | undefined> {
    const { result, url } = visit;
    if (result.kind !== 'response' || this.#parts.clock.now() >= claim.expiresAt) return undefined;
    return this.#parts.archive.put({
      url,
      result,
      payloadDigest: sha1Base32(result.body),
      mediaType: result.head.header('content-type') ?? '',
      metadata: metadataOf(claim, use),
    });
  }

  /**
   * What a request for robots.txt says of the host that was asked. Where the file cannot be had, its owner waits as if it
   * could not be reached, or it would be asked for at every turn without end; the frontier sees to owners elsewhere.
   */
  #robotsPushback({ record, result, inVain }: RobotsVisit, ownHost: boolean): Pushback | undefined {
    const why = `robots.txt: ${record.why}`;
    const asksForLess = result.kind === 'response' && classifyStatus(result.head.status).pushback;
    const retryAfterMs = asksForLess
      ? parseRetryAfter(result.head.header('retry-after'), this.#parts.clock.now())
      : undefined;
    const told = retryAfterMs === undefined ? {} : { retryAfterMs };
    const down = result.kind === 'failed' && failureRule(result.code).restHost;
    if (down || inVain || (ownHost && record.state === 'disallow-all'))
      return { ...unreachableBy(result, why), ...told };
    return asksForLess ? { kind: 'busy', why, ...told } : undefined;
  }

  #failed(claim: Claim, result: Extract<FetchResult, { kind: 'failed' }>): PageWork {
    const { restHost, waitMs } = failureRule(result.code);
    const use = this.#useOfResult(result);
    return {
      kind: 'failed',
      code: result.code,
      detail: result.detail,
      use: restHost ? { ...use, pushback: unreachableBy(result, result.code) } : use,
      ...this.#retry(claim, result.code, restHost ? 0 : waitMs),
    };
  }

  async #answered(claim: Claim, result: Response): Promise<PageWork> {
    const { head, exchange } = result;
    const use = useOf(exchange, result.raw.byteLength);
    const { kind, pushback } = classifyStatus(head.status);
    switch (kind) {
      case 'success':
        return this.#page(claim, result, use);
      case 'not-modified':
        return this.#stored(claim, result, use, { kind: 'unchanged' }, 'server-not-modified');
      case 'redirect': {
        const to = head.header('location');
        if (to === undefined || to === '')
          return { kind: 'failed', code: 'redirect-invalid', detail: 'no Location header', use };
        return this.#stored(claim, result, use, { kind: 'redirected', to });
      }
      case 'gone':
        return this.#stored(claim, result, use, { kind: 'gone', status: head.status });
      case 'retry':
        return this.#tryLater(claim, head, use, pushback);
      case 'refused':
      case 'odd':
        return { kind: 'failed', code: `http-${head.status}`, detail: head.statusText, use };
    }
  }

  /** The server cannot answer now. A Retry-After counts with any status. */
  #tryLater(claim: Claim, head: ResponseHead, use: HostUse, pushback: boolean): PageWork {
    const retryAfterMs = parseRetryAfter(head.header('retry-after'), this.#parts.clock.now());
    const rests = pushback || retryAfterMs !== undefined;
    const why = `HTTP ${head.status}`;
    const { waitMs } = failureRule('http-5xx');
    return {
      kind: 'failed',
      code: `http-${head.status}`,
      detail: head.statusText,
      use: rests
        ? { ...use, pushback: { kind: 'busy', why, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } }
        : use,
      // A host that rests comes back by its own clock.
      ...(rests ? (claim.tries < BUSY_RETRIES ? { retryMs: 0 } : {}) : this.#retry(claim, 'http-5xx', waitMs)),
    };
  }

  /** When to try again, if that makes sense. */
  #retry(claim: Claim, code: FailureCode, waitMs: number): { retryMs?: number } {
    const retries = Math.min(failureRule(code).retries, this.#parts.maxRetries);
    return claim.tries < retries ? { retryMs: Math.min(waitMs, this.#parts.maxRetryMs) * 2 ** claim.tries } : {};
  }

  /** A page: decode, extract, compare, archive. */
  async #page(claim: Claim, result: Response, use: HostUse): Promise<PageWork> {
    const { agent, reader, followNofollow, storeNoindex, duplicates } = this.#parts;
    const { task } = claim;
    const contentType = result.head.header('content-type');
    const html = reader.read(result.body, task.url, contentType);
    const xRobotsTag = headerValues(result.head.rawHeaders, 'x-robots-tag');
    const directives = pageDirectives({ agent, metaRobots: html.page?.metaRobots ?? [], xRobotsTag });
    const links = html.page === undefined ? NO_LINKS : packLinks(html.page.links, ANCHOR_LENGTH);
    const nofollow = directives.follow || followNofollow ? {} : { nofollow: directives.said.join('; ') };
    if (!directives.index && !storeNoindex) {
      return { kind: 'refused', by: 'directive', rule: directives.said.join('; '), use, links, ...nofollow };
    }
    const digest = sha1Base32(result.body);
    const rawDigest = result.raw === result.body ? digest : sha1Base32(result.raw);
    const facts: PageFacts = {
      status: result.head.status,
      mediaType: html.mediaType,
      ...(html.charset === undefined ? {} : { charset: html.charset }),
      bytes: result.body.byteLength,
      ...(result.truncated === undefined ? {} : { truncated: result.truncated }),
      digest,
      rawDigest,
      ...validatorsOf(result.head),
      ...(html.page?.title ? { title: html.page.title.slice(0, 500) } : {}),
      ...(html.page?.canonical === undefined ? {} : { canonical: html.page.canonical }),
      directives: directives.said,
      noindex: !directives.index,
      linkCount: html.page?.links.length ?? 0,
      address: result.exchange.address,
      fetchMs: use.fetchMs,
      requestedAt: result.exchange.startedAt,
    };
    const original = await duplicates.originalOf(digest, task.url);
    if (this.#parts.clock.now() >= claim.expiresAt) return leaseExpired(use);
    const location = await this.#parts.archive.put({
      url: task.url,
      result,
      payloadDigest: digest,
      rawDigest,
      mediaType: html.mediaType,
      ...(original === undefined
        ? {}
        : { revisitOf: { url: original.url, date: original.at, payloadDigest: original.rawDigest } }),
      metadata: metadataOf(claim, use, html.charset),
    });
    if (original === undefined) duplicates.add(digest, { url: task.url, at: result.exchange.startedAt, rawDigest });
    const ending: PageEnding = original === undefined ? { kind: 'stored' } : { kind: 'duplicate', of: original.url };
    return {
      kind: 'page',
      ending,
      facts: { ...facts, location },
      location,
      links,
      ...nofollow,
      use,
    };
  }

  /** An answer without a page of its own: kept in the archive all the same. */
  async #stored(
    claim: Claim,
    result: Response,
    use: HostUse,
    ending: PageEnding,
    profile?: 'server-not-modified',
  ): Promise<PageWork> {
    const { task } = claim;
    if (this.#parts.clock.now() >= claim.expiresAt) return leaseExpired(use);
    const mediaType = result.head.header('content-type') ?? '';
    const location = await this.#parts.archive.put({
      url: task.url,
      result,
      payloadDigest: sha1Base32(result.body),
      mediaType,
      ...(profile === undefined ? {} : { profile }),
      metadata: metadataOf(claim, use),
    });
    const facts: PageFacts = {
      status: result.head.status,
      mediaType,
      bytes: result.body.byteLength,
      directives: [],
      noindex: false,
      linkCount: 0,
      location,
      address: result.exchange.address,
      fetchMs: use.fetchMs,
      requestedAt: result.exchange.startedAt,
    };
    return { kind: 'page', ending, facts, location, links: NO_LINKS, use };
  }

  #useOfResult(result: FetchResult): HostUse {
    switch (result.kind) {
      case 'response':
        return useOf(result.exchange, result.raw.byteLength);
      case 'unwanted':
        return useOf(result.exchange, 0);
      case 'failed':
        return result.exchange === undefined
          ? { fetchMs: 0, bytes: result.bytes, endedAt: this.#parts.clock.now(), unsent: true }
          : useOf(result.exchange, result.bytes);
      case 'refused':
        return { fetchMs: 0, bytes: 0, endedAt: this.#parts.clock.now(), unsent: true };
    }
  }
}

function unreachableBy(result: FetchResult, why: string): Pushback {
  const final = result.kind === 'failed' && result.code === 'dns-not-found';
  return { kind: 'unreachable', why, ...(final ? { final } : {}) };
}

/** The URL is somebody else's by now (this machine slept, say): what is archived without a lease would be stored twice. */
function leaseExpired(use: HostUse): PageWork {
  return { kind: 'failed', code: 'lease-expired', detail: '', use };
}

function useOf(exchange: Exchange, bytes: number): HostUse {
  return {
    fetchMs: Math.max(0, exchange.endedAt - exchange.startedAt),
    bytes,
    // The clock counts whole milliseconds, cut off: the next one is the first that is surely not before the end.
    endedAt: exchange.endedAt + 1,
    ...(exchange.address === '' ? {} : { address: exchange.address }),
  };
}

function metadataOf(claim: Claim, use: HostUse, charset?: string): Record<string, string | number> {
  const { depth, discovery } = claim.task;
  return {
    ...(discovery.from === undefined ? {} : { via: discovery.from }),
    hopsFromSeed: depth,
    fetchTimeMs: Math.round(use.fetchMs),
    ...(charset === undefined ? {} : { charset }),
  };
}

function validatorsOf(head: ResponseHead): { etag?: string; lastModified?: string } {
  const etag = head.header('etag');
  const lastModified = head.header('last-modified');
  return { ...(etag === undefined ? {} : { etag }), ...(lastModified === undefined ? {} : { lastModified }) };
}

function headerValues(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1].toLowerCase() === name);
}
