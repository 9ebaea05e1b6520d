import type { AnchorText } from '../../contracts/search-index.ts';
import { idHash } from './id-hash.ts';

/** The weight of an anchor is kept in steps of one part of this many. */
export const ANCHOR_STEPS = 16;

export function anchorLevel({ weight }: AnchorText): number {
  return Math.min(255, Math.max(1, Math.round(weight * ANCHOR_STEPS)));
}

/** Tells anchors from others, as far as the index does: whoever knows those of today sees whether a document is out of date. */
export function anchorSum(anchors: readonly AnchorText[]): number {
  return anchors.length === 0 ? 0 : idHash(anchors.map((anchor) => `${anchorLevel(anchor)} ${anchor.text}`).join('\n'));
}
