import { sha1Base32 } from '../../archive/sha1-base32.ts';
import type { Clock } from '../../base/clock.ts';
import { TurnQueue } from '../../base/turn-queue.ts';
import type { Archive, ArchiveEntry } from '../../contracts/archive.ts';
import type { Claim, CrawlTask, HostUse } from '../../contracts/crawl-task.ts';
import type { DuplicateIndex } from '../../contracts/duplicate-index.ts';
import type { FailureCode, Fetcher, FetchRequest, FetchResult, ResponseHead } from '../../contracts/fetcher.ts';
import type { PageFacts } from '../../contracts/page-store.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { defaultSitemapLimits } from '../../extract/sitemap/sitemap-options.ts';
import { pagePreferences } from '../../extract/usage-preferences/page-preferences.ts';
import type { BodyMemory } from '../../fetch/body/body-memory.ts';
import { classifyStatus, failureRule } from '../../fetch/failure-table.ts';
import { combineSigns } from '../../rank/spam/spam-score.ts';
import { originOf } from '../../url/host-key.ts';
import type { ContentExtractor } from '../content/content-extractor.ts';
import { directiveFacts, directivesAt } from '../content/directive-facts.ts';
import { omissions, withLinksOf } from '../content/document-links.ts';
import { openingOf } from '../content/extracted-content.ts';
import type { ReadPage } from '../content/page-reader.ts';
import type { PageReading } from '../content/page-reading.ts';
import { pageTopic } from '../content/page-topic.ts';
import { formerDigest } from '../content/text-digest.ts';
import { headerValues, hubOf } from '../notify/hub-discovery.ts';
import type { Handled, StoredPage } from '../plugins/page-handlers.ts';
import { NO_LINKS } from '../workers/packed-links.ts';
import { signsOf, validatorsOf } from './body-signs.ts';
import { isBrokenOff, wholeTextOf } from './broken-off.ts';
import { lookByHead } from './head-look.ts';
import { metadataOf, recordDate, retryAfterOf, unreachableBy, useOf, useOfResult } from './host-use.ts';
import { leaseExpired, type PageEnding, type PageWork } from './page-work.ts';
import { ProbeRequests, titleOf } from './probe-requests.ts';
import type { RobotsTurn } from './robots-turn.ts';

/** A browser that everybody knows. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** A server that asks for patience gets it: its URLs are not given up as quickly as those that fail. */
const BUSY_RETRIES = 10;

/** Reading pages may hold up the event loop for so long; then requests that are due go out first. */
const PAGE_WORK_SLICE_MS = 4;

function isSitemapTask({ discovery }: CrawlTask): boolean {
  return discovery.how === 'sitemap-file';
}

type Response = Extract<FetchResult, { kind: 'response' }>;
type Failed = Extract<PageWork, { kind: 'failed' }>;

export interface PageWorkerParts {
  readonly fetcher: Fetcher;
  readonly memory: Pick<BodyMemory, 'room'>;
  readonly robots: RobotsTurn | undefined;
  readonly duplicates: DuplicateIndex;
  readonly archive: Archive;
  /** Links become canonical URLs. */
  readonly reading: PageReading;
  /** For links of documents that are not HTML. */
  readonly resolver: (base: string) => (reference: string) => string | undefined;
  readonly understanding: Pick<ContentExtractor, 'of' | 'startBy'>;
  readonly clock: Clock;
  /** Judges the headers: a string is the reason not to read the body. */
  readonly wanted: (head: ResponseHead, url: CanonicalUrl) => string | undefined;
  /** The words of pages and links are wanted: a focused crawl. */
  readonly wantsTopic?: boolean;
  /** Pages are visited again: what each says must be comparable. */
  readonly continuous?: boolean;
  readonly agent: string;
  readonly followNofollow: boolean;
  readonly storeNoindex: boolean;
  /** Links of one document that are followed. */
  readonly maxLinks: number;
  readonly maxRetries: number;
  /** First wait before a retry is at most this. */
  readonly maxRetryMs: number;
  readonly onRead?: (claim: Claim) => void;
  /** Gives a page that is stored to the page handlers of plug-ins. */
  readonly handle?: (...page: StoredPage) => Promise<Handled>;
}

/**
 * The way of one claim through the network and the archive: hops 5 to 8 of docs/architecture.md.
 * Never throws for what the web does; what it throws is a fault of ours or of the disk, and ends the crawl.
 */
