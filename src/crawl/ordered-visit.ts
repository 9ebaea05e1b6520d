import { fingerprint } from '../base/fingerprint.ts';
import type { OrderedVisit } from '../contracts/crawl-order.ts';
import type { Claim } from '../contracts/crawl-task.ts';
import type { LinkKind } from '../contracts/page.ts';
import type { Focused } from './focus.ts';
import { NO_LINKS, placesOfKinds } from './packed-links.ts';
import type { PageWork } from './page-work.ts';

/** Links that lead to pages, and say something of them by that. */
const LEADING: readonly LinkKind[] = ['a', 'area', 'frame', 'iframe', 'refresh', 'sitemap', 'feed'];

/** What an order is told of a visit. */
export function orderedVisit(
  { task }: Claim,
  work: PageWork,
  unknown: readonly number[],
  focused: Focused | undefined,
  at: number,
): OrderedVisit {
  const page = { task, fingerprint: task.fingerprint ?? fingerprint(task.url), at };
  const found = work.kind === 'page' && (work.ending.kind === 'stored' || work.ending.kind === 'duplicate');
  if (!found || work.nofollow !== undefined) return { ...page, found, links: NO_LINKS.fingerprints, unknown: [] };
  const relevance = focused === undefined ? {} : { relevance: focused.relevance };
  const places = placesOfKinds(work.links, LEADING);
  if (places === 'all') {
    const promise = focused === undefined ? {} : { promise: focused.promise };
    return { ...page, found, links: work.links.fingerprints, unknown, ...relevance, ...promise };
  }
  const isUnknown = new Set(unknown);
  return {
    ...page,
    found,
    links: BigUint64Array.from(places, (place) => work.links.fingerprints[place]),
    unknown: places.flatMap((place, at) => (isUnknown.has(place) ? [at] : [])),
    ...relevance,
    ...(focused === undefined ? {} : { promise: Float32Array.from(places, (place) => focused.promise[place]) }),
  };
}
