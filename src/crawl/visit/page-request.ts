import type { Clock } from '../../base/clock.ts';
import { TurnQueue } from '../../base/turn-queue.ts';
import type { Claim } from '../../contracts/crawl-task.ts';
import type { Fetcher, FetchRequest, FetchResult, ResponseHead } from '../../contracts/fetcher.ts';
import { defaultSitemapLimits } from '../../extract/sitemap/sitemap-options.ts';
import { classifyStatus } from '../../fetch/failure-table.ts';
import type { MediaTypeRule } from '../../scope/media-type-rule.ts';
import { isFileUrl } from '../../url/file-url.ts';
import { lookByHead } from './head-look.ts';
import { useOf } from './host-use.ts';
import type { PageFailures } from './page-failure.ts';
import type { PageWork } from './page-work.ts';
import type { ProbeRequests } from './probe-requests.ts';
import { addressOf } from './spellings.ts';

/** An answer with a body, as it came. */
export type Answer = Extract<FetchResult, { kind: 'response' }>;

export interface PageRequestParts extends VisitSigns {
  readonly fetcher: Fetcher;
  readonly failures: PageFailures;
  readonly probes: Pick<ProbeRequests, 'work'>;
  readonly mediaTypes: Pick<MediaTypeRule, 'refusal'>;
  readonly clock: Clock;
}

/** What others hear of a visit that is under way. */
export interface VisitSigns {
  /** Its request has ended well, and nothing more is asked of its host for it. */
  readonly onAnswered?: (claim: Claim) => void;
  /** Its request has ended so that its host may have to rest, or for another time than before. */
  readonly onUncertain?: (claim: Claim) => void;
  /** Its document is read from now on. */
  readonly onRead?: (claim: Claim) => void;
}

/** A browser that everybody knows. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
/** Reading pages may hold up the event loop for so long; then requests that are due go out first. */
const PAGE_WORK_SLICE_MS = 4;

/** The second stage: one request. Requests that are no visits (HEAD, probes) end here. */
export class PageRequests {
  readonly #parts: PageRequestParts;
  readonly #turns = new TurnQueue(PAGE_WORK_SLICE_MS);

  constructor(parts: PageRequestParts) {
    this.#parts = parts;
  }

  /** The answer, or what ends the visit without one. */
  async send(claim: Claim, admit: FetchRequest['admit']): Promise<Answer | PageWork> {
    const { fetcher, failures, probes, clock, onAnswered, onUncertain, onRead } = this.#parts;
    const { purpose } = claim.task;
    const signs = claim.earlier?.signs;
    if (claim.method === 'HEAD' && signs !== undefined) return lookByHead(claim, signs, fetcher, clock);
    const result = await fetcher.fetch(this.#requestFor(claim, admit));
    // Before its turn comes: the server need not wait while other pages are read. One that asks for patience ends its visit first.
    if (mayNeedRest(result)) onUncertain?.(claim);
    else if (purpose === 'page' && result.kind !== 'refused') onAnswered?.(claim);
    await this.#turns.take();
    onRead?.(claim);
    if (purpose === 'probe' || purpose === 'recheck') return probes.work(claim, result);
    switch (result.kind) {
      case 'response':
        return result;
      case 'refused':
        return { kind: 'refused', by: result.by, rule: result.rule };
      case 'unwanted':
        return { kind: 'refused', by: 'media-type', rule: result.reason, use: useOf(result.exchange, 0) };
      case 'failed':
        return failures.ofRequest(claim, result);
    }
  }

  #requestFor(claim: Claim, admit: FetchRequest['admit']): FetchRequest {
    const { task, validators, earlier } = claim;
    return {
      ...{ url: addressOf(claim), admit },
      // Sitemaps are read whatever they are sent as, up to what their protocol allows.
      ...(task.discovery.how === 'sitemap-file'
        ? { maxBytes: defaultSitemapLimits.maxBytes }
        : { wanted: (head: ResponseHead) => this.#refusalOf(head, task.url) }),
      ...(validators === undefined || standsForAnother(task, earlier) ? {} : { validators }),
      ...(task.purpose === 'recheck' ? { userAgent: BROWSER } : {}),
      ...(task.discovery.how === 'archive' ? { after: earlier?.history?.visitedAt ?? -1 } : {}),
    };
  }

  /** Why the body is not wanted. */
  #refusalOf(head: ResponseHead, url: string): string | undefined {
    const contentType = head.header('content-type');
    if (head.status < 200 || head.status >= 300 || isUnnamedDocument(contentType, url)) return undefined;
    return this.#parts.mediaTypes.refusal(contentType);
  }
}

/** Whether the host may have to rest by what it answered: a Retry-After counts with any status that means "later". */
function mayNeedRest(result: FetchResult): boolean {
  if (result.kind !== 'response') return result.kind === 'failed';
  const { kind, pushback } = classifyStatus(result.head.status);
  return pushback || (kind === 'retry' && result.head.header('retry-after') !== undefined);
}

/** A file that was a copy is read whole: the page that holds its bytes may be gone by now. */
function standsForAnother({ url }: Claim['task'], earlier: Claim['earlier']): boolean {
  return earlier?.outcome.kind === 'duplicate' && isFileUrl(url);
}

/** Some servers know no better type for a PDF or an Office file than that of any file. */
function isUnnamedDocument(contentType: string | undefined, url: string): boolean {
  return (
    /^(?:application|binary)\/octet-stream\b/i.test(contentType ?? '') &&
    /\.(?:pdf|rtf|docx?|xlsx?|pptx?|od[tsp]|epub)(?:$|\?)/i.test(url)
  );
}