export class PageWorker {
  readonly #parts: PageWorkerParts;
  readonly #turns = new TurnQueue(PAGE_WORK_SLICE_MS);
  readonly #probes: ProbeRequests;

  constructor(parts: PageWorkerParts) {
    this.#parts = parts;
    this.#probes = new ProbeRequests(parts);
  }

  async work(claim: Claim): Promise<PageWork> {
    using room = this.#parts.memory.room();
    return await this.#visit(claim, room.take);
  }

  async #visit(claim: Claim, admit: FetchRequest['admit']): Promise<PageWork> {
    const { robots, fetcher, wanted, clock } = this.#parts;
    const { task } = claim;
    if (robots !== undefined) {
      const held = await robots.pass(claim);
      if (held !== undefined) return held;
    }
    const signs = claim.earlier?.signs;
    if (claim.method === 'HEAD' && signs !== undefined) return lookByHead(claim, signs, fetcher, clock);
    const isSitemap = isSitemapTask(task);
    const request = {
      ...{ url: task.url, admit },
      // Sitemaps are read whatever they are sent as, up to what their protocol allows.
      ...(isSitemap
        ? { maxBytes: defaultSitemapLimits.maxBytes }
        : { wanted: (head: ResponseHead) => wanted(head, task.url) }),
      ...(claim.validators === undefined ? {} : { validators: claim.validators }),
      ...(task.purpose === 'recheck' ? { userAgent: BROWSER } : {}),
    };
    const result = await fetcher.fetch(request);
    await this.#turns.take();
    this.#parts.onRead?.(claim);
    if (task.purpose === 'probe' || task.purpose === 'recheck') return this.#probes.work(claim, result);
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

  #failed(claim: Claim, result: Extract<FetchResult, { kind: 'failed' }>): PageWork {
    const { restHost, waitMs } = failureRule(result.code);
    const use = useOfResult(result, this.#parts.clock.now());
    return {
      kind: 'failed',
      code: result.code,
      detail: result.detail,
      use: restHost ? { ...use, pushback: unreachableBy(result, result.code) } : use,
      ...this.#retry(claim, result.code, restHost ? 0 : waitMs),
    };
  }

