import type { Clock } from '../../base/clock.ts';
import type { BodySigns } from '../../contracts/content/body-signs.ts';
import type { Claim } from '../../contracts/crawl-task.ts';
import type { Fetcher, FetchResult, ResponseHead } from '../../contracts/fetcher.ts';
import { sameByHead } from './body-signs.ts';
import { recordDate, restedUse } from './host-use.ts';
import type { PageWork } from './page-work.ts';
import { addressOf } from './spellings.ts';

/**
 * Asks for a known page with HEAD. Where the answer is as before in every way, the visit is settled by it; whatever else it
 * is, the page is asked for with GET at its host's next turn, and that answer alone counts. Nothing goes into the archive:
 * an answer without a body would pass for an empty page there.
 */
export async function lookByHead(claim: Claim, before: BodySigns, fetcher: Fetcher, clock: Clock): Promise<PageWork> {
  const result = await fetcher.fetch({ url: addressOf(claim), method: 'HEAD' });
  const use = restedUse(result, clock.now());
  if (result.kind !== 'response') return { kind: 'looked', why: `HEAD ${brief(result)}`, use };
  const { head, exchange } = result;
  const same = sameByHead(before, head);
  if (same === undefined) return { kind: 'looked', status: head.status, why: difference(head), use };
  return {
    kind: 'looked',
    status: head.status,
    same: {
      by: same,
      facts: {
        status: head.status,
        mediaType: head.header('content-type') ?? '',
        bytes: 0,
        signs: { ...before, looks: (before.looks ?? 0) + 1 },
        directives: [],
        noindex: false,
        linkCount: 0,
        address: exchange.address,
        fetchMs: use.fetchMs,
        requestedAt: recordDate(exchange),
      },
    },
    why: '',
    use,
  };
}

function brief(result: Exclude<FetchResult, { kind: 'response' }>): string {
  return result.kind === 'failed' ? `failed: ${result.code}` : 'was not sent';
}

function difference({ status }: ResponseHead): string {
  return status === 200 ? 'HEAD shows another body than before' : `HEAD was answered with HTTP ${status}`;
}
