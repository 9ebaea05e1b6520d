import { sha1Base32 } from '../archive/sha1-base32.ts';
import type { Clock } from '../base/clock.ts';
import type { Claim } from '../contracts/crawl-task.ts';
import type { FetchResult } from '../contracts/fetcher.ts';
import type { DocumentReader } from './document-reader.ts';
import { restedUse } from './host-use.ts';
import type { PageWork } from './page-work.ts';
import type { Understanding } from './understanding.ts';

export interface ErrandParts {
  readonly reader: DocumentReader;
  readonly understanding: Pick<Understanding, 'of'>;
  readonly clock: Clock;
}

/** Requests that are no visits: for a page that cannot exist, or once more as a browser. */
export class Errands {
  readonly #parts: ErrandParts;

  constructor(parts: ErrandParts) {
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
    const html = this.#parts.reader.read(body, url, head.header('content-type'));
    const order = { isSitemap: false, leaseEndsAt: claim.expiresAt };
    const understood = await this.#parts.understanding.of(html, body, url, order);
    const likeness = understood?.likeness === undefined ? {} : { likeness: understood.likeness };
    if (recheck) return { kind: 'recheck', ...likeness, use };
    return {
      kind: 'probe',
      answer: {
        status: head.status,
        digest: sha1Base32(body),
        words: 0,
        ...titleOf(html.page?.title || understood?.about.title),
        ...understood?.said,
        ...(redirectedTo === undefined ? {} : { redirectedTo }),
      },
      ...likeness,
      use,
    };
  }
}

export function titleOf(title: string | undefined): { title?: string } {
  return title ? { title: title.slice(0, 500) } : {};
}
