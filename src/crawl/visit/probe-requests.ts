import { sha1Base32 } from '../../archive/sha1-base32.ts';
import type { Clock } from '../../base/clock.ts';
import type { Claim } from '../../contracts/crawl-task.ts';
import type { FetchResult } from '../../contracts/fetcher.ts';
import type { ContentExtractor } from '../content/content-extractor.ts';
import type { PageReading } from '../content/page-reading.ts';
import { restedUse } from './host-use.ts';
import type { PageWork } from './page-work.ts';

export interface ProbeParts {
  readonly reading: PageReading;
  readonly extractor: Pick<ContentExtractor, 'of' | 'startBy'>;
  readonly clock: Clock;
}

const LONGEST_TITLE = 500;

/** Requests that are no visits: for a page that cannot exist, or once more as a browser. */
export class ProbeRequests {
  readonly #parts: ProbeParts;

  constructor(parts: ProbeParts) {
    this.#parts = parts;
  }

  /** Whatever comes back is an answer: nothing of it is kept. */
  async work(claim: Claim, result: FetchResult): Promise<PageWork> {
    const use = restedUse(result, this.#parts.clock.now());
    const recheck = claim.task.purpose === 'recheck';
    if (result.kind !== 'response')
      return recheck ? { kind: 'recheck', use } : { kind: 'probe', answer: { status: 0, words: 0 }, use };
    const { head, body } = result;
    const redirectedTo = head.header('location');
    const { url } = claim.task;
    const { reading, extractor } = this.#parts;
    const order = { isSitemap: false, leaseEndsAt: claim.expiresAt };
    const page = { body, url, contentType: head.header('content-type'), wantsText: false };
    const { html, linkCount } = await reading.read(page, extractor.startBy(order));
    const extracted = await extractor.of(html, body, url, order, linkCount);
    const title = html.page?.title || extracted?.about.title;
    const contentSketch = extracted?.contentSketch === undefined ? {} : { contentSketch: extracted.contentSketch };
    if (recheck) return { kind: 'recheck', ...contentSketch, use };
    return {
      kind: 'probe',
      answer: {
        status: head.status,
        digest: sha1Base32(body),
        words: 0,
        ...(title ? { title: title.slice(0, LONGEST_TITLE) } : {}),
        ...extracted?.said,
        ...(redirectedTo === undefined ? {} : { redirectedTo }),
      },
      ...contentSketch,
      use,
    };
  }
}