  /**
   * The whole copy that stands is better than a piece of the next, but not for ever: a server that breaks off at all tries of
   * a visit knows no better, as one of which there never was more than a piece. Undefined: what there is counts.
   */
  #brokenOff(claim: Claim, { truncated, raw, body }: Response, use: HostUse): PageWork | undefined {
    const { earlier, tries } = claim;
    if (earlier?.digest === undefined || isBrokenOff(earlier) || earlier.digest === sha1Base32(body)) return undefined;
    const code = truncated === 'time' ? 'deadline' : 'reset';
    const retry = this.#retry(claim, code, failureRule(code).waitMs);
    if (retry.retryMs === undefined && (tries > 0 || earlier.outcome.kind === 'failed')) return undefined;
    const detail = `the body broke off after ${raw.byteLength} bytes`;
    return { kind: 'failed', code, detail, use, ...retry };
  }

  async #answered(claim: Claim, result: Response): Promise<PageWork> {
    const { head, exchange } = result;
    const use = useOf(exchange, result.raw.byteLength);
    const { kind, pushback } = classifyStatus(head.status);
    switch (kind) {
      case 'success':
        return (
          (isBrokenOff(result) ? this.#brokenOff(claim, result, use) : undefined) ?? this.#page(claim, result, use)
        );
      case 'not-modified':
        // Nobody asked, and there is no copy that it could speak of.
        if (claim.earlier?.digest === undefined)
          return this.#givenUp(claim, result, { kind: 'failed', code: 'http-304', detail: 'no earlier copy', use });
        return this.#stored(
          claim,
          result,
          use,
          { kind: 'unchanged' },
          await this.#copyHeld(claim, claim.earlier.digest),
        );
      case 'redirect': {
        const to = head.header('location');
        if (to === undefined || to === '')
          return this.#givenUp(claim, result, {
            kind: 'failed',
            code: 'redirect-invalid',
            detail: 'no Location header',
            use,
          });
        return this.#stored(claim, result, use, { kind: 'redirected', to });
      }
      case 'gone':
        return this.#stored(claim, result, use, { kind: 'gone', status: head.status });
      case 'retry':
        return this.#givenUp(claim, result, this.#tryLater(claim, head, use, pushback));
      case 'refused':
      case 'odd':
        return this.#givenUp(claim, result, {
          kind: 'failed',
          code: `http-${head.status}`,
          detail: head.statusText,
          use,
        });
    }
  }

  /** No page, but what the server said last: kept where it is not asked again. */
  async #givenUp(claim: Claim, result: Response, failed: Failed): Promise<PageWork> {
    if (failed.retryMs !== undefined) return failed;
    if (this.#parts.clock.now() >= claim.expiresAt) return leaseExpired(failed.use);
    return { ...failed, answer: await this.#archive(claim, result, failed.use) };
  }

  /** The server cannot answer now. A Retry-After counts with any status. */
  #tryLater(claim: Claim, head: ResponseHead, use: HostUse, pushback: boolean): Failed {
    const retryAfterMs = retryAfterOf(head, use);
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
    const { agent, followNofollow, storeNoindex, duplicates, understanding, maxLinks } = this.#parts;
    const { task } = claim;
    const order = { isSitemap: isSitemapTask(task), leaseEndsAt: claim.expiresAt };
    const read = await this.#read(task.url, result, understanding.startBy(order));
    const { html, links: pageLinks } = read;
    const xRobotsTag = headerValues(result.head.rawHeaders, 'x-robots-tag');
    const metaRobots = html.page?.metaRobots ?? [];
    const directives = directivesAt(this.#parts.clock.now(), { agent, metaRobots, xRobotsTag });
    const nofollow = directives.follow || followNofollow ? {} : { nofollow: directives.said.join('; ') };
    if (!directives.index && !storeNoindex) {
      // Sitemaps and feeds often say so, for they are no pages; what they list counts.
      const lists = html.page === undefined ? await understanding.of(html, result.body, task.url, order) : undefined;
      const { links } = withLinksOf(lists, pageLinks, this.#parts.resolver(task.url), maxLinks);
      return { kind: 'refused', by: 'directive', rule: directives.said.join('; '), use, links, ...nofollow };
    }
    const digest = sha1Base32(result.body);
    const rawDigest = result.raw === result.body ? digest : sha1Base32(result.raw);
    const unchanged = claim.earlier?.digest === digest;
    const own = unchanged ? await duplicates.ownCopyOf(digest, task.url) : undefined;
    const same = own ?? (await duplicates.originalOf(digest, task.url));
    const original = same?.elsewhere ? undefined : same;
    // What a copy says was read when its original came; but what it is compared with at its next visit must be its own.
    const said =
      original === undefined || (this.#parts.continuous === true && !unchanged)
        ? await understanding.of(html, result.body, task.url, order, read.linkCount)
        : undefined;
    const understood = original === undefined ? said : undefined;
    const { links, omitted } = withLinksOf(understood, pageLinks, this.#parts.resolver(task.url), maxLinks);
    const signs = signsOf(result);
    const facts: PageFacts = {
      status: result.head.status,
      mediaType: html.mediaType,
      ...(html.charset === undefined ? {} : { charset: html.charset }),
      bytes: result.body.byteLength,
      ...(result.truncated === undefined ? {} : { truncated: result.truncated }),
      digest,
      rawDigest,
      ...validatorsOf(result),
      ...(signs === undefined ? {} : { signs }),
      ...titleOf(html.page?.title || understood?.about.title),
      ...(read.canonical === undefined ? {} : { canonical: read.canonical }),
      ...directiveFacts(directives),
      linkCount: links.fingerprints.length,
      ...omissions(omitted, read.unread),
      ...(understood === undefined ? {} : { about: understood.about }),
      ...(said?.textDigest === undefined ? {} : { textDigest: said.textDigest }),
      ...(isBrokenOff(result)
        ? { ...wholeTextOf(claim.earlier), ...(unchanged ? { repeated: true as const } : {}) }
        : {}),
      ...formerDigest(claim.earlier?.textDigest, said?.text),
      ...(understood?.spam === undefined || understood.spam.length === 0
        ? {}
        : { spam: combineSigns(understood.spam) }),
      ...this.#usageOf(task.url, result.head, understood?.usageMetas ?? html.page?.metaRobots),
      address: result.exchange.address,
      fetchMs: use.fetchMs,
      requestedAt: recordDate(result.exchange),
    };
    const handled =
      original === undefined && !unchanged
        ? await this.#parts.handle?.(task.url, facts, result.body, understood, links)
        : undefined;
    if (handled !== undefined && 'fault' in handled)
      return { kind: 'failed', code: 'plugin-failed', detail: handled.fault, use };
    if (this.#parts.clock.now() >= claim.expiresAt) return leaseExpired(use);
    const location = await this.#parts.archive.put({
      url: task.url,
      result,
      payloadDigest: digest,
      rawDigest,
      mediaType: html.mediaType,
      ...(same === undefined ? {} : { revisitOf: { url: same.url, date: same.at, payloadDigest: same.rawDigest } }),
      ...(understood?.text === undefined ? {} : { text: understood.text }),
      metadata: metadataOf(claim, use, html.charset),
    });
    if (original === undefined && !unchanged)
      duplicates.add(digest, { url: task.url, at: recordDate(result.exchange), rawDigest });
    const ending: PageEnding = unchanged
      ? { kind: 'unchanged' }
      : original === undefined
        ? { kind: 'stored' }
        : { kind: 'duplicate', of: original.url };
    return {
      kind: 'page',
      ending,
      facts: { ...facts, location },
      location,
      links,
      ...nofollow,
      use,
      ...(understood?.likeness === undefined ? {} : { likeness: understood.likeness }),
      ...(understood?.text === undefined ? {} : { opening: openingOf(understood.text), said: understood.said }),
      outHosts: read.outHosts,
      ...hubOf(result.head, understood, task.url),
      ...handled,
      ...(this.#parts.wantsTopic === true ? { topic: pageTopic(html, understood, links) } : {}),
    };
  }

  #read(url: CanonicalUrl, { head, body }: Response, startBy: number): Promise<ReadPage> {
    const said = { contentType: head.header('content-type'), linkHeaders: headerValues(head.rawHeaders, 'link') };
    return this.#parts.reading.read({ body, url, ...said, wantsText: this.#parts.wantsTopic === true }, startBy);
  }

  /** What robots.txt, tdmrep.json, header fields and META tags say of the use of the document. */
  #usageOf(
    url: CanonicalUrl,
    head: ResponseHead,
    metas: readonly (readonly [name: string, content: string])[] | undefined,
  ): Pick<PageFacts, 'usage'> {
    const usage = pagePreferences({
      url,
      agent: this.#parts.agent,
      rawHeaders: head.rawHeaders,
      ...this.#parts.robots?.preferencesOf(originOf(url)),
      ...(metas === undefined ? {} : { metas }),
    });
    return usage.said.length === 0 ? {} : { usage };
  }

  /** An answer without a page of its own: kept in the archive all the same. */
  async #stored(
    claim: Claim,
    result: Response,
    use: HostUse,
    ending: PageEnding,
    unmodified?: ArchiveEntry['revisitOf'],
  ): Promise<PageWork> {
    if (this.#parts.clock.now() >= claim.expiresAt) return leaseExpired(use);
    const answer = await this.#archive(claim, result, use, unmodified);
    return { kind: 'page', ending, ...answer, links: NO_LINKS, use };
  }

  /** The record that a 304 speaks of: of the page itself, or of the page that it is a copy of. */
  async #copyHeld({ task: { url } }: Claim, digest: string): Promise<ArchiveEntry['revisitOf']> {
    const { duplicates } = this.#parts;
    const held = (await duplicates.ownCopyOf(digest, url)) ?? (await duplicates.originalOf(digest, url));
    return held && { url: held.url, date: held.at, payloadDigest: held.rawDigest };
  }

  async #archive(
    claim: Claim,
    result: Response,
    use: HostUse,
    unmodified?: ArchiveEntry['revisitOf'],
  ): Promise<NonNullable<Failed['answer']>> {
    const mediaType = result.head.header('content-type') ?? '';
    const location = await this.#parts.archive.put({
      url: claim.task.url,
      result,
      payloadDigest: sha1Base32(result.body),
      mediaType,
      ...(unmodified === undefined ? {} : { revisitOf: unmodified, profile: 'server-not-modified' as const }),
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
      requestedAt: recordDate(result.exchange),
    };
    return { facts, location };
  }
}
