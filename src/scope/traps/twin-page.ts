import type { VisitEvidence } from '../../contracts/trap-guard.ts';
import { hostKeyOf, pathOf } from '../../url/host-key.ts';
import type { VisitContext } from './visit-worth.ts';

/** How much of what is said of a page counts for the wide groups that it lies in. */
export const WIDE_WEIGHT = 0.75;

export const TWIN: VisitContext = {
  wanted: false,
  trusted: false,
  namedWithin: false,
  weight: WIDE_WEIGHT,
  feeds: 0,
  closure: 0,
  alike: false,
  sibling: false,
};

/** A copy of the page at the same path of another host. */
export function isTwin({ novelty, copyOf, task: { url, host } }: VisitEvidence): boolean {
  if (copyOf === undefined || (novelty !== 'duplicate' && novelty !== 'near-duplicate')) return false;
  return url !== copyOf && pathOf(url) === pathOf(copyOf) && (hostKeyOf(copyOf) !== host || url[4] !== copyOf[4]);
}
