import { sha1Base32 } from '../../archive/sha1-base32.ts';
import type { Claim, HostUse } from '../../contracts/crawl-task.ts';
import { classifyStatus } from '../../fetch/failure-table.ts';
import type { UrlOptions } from '../../url/url-options.ts';
import { NO_LINKS } from '../workers/packed-links.ts';
import { isBrokenOff } from './body-signs.ts';
import type { ExactCopies } from './exact-copies.ts';
import { useOf } from './host-use.ts';
import type { PageArchive } from './page-archive.ts';
import type { Failed, PageFailures } from './page-failure.ts';
import type { Answer } from './page-request.ts';
import { leaseExpired, type PageEnding, type PageWork } from './page-work.ts';
import { otherSpelling } from './spellings.ts';

export interface PageAnswerParts {
  readonly failures: PageFailures;
  readonly archive: Pick<PageArchive, 'storeAnswer'>;
  readonly copies: Pick<ExactCopies, 'heldBy'>;
  readonly urlOptions: UrlOptions;
}

/** The third stage: answers without a page end the visit, those that are worth keeping in the archive. */
export class PageAnswers {
  readonly #parts: PageAnswerParts;

  constructor(parts: PageAnswerParts) {
    this.#parts = parts;
  }

  /** Undefined where the answer is a page. */
  async withoutPage(claim: Claim, answer: Answer): Promise<PageWork | undefined> {
    const { head } = answer;
    const use = useOf(answer.exchange, answer.raw.byteLength);
    const { kind, pushback } = classifyStatus(head.status);
    const failed = (code: string, detail: string): Failed => ({ kind: 'failed', code, detail, use });
    switch (kind) {
      case 'success':
        return isBrokenOff(answer) ? this.#brokenOff(claim, answer, use) : undefined;
      case 'not-modified':
        // Nobody asked, and there is no copy that it could speak of.
        if (claim.earlier?.digest === undefined)
          return this.#givenUp(claim, answer, failed('http-304', 'no earlier copy'));
        return this.#stored(claim, answer, use, { kind: 'unchanged' });
      case 'redirect': {
        const to = head.header('location');
        if (to === undefined || to === '')
          return this.#givenUp(claim, answer, failed('redirect-invalid', 'no Location header'));
        // Relative to what was asked for, which may be another spelling than the name of the page.
        const target = claim.address === undefined ? to : (URL.parse(to, claim.address)?.href ?? to);
        // Where a page is asked for under another spelling is no version of it.
        if (otherSpelling(claim, target, this.#parts.urlOptions) !== undefined)
          return { kind: 'respelled', to: target, use };
        return this.#stored(claim, answer, use, { kind: 'redirected', to: target });
      }
      case 'gone': {
        const again = this.#parts.failures.ofFinalStatus(claim, head, use);
        if (again !== undefined) return again;
        return this.#stored(claim, answer, use, { kind: 'gone', status: head.status });
      }
      case 'retry':
        return this.#givenUp(claim, answer, this.#parts.failures.ofBusyServer(claim, head, use, pushback));
      case 'refused':
      case 'odd':
        return this.#givenUp(
          claim,
          answer,
          this.#parts.failures.ofFinalStatus(claim, head, use) ?? failed(`http-${head.status}`, head.statusText),
        );
    }
  }

  /**
   * The whole copy that stands is better than a piece of the next, but not for ever: a server that breaks off at all tries of
   * a visit knows no better, as one of which there never was more than a piece. Undefined: what there is counts.
   */
  #brokenOff(claim: Claim, { truncated, raw, body }: Answer, use: HostUse): PageWork | undefined {
    const { earlier, tries } = claim;
    if (earlier?.digest === undefined || isBrokenOff(earlier) || earlier.digest === sha1Base32(body)) return undefined;
    const failed = this.#parts.failures.ofBrokenBody(claim, truncated, raw.byteLength, use);
    if (failed.retryMs === undefined && (tries > 0 || earlier.outcome.kind === 'failed')) return undefined;
    return failed;
  }

  /** No page, but what the server said last: kept where it is not asked again. */
  async #givenUp(claim: Claim, answer: Answer, failed: Failed): Promise<PageWork> {
    if (failed.retryMs !== undefined) return failed;
    const kept = await this.#parts.archive.storeAnswer(claim, answer, failed.use);
    return kept === undefined ? leaseExpired(failed.use) : { ...failed, answer: kept };
  }

  async #stored(claim: Claim, answer: Answer, use: HostUse, ending: PageEnding): Promise<PageWork> {
    const { archive, copies } = this.#parts;
    const unmodified = ending.kind === 'unchanged' ? await copies.heldBy(claim) : undefined;
    const kept = await archive.storeAnswer(claim, answer, use, unmodified);
    return kept === undefined ? leaseExpired(use) : { kind: 'page', ending, ...kept, links: NO_LINKS, use };
  }
}
