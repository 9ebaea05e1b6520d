import type { AnchorText } from '../../contracts/search-index.ts';
import { endHash, FIRST_HASH, hashOn } from './id-hash.ts';

/** The weight of an anchor is kept in steps of one part of this many. */
export const ANCHOR_STEPS = 16;

export function anchorLevel({ weight }: AnchorText): number {
  return Math.min(255, Math.max(1, Math.round(weight * ANCHOR_STEPS)));
}

/** Tells anchors from others, as far as the index does: whoever knows those of today sees whether a document is out of date. */
export function anchorSum(anchors: readonly AnchorText[]): number {
  if (anchors.length === 0) return 0;
  // As of one text with a line for each, which would have to be put together.
  let hash = FIRST_HASH;
  for (let at = 0; at < anchors.length; at++) {
    if (at > 0) hash = hashOn(hash, '\n');
    hash = hashOn(hashOn(hashOn(hash, String(anchorLevel(anchors[at]))), ' '), anchors[at].text);
  }
  return endHash(hash);
}
